internal import ChordataSQL

extension ManagedObjectContext {
    /// Returns the objects that match a request with a full-text query, with their ranks, the best first.
    ///
    /// ```swift
    /// for match in try context.fetchMatches(Note.fetchRequest().matching("swift data*").limit(20)) {
    ///     print(match.object.title, try match.excerpt(\.text) ?? "")
    /// }
    /// ```
    /// If the request has sort keys, they order the result. Otherwise objects without a rank, such as new objects, are
    /// last. The limit applies to this order. Registered objects keep their values, even if
    /// ``FetchRequest/shouldRefreshRefetchedObjects`` is `true`. The method reads the store.
    /// - Parameter request: A request with a ``FetchRequest/fullTextQuery``.
    /// - Returns: The objects with their ranks; empty when no object matches.
    /// - Throws: ``FetchError/noFullTextQuery(entityName:)`` for a request without a query, and any error that
    ///   ``fetch(_:)-(FetchRequest<Object>)`` throws.
    /// - Complexity: O(n log n) in the number of objects that match, even if the request has a limit.
    public func fetchMatches<Object: ManagedObject>(_ request: FetchRequest<Object>) throws -> [FullTextMatch<Object>] {
        try fetcher.fetchMatches(request)
    }
}

extension PersistentStore {
    /// Rebuilds the full-text indexes of the store from the texts in the store.
    ///
    /// The indexes are kept up to date, even when another program changes rows. A call of this method is necessary only
    /// after SQLite has reported that an index is damaged, and after another program has replaced rows by
    /// `INSERT OR REPLACE`, for which SQLite runs no trigger that removes the old texts.
    /// - Throws: ``StoreError`` when the store cannot be written; `CancellationError` when the current task or the
    ///   current `Progress` is cancelled, and the indexes are then unchanged.
    /// - Complexity: O(n) in the size of the indexed texts.
    public func rebuildFullTextIndexes() throws {
        let progress = OperationProgress(expectedCount: nil)
        try requireDatabase(for: "full-text indexes").write(changesContents: false) { connection in
            try connection.interruptible(progress) {
                try dropFullTextIndexes(connection)
                try changeFullTextIndexes(of: schema.mapping, connection)
            }
        }
        progress?.finish()
    }
}
