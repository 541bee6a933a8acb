internal import ChordataModel

/// The entities of a model by name, with their superentities.
struct InheritanceChains {
    let entities: [EntityDescription]
    private let positions: [String: Int]

    /// The indexes of relationships by name, for the entities that have many.
    private let relationships: [Int: [String: Int]]

    init(_ entities: [EntityDescription], _ positions: [String: Int]) {
        self.entities = entities
        self.positions = positions
        var tables: [Int: [String: Int]] = [:]
        for index in entities.indices where entities[index].declaredRelationships.count > 16 {
            let names = entities[index].declaredRelationships.map(\.name)
            tables[index] = Dictionary(zip(names, names.indices), uniquingKeysWith: { first, _ in first })
        }
        relationships = tables
    }

    /// Returns the entity with a name, its superentity, and so on up to the root entity.
    func lineage(of name: String) -> [EntityDescription] {
        var result: [EntityDescription] = []
        var current = positions[name]
        while let index = current {
            result.append(entities[index])
            current = entities[index].superentityName.flatMap { positions[$0] }
        }
        return result
    }

    /// Returns a relationship that an entity declares or inherits, with the entity that declares it.
    func relationship(
        named relationship: String,
        of entity: String
    ) -> (owner: String, relationship: RelationshipDescription)? {
        var current = positions[entity]
        while let index = current {
            let declared = entities[index].declaredRelationships
            let place =
                if let table = relationships[index] { table[relationship] } else {
                    declared.firstIndex { $0.name == relationship }
                }
            if let place { return (entities[index].name, declared[place]) }
            current = entities[index].superentityName.flatMap { positions[$0] }
        }
        return nil
    }
}
