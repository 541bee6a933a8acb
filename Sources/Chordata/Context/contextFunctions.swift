// For the module `CoreData`.

/// Returns the conflicts of an error of a context's last save; each changed row is read again.
/// - Throws: ``StoreError`` when the store cannot be read.
package func findConflicts(of error: SaveConflictError, in context: ManagedObjectContext) throws -> [MergeConflict] {
    let access = context.beginAccess()
    defer { access.end() }
    return try context.saver.conflicts(of: error)
}

/// Returns the violated uniqueness constraints of an error of a context's last save; the rows with the same values are
/// read again.
/// - Throws: ``StoreError`` when the store cannot be read.
package func findConflicts(
    of error: UniquenessConflictError,
    in context: ManagedObjectContext
) throws -> [ConstraintConflict] {
    let access = context.beginAccess()
    defer { access.end() }
    return try context.saver.conflicts(of: error)
}

/// Returns a Boolean value that indicates whether the coordinator of a context no longer has the store that the context
/// uses.
package func hasRemovedStore(_ context: ManagedObjectContext) -> Bool {
    guard context.parent == nil, let store = context.reader.boundStore else { return false }
    return store !== context.persistentStoreCoordinator?.currentStoreOfContexts
}

/// Returns the object with an object ID; see `ManagedObjectContext.existingObject(with:)`.
package func findExistingObject(
    with objectID: ManagedObjectID,
    in context: ManagedObjectContext
) throws -> ManagedObject {
    try context.existingObject(with: objectID)
}
