internal import ChordataModel

/// The entities of a model by name, with those they inherit from.
struct Lineages {
    let entities: [EntityDescription]
    private let positions: [String: Int]

    init(_ entities: [EntityDescription], _ positions: [String: Int]) {
        self.entities = entities
        self.positions = positions
    }

    /// The entity of that name, its superentity, and so on up to the topmost one.
    func lineage(of name: String) -> [EntityDescription] {
        var result: [EntityDescription] = []
        var current = positions[name]
        while let index = current {
            result.append(entities[index])
            current = entities[index].superentityName.flatMap { positions[$0] }
        }
        return result
    }

    /// A relationship that an entity declares or inherits, with the entity that declares it.
    func relationship(
        named relationship: String,
        of entity: String
    ) -> (owner: String, relationship: RelationshipDescription)? {
        var current = positions[entity]
        while let index = current {
            if let found = entities[index].declaredRelationships.first(where: { $0.name == relationship }) {
                return (entities[index].name, found)
            }
            current = entities[index].superentityName.flatMap { positions[$0] }
        }
        return nil
    }
}
