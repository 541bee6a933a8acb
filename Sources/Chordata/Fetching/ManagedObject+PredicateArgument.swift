internal import ChordataModel
public import ChordataPredicate

extension ManagedObject: PredicateArgument {
    /// The object as a predicate argument, which is compared by object ID (rule P11 of <doc:Core-Data-Rules>).
    public var predicateArgumentValue: PredicateArgumentValue { objectID.predicateArgumentValue }
}

extension ObjectID: PredicateArgument {
    /// The object ID as a predicate argument, which matches the object that has the ID's row key in the store from
    /// which the objects are fetched; unlike a ``ManagedObjectID``, the ID does not contain a store.
    public var predicateArgumentValue: PredicateArgumentValue {
        PredicateArgumentValue(.object(ObjectReference(rootEntityName: Object.entityName, key: key)))
    }
}

extension ManagedObjectID: PredicateArgument {
    /// The object ID as a predicate argument, which matches the object with this ID.
    public var predicateArgumentValue: PredicateArgumentValue {
        PredicateArgumentValue(
            .object(
                ObjectReference(
                    rootEntityName: runtimeEntity.entity.rootEntityName,
                    key: key,
                    storeUUID: storeIdentifier,
                    permanentKeys: key > PersistentStore.firstProvisionalKey ? runtimeEntity.provisionalKeys : nil
                )
            )
        )
    }
}
