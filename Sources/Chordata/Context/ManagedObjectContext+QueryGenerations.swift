/// A state of a store that a context can be pinned to.
public struct QueryGenerationToken: Sendable, Hashable {
    /// The state of the store when ``ManagedObjectContext/setQueryGenerationFrom(_:)`` is called.
    public static let current = QueryGenerationToken()

    private init() {}
}

extension ManagedObjectContext {
    /// The token with which the context is pinned; `nil` if it is not pinned.
    ///
    /// For a pinned context, the value is always ``QueryGenerationToken/current``, which does not identify the state.
    public var queryGenerationToken: QueryGenerationToken? { reader.isPinned ? .current : nil }

    /// Pins the context to the current state of the store, or unpins it.
    ///
    /// All fetches and faults of a pinned context read the state that the store had at the call of this method, even
    /// after other contexts and programs have saved, and across `await`. As in Core Data, the context advances to the
    /// newest state when it saves, merges changes, is reset, executes ``insertValues(_:)`` or a batch operation, or
    /// refreshes all objects; a context that merges automatically also advances at each automatic merge. To advance the
    /// context at another time, call this method again.
    ///
    /// A pinned context uses one of ``StoreOptions/maximumReaderCount`` connections. SQLite cannot empty the store's
    /// write-ahead log as long as a context is pinned to an earlier state, so each save makes the log longer by the
    /// pages that it changes. If the log grows by more than ``StoreOptions/maximumPinnedLogSize``, the generation
    /// expires: reads of the context throw ``StoreError/Code/queryGenerationExpired`` until it advances or is pinned
    /// again. As long as a context is pinned, fetches of its child contexts throw
    /// ``StoreError/Code/unsupportedEnvironment``.
    ///
    /// - Parameter generation: ``QueryGenerationToken/current``, or `nil` to unpin the context.
    /// - Throws: ``StoreError`` when the store cannot be read, when it is in memory, when the context has a parent, or
    ///   when its coordinator has several stores.
    public func setQueryGenerationFrom(_ generation: QueryGenerationToken?) throws {
        let access = beginAccess()
        defer { access.end() }
        guard generation != nil else { return reader.unpin() }
        guard parent == nil else {
            throw StoreError(
                .unsupportedEnvironment,
                "what a child context reads includes the unsaved changes of its parent, so it cannot be pinned to a query "
                    + "generation; pin a context without a parent",
                path: store.path
            )
        }
        try reader.pin(to: store)
    }
}
