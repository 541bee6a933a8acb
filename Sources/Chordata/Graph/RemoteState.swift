/// Changes by other contexts and processes to rows with unsaved changes in a context.
struct RemoteState {
    /// The rows that were deleted while their objects had unsaved changes.
    var deferredDeletions: [IdentityMap.Key: ChangeSet.Row] = [:]
    /// The objects with unsaved changes, or to be deleted, whose rows were changed since; they are read again if the
    /// changes are discarded.
    var changedObjects: Set<ManagedObject> = []
    /// The to-many relationships that were changed while they had unsaved changes.
    var staleToManys: Set<RelationshipReference> = []
    /// The to-many relationships that were read while the deletion or reassignment of some members was unsaved.
    var incompleteToManys: Set<RelationshipReference> = []
    /// A Boolean value that indicates whether changes of other contexts or processes were merged.
    var hasMerged = false
}
