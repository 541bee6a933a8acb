import ChordataModel
import ChordataTestSupport

/// Models with the properties of ``NaiveModel`` in a different layout: the properties that random predicates use have
/// the same names, but are in other tables, columns and orders, with other indexes and together with other entities.
enum RandomModel {
    static func make(seed: UInt64) -> ManagedObjectModel {
        var random = SplitMix64(seed: seed &* 31 &+ 7)
        var entities = NaiveModel.model.entities.map { entity in
            EntityDescription(
                name: entity.name,
                superentityName: entity.superentityName,
                attributes: entity.declaredAttributes.shuffled(using: &random),
                relationships: entity.declaredRelationships.shuffled(using: &random),
                fetchedProperties: entity.declaredFetchedProperties
            )
        }
        for name in ["Animal", "City"] where random.percent(50) { addParent(of: name, to: &entities, &random) }
        // Names that differ by case, and words of SQL.
        if random.percent(50) {
            entities.append(EntityDescription(name: "ANIMAL", attributes: [text("NAME"), text("name")]))
        }
        if random.percent(50) {
            entities.append(EntityDescription(name: "Select", attributes: [text("from"), text("t0")]))
        }
        for index in entities.indices where random.percent(60) {
            entities[index].declaredIndexes = randomIndexes(of: entities[index], &random)
        }
        do {
            return try ManagedObjectModel(entities: entities.shuffled(using: &random))
        } catch {
            preconditionFailure("seed \(seed): \(error)")
        }
    }

    private static func text(_ name: String) -> AttributeDescription {
        AttributeDescription(name: name, attributeType: .string, isOptional: true)
    }

    /// Inserts an abstract superentity with some of an entity's attributes, and a sibling that has other attributes
    /// with some of the entity's names.
    private static func addParent(of name: String, to entities: inout [EntityDescription], _ random: inout SplitMix64) {
        guard let index = entities.firstIndex(where: { $0.name == name }) else { preconditionFailure(name) }
        let entity = entities[index]
        var (above, below): ([AttributeDescription], [AttributeDescription]) = ([], [])
        for attribute in entity.declaredAttributes {
            if random.percent(40) { above.append(attribute) } else { below.append(attribute) }
        }
        entities[index].declaredAttributes = below
        entities[index].superentityName = name + "Parent"
        entities.append(EntityDescription(name: name + "Parent", isAbstract: true, attributes: above))
        entities.append(
            EntityDescription(
                name: name + "Sibling",
                superentityName: name + "Parent",
                attributes: below.prefix(4).map { text($0.name) } + [text("other")]
            )
        )
    }

    private static func randomIndexes(of entity: EntityDescription, _ random: inout SplitMix64)
        -> [FetchIndexDescription]
    {
        let names = entity.declaredAttributes.filter { attribute in
            ![.composite, .transformable].contains(attribute.attributeType) && !attribute.isTransient
                && !attribute.allowsExternalBinaryDataStorage
        }.map(\.name)
        guard !names.isEmpty else { return [] }
        return (0..<2).map { number in
            let chosen = names.shuffled(using: &random).prefix(1 + random.below(2))
            let elements = chosen.map {
                FetchIndexDescription.Element(propertyName: $0, isAscending: random.percent(50))
            }
            return FetchIndexDescription(name: "by\(number)", elements: elements)
        }
    }
}
