internal import ChordataModel

// Delete rules (D1–D6).

extension ManagedObjectContext {
    /// Applies the rules of all relationships of an object that was just marked as deleted.
    /// - Returns: The objects that are to be deleted too.
    func propagateDeletion(of object: ManagedObject) -> [ManagedObject] {
        var cascade: [ManagedObject] = []
        for case let relationship? in object.entityType.relationships {
            switch relationship.description.deleteRule {
            case .noAction, .deny: continue  // Deny is checked at save (D4).
            case .cascade:
                cascade += targets(of: object, relationship)
            case .nullify:
                guard let inverse = relationship.inverseField else { continue }
                for target in targets(of: object, relationship) where target.state != .deleted {
                    detach(object, from: target, inverse: inverse, isToMany: relationship.isInverseToMany)
                }
            }
        }
        return cascade
    }

    /// The objects a relationship leads to.
    func targets(of object: ManagedObject, _ relationship: EntityType.Relationship) -> [ManagedObject] {
        if relationship.description.isToMany {
            return realizeToMany(of: object, field: relationship.field).array
        }
        return realizeToOne(of: object, field: relationship.field).map { [$0] } ?? []
    }
}
