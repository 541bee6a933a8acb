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
