extension PersistentContainer {
    /// The coordinators for which the current task is running a write.
    @TaskLocal private static var current: [ObjectIdentifier] = []

    /// Runs a closure with a new context and saves its changes, one such write at a time.
    ///
    /// Writes run in the order of the calls. A write waits without blocking a thread, and sees everything
    /// that earlier writes have saved.
    ///
    /// ```swift
    /// let stock = try await container.write { context in
    ///     let product = try context.existingObject(with: id)
    ///     product.stock -= 1
    ///     return product.stock
    /// }
    /// ```
    ///
    /// Saves of other contexts and of other processes can be executed while the closure runs. If they cause a conflict
    /// that the ``ManagedObjectContext/mergePolicy`` does not resolve, nothing is written, and the closure runs again
    /// with another new context. So the closure must be repeatable: it must not change anything but objects of its
    /// context, must not send messages, and must not save, call ``ManagedObjectContext/insertValues(_:)`` or execute
    /// batch operations. The closure should not wait for anything else, because other writes wait for the closure. If
    /// the first attempt violates a uniqueness constraint, the closure runs once more, so that it can find the object
    /// that another save has inserted; if a later attempt violates one, the method throws the
    /// ``UniquenessConflictError``.
    ///
    /// A call of the method in its own closure throws a ``WriteError``. A call in a detached task is not recognized: if
    /// the closure waits for such a task, both wait for each other and never end. The same is true for closures of two
    /// containers that each wait for a write of the other container.
    ///
    /// If the closure throws an error, nothing is written. The closure returns before its changes are saved, so values
    /// that the store computes, such as derived attributes, are not in its result.
    /// - Parameters:
    ///   - attemptLimit: The maximum number of times that the closure runs.
    ///   - body: The closure, which is passed the new context. It runs on a thread of the store.
    /// - Returns: The value that the closure returns.
    /// - Throws: Any error that the closure throws, and any error of a save except for ``SaveConflictError``;
    ///   ``WriteError`` if ``SaveConflictError`` ended the last attempt that `attemptLimit` allows, if the method is
    ///   called in its own closure, or if the closure saves; `CancellationError` if the task is cancelled while the
    ///   write waits for others or between two attempts; ``StoreError`` with
    ///   ``StoreError/Code/waitingSaveLimitExceeded`` if ``StoreOptions/maximumWaitingSaveCount`` writes are waiting.
    @discardableResult
    @concurrent
    public func write<Result: Sendable>(
        attemptLimit: Int = 20,
        _ body: @Sendable (ManagedObjectContext) async throws -> Result
    ) async throws -> Result {
        let identifier = ObjectIdentifier(persistentStoreCoordinator)
        guard !Self.current.contains(identifier) else { throw WriteError(.nestedWrite) }
        return try await Self.$current.withValue(Self.current + [identifier]) {
            try await BackgroundExecutor.run(on: persistentStoreCoordinator.threads) { executor in
                try await write(on: executor, attemptLimit, body)
            }
        }
    }

    private func write<Result: Sendable>(
        on executor: BackgroundExecutor,
        _ attemptLimit: Int,
        _ body: @Sendable (ManagedObjectContext) async throws -> Result
    ) async throws -> Result {
        let store = store
        let queue = store.serialWrites
        try await queue.takeTurn()
        defer { queue.finishTurn() }
        var attempt = 1
        while true {
            do {
                return try await attemptWrite(on: executor, body)
            } catch let error as SaveConflictError {
                guard attempt < attemptLimit else {
                    throw WriteError(.attemptLimitExceeded, attemptCount: attempt, conflict: error)
                }
            } catch let error as UniquenessConflictError {
                // The second time, the closure has seen the other object.
                guard attempt < min(attemptLimit, 2) else { throw error }
            }
            try Task.checkCancellation()
            attempt += 1
            store.engine.counters.countRepeatedWrite()
        }
    }

    private func attemptWrite<Result: Sendable>(
        on executor: BackgroundExecutor,
        _ body: @Sendable (ManagedObjectContext) async throws -> Result
    ) async throws -> Result {
        try await executor.withContext(of: persistentStoreCoordinator) { context in
            // Reserve keys, so that the IDs of new objects are permanent when the closure returns, unless it uses more
            // keys than are reserved.
            try context.store.ensureKeys()
            context.saver.beginWrite()
            let result = try await body(context)
            context.saver.endWrite()
            try context.saver.save()
            return result
        }
    }
}
