internal import ChordataModel

// Delete rules (D1–D6).

extension ManagedObjectContext {
    /// Applies the rules of all relationships of an object that was just marked as deleted.
    func propagateDeletion(of object: ManagedObject) {
        for case let relationship? in object.entityType.relationships {
            switch relationship.description.deleteRule {
            case .noAction, .deny: continue  // Deny is checked at save (D4).
            case .cascade:
                for target in targets(of: object, relationship) { delete(target) }
            case .nullify:
                guard let inverse = relationship.inverseField else { continue }
                for target in targets(of: object, relationship) where target.state != .deleted {
                    if relationship.isInverseToMany {
                        removeFromMany(object, of: target, field: inverse)
                    } else {
                        setToOne(nil, of: target, field: inverse)
                    }
                }
            }
        }
    }

    /// The objects a relationship leads to.
    func targets(of object: ManagedObject, _ relationship: EntityType.Relationship) -> [ManagedObject] {
        if relationship.description.isToMany {
            return realizeToMany(of: object, field: relationship.field).array
        }
        return realizeToOne(of: object, field: relationship.field).map { [$0] } ?? []
    }
}
