/// The state of a save while it runs.
struct SaveTransaction {
    /// The report for the save logger; `nil` if there is no logger.
    let report: SaveReport?
    /// A Boolean value that indicates whether a merge policy runs.
    var isResolving = false
    /// The inserted objects that were replaced by other objects, whose identity they take over.
    var replaced: [(object: ManagedObject, replacement: ManagedObject)] = []
    /// The changed objects that reference an object, by its key, while a policy runs; `nil` until they are needed.
    var referencingObjects: [IdentityMap.Key: [ManagedObject]]?
}
