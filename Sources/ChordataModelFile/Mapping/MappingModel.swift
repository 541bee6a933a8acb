/// The contents of an `.xcmappingmodel`: the mapping of one version's objects to another's.
package struct MappingModel: Sendable, Hashable {
    /// The mapping of objects of one entity to objects of another one.
    package struct EntityMapping: Sendable, Hashable {
        package var name: String
        /// The source entity; `nil` if the mapping creates objects without a source.
        package var sourceName: String?
        /// The destination entity; `nil` if the mapping deletes the objects of the source.
        package var destinationName: String?
        /// The class of the entity migration policy, whose code is not in the mapping model.
        package var policyClassName: String?
        /// The format string of the condition that selects the source objects.
        package var predicate: String?
        package var attributes: [PropertyMapping]
        package var relationships: [PropertyMapping]
    }

    /// The source of a property's value.
    package struct PropertyMapping: Sendable, Hashable {
        package var name: String
        /// An expression that is used instead of the property of the same name.
        package var expression: MappedExpression?
        /// The key path to the source objects, as Xcode's editor writes it.
        package var sourceKeyPath: String?
        /// The entity mapping whose results replace the source objects.
        package var sourceMappingName: String?

        /// A Boolean value that indicates whether the value is anything other than that of the property with the same
        /// name.
        package var isCustom: Bool {
            switch expression {
            case .keyPath(name): false
            case nil: sourceKeyPath.map { $0 != "$source.\(name)" } ?? false
            case .keyPath, .results, .other: true
            }
        }
    }

    package var sourceVersionName: String
    package var destinationVersionName: String
    /// The entity mappings, in the order in which they run.
    package var entities: [EntityMapping]
}

/// The expression of a property of a mapping model.
package enum MappedExpression: Sendable, Hashable {
    /// A key path from the source object.
    case keyPath(String)
    /// The results of another entity mapping for some objects.
    case results(mappingName: String, of: String)
    /// Another expression, by its name in format strings; `nil` if it has none.
    case other(String?)

    /// The expression as Xcode's editor shows it.
    package var text: String {
        switch self {
        case .keyPath(let path): "$source.\(path)"
        case .results(let name, let objects):
            "FUNCTION($manager, \"destinationInstancesForEntityMappingNamed:sourceInstances:\", \"\(name)\", \(objects))"
        case .other(let text): text ?? "an expression that only Xcode can display"
        }
    }
}
