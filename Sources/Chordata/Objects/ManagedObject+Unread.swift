// For the module `CoreData`: after a fetch, Core Data's objects are faults, whose values are in a cache of rows.

extension ManagedObject {
    /// A Boolean value that indicates whether the program has not accessed the values of the object since its row was
    /// read, or whether the row has not been read.
    package var isUnread: Bool { slowPath.contains(.fault) || slowPath.contains(.unread) && state == .clean }

    /// Records that the program has accessed the values.
    package func markAsRead() { slowPath.remove(.unread) }
}
