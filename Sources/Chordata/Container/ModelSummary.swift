internal import ChordataModel

/// A description of the parts of the model that a version hash covers, by entity and property, so that an error can
/// name the differences.
///
/// The summary is stored in the metadata of a store, because a program does not have the models of all versions.
struct ModelSummary: Sendable, Hashable {
    /// The descriptions of the properties, by entity name and property name; the description of the entity itself has
    /// an empty name.
    private var entities: [String: [String: String]] = [:]

    init(_ model: ManagedObjectModel) {
        for entity in model.entities {
            var words = ["": Self.words(of: entity)]
            for attribute in entity.declaredAttributes { words[attribute.name] = Self.words(of: attribute) }
            for relationship in entity.declaredRelationships { words[relationship.name] = Self.words(of: relationship) }
            entities[entity.name] = words
        }
    }

    // MARK: Text

    /// Creates a summary from the ``text`` of another summary; lines in another format are ignored.
    init(text: String) {
        for line in text.split(separator: "\n") {
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(unescape)
            if fields.count == 3 { entities[fields[0], default: [:]][fields[1]] = fields[2] }
        }
    }

    /// The summary as text, with a line for each entity and property, in a fixed order.
    var text: String {
        entities.orderedByKey.flatMap { entity, properties in
            properties.orderedByKey.map { property, words in
                [entity, property, words].map { escape($0, with: .record) }.joined(separator: "\t")
            }
        }.joined(separator: "\n")
    }

    // MARK: Differences

    /// Returns descriptions of the differences between a program's model and a store, in entities that both have.
    ///
    /// - Parameter changed: The names of the entities whose hashes differ.
    static func differences(store: ModelSummary, model: ModelSummary, in changed: [String]) -> [String] {
        changed.flatMap { entity -> [String] in
            let (old, new) = (store.entities[entity] ?? [:], model.entities[entity] ?? [:])
            return Set(old.keys).union(new.keys).ordered(by: <).compactMap { property in
                let name = property.isEmpty ? "'\(entity)' itself" : "'\(property)' of '\(entity)'"
                switch (old[property], new[property]) {
                case (let old?, let new?):
                    return old == new ? nil : "\(name) (\(old) in the store, \(new) in the model)"
                case (let old?, nil): return "\(name) (\(old)) only in the store"
                case (nil, let new?): return "\(name) (\(new)) only in the model"
                case (nil, nil): return nil
                }
            }
        }
    }

    // MARK: Words

    private static func words(of entity: EntityDescription) -> String {
        let constraints = entity.declaredUniquenessConstraints.map {
            "unique by " + $0.ordered(by: <).joined(separator: "+")
        }
        return words([
            entity.isAbstract ? "abstract" : "concrete",
            entity.superentityName.map { "below '\($0)'" },
            constraints.isEmpty ? nil : constraints.ordered(by: <).joined(separator: ", "),
            modifier(entity.versionHashModifier),
        ])
    }

    private static func words(of attribute: AttributeDescription) -> String {
        let elements = attribute.elements.ordered { $0.name < $1.name }.map { "\($0.name): \(words(of: $0))" }
        return words([
            attribute.attributeType.rawValue,
            attribute.isOptional ? "optional" : nil,
            attribute.isTransient ? "transient" : nil,
            attribute.allowsExternalBinaryDataStorage ? "stored externally" : nil,
            attribute.derivationExpression.map { "derived from \($0)" },
            elements.isEmpty ? nil : "of " + elements.joined(separator: "; "),
            modifier(attribute.versionHashModifier),
        ])
    }

    private static func words(of relationship: RelationshipDescription) -> String {
        let isBounded = relationship.isToMany && (relationship.minimumCount, relationship.maximumCount) != (0, 0)
        return words([
            relationship.isToMany ? "to-many" : "to-one",
            "'\(relationship.destinationEntityName)'",
            relationship.inverseName.map { "inverse '\($0)'" } ?? "without an inverse",
            relationship.isOrdered ? "ordered" : nil,
            relationship.isOptional ? "optional" : nil,
            relationship.isTransient ? "transient" : nil,
            isBounded ? "count \(relationship.minimumCount) to \(relationship.maximumCount)" : nil,
            modifier(relationship.versionHashModifier),
        ])
    }

    private static func modifier(_ text: String?) -> String? {
        text.flatMap { $0.isEmpty ? nil : "hash modifier '\($0)'" }
    }

    private static func words(_ parts: [String?]) -> String { parts.compactMap(\.self).joined(separator: ", ") }
}
