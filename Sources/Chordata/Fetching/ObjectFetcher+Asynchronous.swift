internal import ChordataSQL
internal import Synchronization

// Fetches whose rows are read on another thread.

extension ObjectFetcher {
    /// The objects that match a request, read without blocking the context's actor.
    nonisolated(nonsending)
        func fetch<Object: ManagedObject>(_ request: AsynchronousFetchRequest<Object>) async throws -> [Object]
    {
        for _ in 0..<3 {
            try Task.checkCancellation()
            processor.processPendingChanges()
            let bound = try BoundFetchRequest(request.request, in: schema)
            guard canFetchElsewhere(request.request, bound) else { break }
            let commitCount = reader.store.engine.commitCount
            let rows = try await readRows(of: bound, progress: request.progress)
            try Task.checkCancellation()
            processor.processPendingChanges()
            // Rows that were saved during the fetch would be registered with old values, and not be refreshed.
            guard reader.store.engine.commitCount == commitCount,
                canFetchElsewhere(request.request, bound)
            else { continue }
            let objects = try objects(of: rows).map { unsafeDowncast($0, to: Object.self) }
            let areAll = bound.predicate == nil && bound.limit == 0 && bound.offset == 0
            try prefetch(bound.prefetchedPaths, of: objects, areAll: areAll)
            return objects
        }
        return try fetch(request.request)
    }

    private func canFetchElsewhere<Object: ManagedObject>(_ request: FetchRequest<Object>, _ bound: BoundFetchRequest)
        -> Bool
    {
        guard processor.parent == nil, !reader.isPinned, !request.shouldRefreshRefetchedObjects,
            request.includesPropertyValues,
            !request.returnsObjectsAsFaults, request.fetchBatchSize == 0,
            isRenderable(bound)
        else { return false }
        return !request.includesPendingChanges || pendingObjects(of: bound).isEmpty
    }

    nonisolated(nonsending)
        private func readRows(of bound: BoundFetchRequest, progress: (@Sendable (Int) -> Void)?) async throws
        -> [RowSnapshot]
    {
        let projection = schema.projection(of: bound.type)
        let fragment = bound.fragment(reading: projection.selectList, where: bound.predicate, in: schema)
        let engine = reader.store.engine
        let interrupt = StatementInterrupt()
        let reading = Task.detached {
            var rows: [RowSnapshot] = []
            try engine.withReader { connection in
                try interrupt.run(on: connection) {
                    rows = try connection.persistedRows(fragment, projection, interrupt, progress: progress)
                }
            }
            return rows
        }
        return try await withTaskCancellationHandler {
            do {
                return try await reading.value
            } catch {
                // The error may be the one that SQLite returns for a statement that was interrupted.
                try Task.checkCancellation()
                throw error
            }
        } onCancel: {
            interrupt.cancel()
        }
    }

    /// The objects of rows that were just read.
    private func objects(of rows: [RowSnapshot]) throws -> [ManagedObject] {
        let access = graph.executor.beginAccess()
        defer { access.end() }
        defer { reader.awakenObjects() }
        return try rows.map { row in
            let type = row.values.runtimeEntity
            let known = graph.registered(key: row.key, rootIndex: type.rootIndex)
            if let known { try reader.checkEntity(of: known, is: type) }
            let object = known ?? graph.makeFault(key: row.key, type: type)
            if object.isFault { reader.fill(object, row) }
            return object
        }
    }
}

extension StoreReader {
    fileprivate func persistedRows(
        _ fragment: SQLFragment,
        _ projection: Projection,
        _ interrupt: StatementInterrupt,
        progress: (@Sendable (Int) -> Void)?
    ) throws -> [RowSnapshot] {
        var rows: [RowSnapshot] = []
        try forEachRow(of: StoreQuery(fragment)) { row in
            let member = try projection.member(of: row)
            let snapshot = RowSnapshot(row, member)
            if let error = UnreadableValueError(key: snapshot.key, column: row.unreadableColumn, member) {
                row.forgetUnreadable()
                throw error
            }
            rows.append(snapshot)
            guard rows.count.isMultiple(of: 1_000) else { return }
            // An interrupt has no effect on a statement that has not begun yet.
            if interrupt.isCancelled { throw CancellationError() }
            progress?(rows.count)
        }
        progress?(rows.count)
        return rows
    }
}
