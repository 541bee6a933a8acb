extension ManagedObjectModel {
    /// A hash for each entity, keyed by entity name, which differs if the store format of the entity differs: 64
    /// hexadecimal digits.
    ///
    /// A hash depends on names, types, optionality, transience, derivation, external storage, composites' elements,
    /// destinations, inverses, counts and whether a to-many relationship is ordered, abstractness, uniqueness
    /// constraints and hash modifiers, and the hash of the superentity: a change of an entity changes its own hash and
    /// those of the entities below it, but no others.
    ///
    /// A hash does not depend on fetched properties, delete rules, renaming identifiers, indexes, user info, defaults,
    /// class names, transformers, validation, the order in the file, and the parts of the model other than its
    /// entities. An empty hash modifier counts as a missing one.
    /// - Complexity: O(n log n) in the number of entities and properties. The hashes are not cached; keep them if you
    ///   need them often.
    public var versionHashesByEntityName: [String: String] {
        var hashes: [String: String] = [:]
        hashes.reserveCapacity(entities.count)
        for entity in entities { addVersionHash(of: entity, to: &hashes) }
        return hashes
    }

    /// The hash of all entities together: two models with the same hash can open the same stores.
    /// - Complexity: That of ``versionHashesByEntityName``.
    public var versionHash: String {
        var input = HashInput("model")
        for (name, hash) in versionHashesByEntityName.sorted(by: { $0.key < $1.key }) {
            input.append(name)
            input.append(hash)
        }
        return sha256(input.bytes)
    }

    /// Adds the hash of an entity, and the missing hashes of its superentities, on which it depends.
    private func addVersionHash(of entity: EntityDescription, to hashes: inout [String: String]) {
        var lineage: [EntityDescription] = []
        var current: EntityDescription? = entity
        while let level = current, hashes[level.name] == nil {
            lineage.append(level)
            current = level.superentityName.flatMap { self.entity(named: $0) }
        }
        for level in lineage.reversed() {
            // A root entity has the empty text in place of the hash.
            let superentityHash = level.superentityName.flatMap { hashes[$0] } ?? ""
            hashes[level.name] = versionHash(of: level, superentityHash: superentityHash)
        }
    }

    private func versionHash(of entity: EntityDescription, superentityHash: String) -> String {
        var input = HashInput("entity")
        input.append(entity.name)
        input.append(superentityHash)
        input.append(entity.isAbstract)
        input.append(modifier: entity.versionHashModifier)
        input.append(entity.declaredAttributes.count)
        for attribute in entity.declaredAttributes.sorted(by: { $0.name < $1.name }) { input.append(attribute) }
        input.append(entity.declaredRelationships.count)
        for relationship in entity.declaredRelationships.sorted(by: { $0.name < $1.name }) {
            input.append(relationship)
        }
        let constraints = entity.declaredUniquenessConstraints.map { $0.sorted() }
            .sorted { $0.lexicographicallyPrecedes($1) }
        input.append(constraints.count)
        for constraint in constraints {
            input.append(constraint.count)
            for name in constraint { input.append(name) }
        }
        return sha256(input.bytes)
    }
}

/// Parts of text, each preceded by its length, so that no two lists of parts give the same bytes.
private struct HashInput {
    private(set) var bytes: [UInt8] = []

    init(_ kind: String) { append(kind) }

    mutating func append(_ text: String) {
        append(text.utf8.count)
        bytes += text.utf8
    }

    mutating func append(_ text: String?) {
        append(text != nil)
        append(text ?? "")
    }

    /// An empty modifier counts as a missing one.
    mutating func append(modifier: String?) { append(modifier?.isEmpty == true ? nil : modifier) }

    mutating func append(_ number: Int) {
        bytes += String(number).utf8
        bytes.append(UInt8(ascii: ":"))
    }

    mutating func append(_ flag: Bool) { bytes.append(flag ? 1 : 0) }

    mutating func append(_ attribute: AttributeDescription) {
        append(attribute.name)
        append(attribute.attributeType.rawValue)
        append(attribute.isOptional)
        append(attribute.isTransient)
        append(attribute.allowsExternalBinaryDataStorage)
        append(attribute.derivationExpression)
        append(modifier: attribute.versionHashModifier)
        append(attribute.elements.count)
        for element in attribute.elements.sorted(by: { $0.name < $1.name }) { append(element) }
    }

    mutating func append(_ relationship: RelationshipDescription) {
        append(relationship.name)
        append(relationship.isOptional)
        append(relationship.isTransient)
        append(relationship.destinationEntityName)
        append(relationship.inverseName)
        append(relationship.isToMany)
        append(relationship.isOrdered)
        append(relationship.minimumCount)
        append(relationship.maximumCount)
        append(modifier: relationship.versionHashModifier)
    }
}
