// Former names.

/// The former name of ``ChangeLimitExceededError``.
@available(*, deprecated, renamed: "ChangeLimitExceededError")
public typealias EndlessChangesError = ChangeLimitExceededError

extension PersistentStore {
    /// The former name of ``setMetadata(_:forKey:)``.
    /// - Throws: Any error of ``setMetadata(_:forKey:)``.
    @available(*, deprecated, renamed: "setMetadata(_:forKey:)")
    public func setNote(_ value: String?, forKey key: String) throws { try setMetadata(value, forKey: key) }
}

// A pattern cannot use the former name of a case.

extension BatchUpdateError {
    /// The former name of ``invalidValue(_:entityName:typeName:objectID:)``.
    @available(*, deprecated, renamed: "invalidValue(_:entityName:typeName:objectID:)")
    public static func unfittingValue(
        _ name: String,
        entityName: String,
        typeName: String,
        objectID: ManagedObjectID?
    ) -> Self { .invalidValue(name, entityName: entityName, typeName: typeName, objectID: objectID) }
}

extension FetchError {
    /// The former name of ``invalidResult(_:typeName:)``.
    @available(*, deprecated, renamed: "invalidResult(_:typeName:)")
    public static func unfittingResult(_ name: String, typeName: String) -> Self {
        .invalidResult(name, typeName: typeName)
    }
}
