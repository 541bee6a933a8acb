/// The matching entities of two models.
package struct EntityPairs {
    package let old: ManagedObjectModel
    package let new: ManagedObjectModel
    private var oldNames: [String: String] = [:]
    private var newNames: [String: String] = [:]
    private var carried: Set<String> = []

    package init(old: ManagedObjectModel, new: ManagedObjectModel) {
        self.old = old
        self.new = new
        let pairs = IdentityPairs(
            old: old.entities.map { .init($0.name, $0.renamingIdentifier) },
            new: new.entities.map { .init($0.name, $0.renamingIdentifier) }
        )
        for (index, entity) in new.entities.enumerated() {
            guard let oldIndex = pairs.oldIndexes[index] else { continue }
            oldNames[entity.name] = old.entities[oldIndex].name
            newNames[old.entities[oldIndex].name] = entity.name
            if pairs.areCarried[index] { carried.insert(entity.name) }
        }
    }

    /// Returns the old form of a new entity.
    package func old(of name: String) -> EntityDescription? { oldNames[name].flatMap { old.entity(named: $0) } }
    /// Returns the new form of an old entity.
    package func new(of name: String) -> EntityDescription? { newNames[name].flatMap { new.entity(named: $0) } }
    /// Returns a Boolean value that indicates whether a migration copies the rows of the old form of a new entity.
    package func isCarried(_ name: String) -> Bool { carried.contains(name) }

    /// Returns a Boolean value that indicates whether an old and a new entity are not forms of each other, but one
    /// inherits from the other, in the old or in the new model.
    package func areRelated(_ oldEntity: EntityDescription, _ newEntity: EntityDescription) -> Bool {
        if let later = newNames[oldEntity.name], later != newEntity.name,
            new.entity(later, isKindOf: newEntity.name) || new.entity(newEntity.name, isKindOf: later)
        {
            return true
        }
        if let earlier = oldNames[newEntity.name], earlier != oldEntity.name,
            old.entity(earlier, isKindOf: oldEntity.name) || old.entity(oldEntity.name, isKindOf: earlier)
        {
            return true
        }
        return false
    }
}
