internal import ChordataModel

// The unsaved objects that reference an object that gets another key or is replaced by another object. A policy may
// replace any number of objects, so the changed objects are searched once and not for each of them.

extension ObjectEditor {
    /// Searches all changed objects for the objects that they reference.
    func makeReferencingObjects() -> [IdentityMap.Key: [ManagedObject]] {
        var referencing: [IdentityMap.Key: [ManagedObject]] = [:]
        for object in graph.changedObjects {
            for case let relationship? in object.runtimeEntity.relationships {
                let rootIndex = relationship.destinationRootIndex
                if !relationship.description.isToMany {
                    let key = object.toOneReference(at: relationship.field).pointee.key
                    if key != 0 { referencing[.init(rootIndex: rootIndex, key: key), default: []].append(object) }
                } else if relationship.inverseField == nil {
                    let members =
                        object.toManyReference(at: relationship.field).pointee.storage?.array
                        ?? object.changes?.pendingToManyChanges(of: relationship.field).map { Array($0.added) } ?? []
                    for member in members { referencing[IdentityMap.Key(of: member), default: []].append(object) }
                }
            }
        }
        return referencing
    }

    /// Changes the key in the to-one relationships of changed objects that reference an object.
    func changeKeyInToOnes(from old: Int64, to new: Int64, rootIndex: Int) {
        let oldKey = IdentityMap.Key(rootIndex: rootIndex, key: old)
        for object in referencingObjects(of: oldKey) {
            var isReferencing = false
            for case let relationship? in object.runtimeEntity.relationships
            where !relationship.description.isToMany && relationship.destinationRootIndex == rootIndex {
                let reference = object.toOneReference(at: relationship.field)
                guard reference.pointee.key == old else { continue }
                reference.pointee.key = new
                isReferencing = true
            }
            guard isReferencing else { continue }
            recordReference(from: object, to: IdentityMap.Key(rootIndex: rootIndex, key: new))
            if graph.notifier.hasObservers { graph.event.keys.owners.append(object) }
        }
    }
}
