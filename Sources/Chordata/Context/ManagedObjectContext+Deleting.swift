internal import ChordataModel

// Delete rules (D1–D6).

extension ManagedObjectContext {
    /// Applies the rules of all relationships of an object that was just marked as deleted.
    /// - Returns: The objects that are to be deleted too.
    func propagateDeletion(of object: ManagedObject) -> [ManagedObject] {
        var cascade: [ManagedObject] = []
        for relationship in object.withEntityType({ $0.deletionRelationships }) {
            switch relationship.description.deleteRule {
            case .noAction, .deny: continue  // Deny is checked at save (D4).
            case .cascade:
                cascade += targets(of: object, relationship)
            case .nullify:
                guard let inverse = relationship.inverseField else { continue }
                func detach(_ target: ManagedObject) {
                    guard target.state != .deleted else { return }
                    self.detach(object, from: target, inverse: inverse, isToMany: relationship.isInverseToMany)
                }
                if relationship.description.isToMany {
                    realizeToMany(of: object, field: relationship.field).array.forEach(detach)
                } else if let target = realizeToOne(of: object, field: relationship.field) {
                    detach(target)
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
