public import ChordataModel

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The version hashes of a model as Core Data computes them.
///
/// Core Data writes these hashes into the metadata of each store and opens a store with a model only if the hashes of
/// all entities are equal. They depend on names, types, optionality, relationships, uniqueness constraints and hash
/// modifiers, but not on default values, validation rules, delete rules, indexes, fetched properties, transient
/// attributes, renaming identifiers or user info.
///
/// The algorithm was found by comparing results with the hashes in stores. It does not cover derived and composite
/// attributes: the hashes of entities that have or inherit one, and of their subentities, are not computed.
///
/// ```swift
/// let hashes = VersionHashes(of: model)
/// let isCompatible = hashes.entityVersionHashesByName == storedHashes
/// ```
public struct VersionHashes: Sendable, Hashable {
    /// The hashes, 32 bytes each, by the names of the entities, without those that cannot be computed.
    public private(set) var entityVersionHashesByName: [String: Data] = [:]
    /// The reasons why hashes cannot be computed, by the names of the entities.
    public private(set) var reasonsByEntityName: [String: String] = [:]

    /// Computes the hashes of the entities of a model.
    public init(of model: ManagedObjectModel) {
        for entity in model.entities where entity.superentityName == nil { add(entity, below: [], in: model) }
    }

    /// The names of the entities in the order of their UTF-8 bytes, the order in which Core Data combines their hashes.
    private var orderedNames: [String] {
        entityVersionHashesByName.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// The hash over all entities that Core Data stores as `NSStoreModelVersionHashesDigest`, in Base64; `nil` if the
    /// hash of an entity cannot be computed.
    public var digest: String? {
        guard reasonsByEntityName.isEmpty else { return nil }
        var bytes: [UInt8] = []
        for name in orderedNames {
            bytes += name.utf8
            bytes += entityVersionHashesByName[name] ?? Data()
        }
        return Data(sha512(bytes)).base64EncodedString()
    }

    /// The hash over all entities that Core Data stores as `NSStoreModelVersionChecksumKey`, and Xcode as
    /// `NSManagedObjectModel_VersionChecksums` in a compiled model, in Base64; `nil` if the hash of an entity cannot be
    /// computed.
    public var checksum: String? {
        guard reasonsByEntityName.isEmpty else { return nil }
        let bytes = orderedNames.flatMap { entityVersionHashesByName[$0] ?? Data() }
        return Data(sha256Digest(bytes)).base64EncodedString()
    }

    // MARK: Entities

    /// Adds the hashes of an entity and of its subentities.
    /// - Parameter superentities: The entities from which the entity inherits, the root entity first.
    private mutating func add(
        _ entity: EntityDescription,
        below superentities: [EntityDescription],
        in model: ManagedObjectModel
    ) {
        let lineage = superentities + [entity]
        if let reason = Self.reason(lineage) {
            reasonsByEntityName[entity.name] = reason
        } else {
            entityVersionHashesByName[entity.name] = hash(lineage)
        }
        for name in entity.subentityNames {
            if let subentity = model.entity(named: name) { add(subentity, below: lineage, in: model) }
        }
    }

    /// Returns the reason why the hash of the last entity of an inheritance chain cannot be computed; `nil` if it can.
    private static func reason(_ lineage: [EntityDescription]) -> String? {
        for level in lineage {
            for attribute in level.declaredAttributes where !attribute.isTransient {
                let kind: String
                if attribute.isDerived {
                    kind = "derived"
                } else if attribute.attributeType == .composite {
                    kind = "composite"
                } else {
                    continue
                }
                let place = level.name == lineage.last?.name ? "" : " of '\(level.name)'"
                return "attribute '\(attribute.name)'\(place) is \(kind)"
            }
        }
        return nil
    }

    private func hash(_ lineage: [EntityDescription]) -> Data {
        guard let entity = lineage.last else { return Data() }
        var bytes = Array(entity.name.utf8)
        bytes.append(entity.isAbstract ? 1 : 0)
        if let superentity = lineage.dropLast().last {
            bytes += entityVersionHashesByName[superentity.name] ?? Data()
        }
        // A property that is declared again replaces the inherited one.
        var properties: [String: [UInt8]?] = [:]
        for level in lineage {
            for attribute in level.declaredAttributes {
                properties[attribute.name] = .some(attribute.isTransient ? nil : Self.hash(attribute))
            }
            for relationship in level.declaredRelationships {
                properties[relationship.name] = .some(relationship.isTransient ? nil : Self.hash(relationship))
            }
        }
        for (_, hash) in properties.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
            if let hash { bytes += hash }
        }
        bytes += (entity.versionHashModifier ?? "").utf8
        for constraint in entity.declaredUniquenessConstraints { bytes += constraint.joined(separator: ".").utf8 }
        return Data(sha256Digest(bytes))
    }

    // MARK: Properties

    private static func base(_ name: String, isOptional: Bool, _ modifier: String?) -> [UInt8] {
        sha256Digest(Array(name.utf8) + [isOptional ? 1 : 0, 0] + Array((modifier ?? "").utf8))
    }

    private static func hash(_ attribute: AttributeDescription) -> [UInt8] {
        var bytes = base(attribute.name, isOptional: attribute.isOptional, attribute.versionHashModifier)
        bytes += littleEndianBytes(attribute.attributeType.coreDataNumber)
        if attribute.allowsExternalBinaryDataStorage { bytes.append(1) }
        if attribute.preservesValueInHistoryOnDeletion { bytes.append(1) }
        return sha256Digest(bytes)
    }

    private static func hash(_ relationship: RelationshipDescription) -> [UInt8] {
        var bytes = base(relationship.name, isOptional: relationship.isOptional, relationship.versionHashModifier)
        bytes += relationship.destinationEntityName.utf8
        bytes += (relationship.inverseName ?? "").utf8
        bytes += littleEndianBytes(Int32(clamping: relationship.maximumCount))
        bytes += littleEndianBytes(Int32(clamping: relationship.minimumCount))
        if relationship.isOrdered { bytes += [1, 0] }
        return sha256Digest(bytes)
    }

    private static func littleEndianBytes(_ value: Int32) -> [UInt8] {
        withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }
}

extension AttributeType {
    /// The value of `NSAttributeType`.
    var coreDataNumber: Int32 {
        switch self {
        case .undefined: 0
        case .integer16: 100
        case .integer32: 200
        case .integer64: 300
        case .decimal: 400
        case .double: 500
        case .float: 600
        case .string: 700
        case .boolean: 800
        case .date: 900
        case .binaryData: 1000
        case .uuid: 1100
        case .uri: 1200
        case .transformable: 1800
        case .objectID: 2000
        case .composite: 2100
        }
    }
}
