internal import CChordataSQLite

extension SQLiteConnection {
    /// Runs an UPDATE of a table without triggers, which does not change the keys of rows.
    /// - Returns: The keys of the updated rows, in the order in which they were written.
    func updatedKeys(by statement: SQLiteStatement) throws(StoreError) -> [Int64] {
        let recorder = UpdateHookRecorder(progress)
        sqlite3_update_hook(
            handle,
            { recorder, _, _, _, key in
                guard let recorder else { return }
                Unmanaged<UpdateHookRecorder>.fromOpaque(recorder).takeUnretainedValue().add(key)
            },
            Unmanaged.passUnretained(recorder).toOpaque()
        )
        defer { countRows(for: progress) }
        try withExtendedLifetime(recorder) { () throws(StoreError) in try statement.run() }
        return recorder.keys
    }

    /// Reports the rows that a closure writes to a progress.
    /// - Throws: `CancellationError` if the progress is cancelled; the transaction must then be rolled back.
    func reporting<Result>(to progress: OperationProgress?, _ body: () throws -> Result) throws -> Result {
        guard let progress else { return try body() }
        let outer = self.progress
        self.progress = progress
        countRows(for: progress)
        defer {
            self.progress = outer
            countRows(for: outer)
        }
        let result = try body()
        try progress.checkCancellation()
        return result
    }

    /// Reports the rows that a closure writes to a progress, and ends a statement of the closure if the progress or the
    /// current task is cancelled, which rolls back the whole transaction.
    /// - Throws: `CancellationError` if the progress or the task is cancelled.
    func interruptible<Result>(_ progress: OperationProgress?, _ body: () throws -> Result) throws -> Result {
        try reporting(to: progress) {
            let isCancelled = { progress?.isCancelled == true || Task.isCancelled }
            let result = try interruptingStatements(if: isCancelled, CancellationError() as any Error, body)
            try Task.checkCancellation()
            return result
        }
    }

    /// Runs the part of a store's opening that a progress can cancel, within a transaction.
    /// - Throws: ``StoreError/Code/cancelled`` if the progress is cancelled; the transaction must then be rolled back.
    func cancellable(_ progress: OperationProgress?, _ body: () throws(StoreError) -> Void) throws(StoreError) {
        guard let progress else { return try body() }
        let cancellation = StoreError(
            .cancelled,
            "the program cancelled the opening of the store; nothing was changed",
            path: path
        )
        try interruptingStatements(if: { progress.isCancelled }, cancellation, body)
        if progress.isCancelled { throw cancellation }
    }

    /// Calls the progress for each row that is written from now on.
    private func countRows(for progress: OperationProgress?) {
        guard let progress else {
            sqlite3_update_hook(handle, nil, nil)
            return
        }
        sqlite3_update_hook(
            handle,
            { progress, _, _, _, _ in
                guard let progress else { return }
                Unmanaged<OperationProgress>.fromOpaque(progress).takeUnretainedValue().addUnit()
            },
            Unmanaged.passUnretained(progress).toOpaque()
        )
    }

    /// Runs a closure whose statements SQLite ends once a condition is true.
    /// - Parameters:
    ///   - isCancelled: The condition, which is evaluated often.
    ///   - cancellation: The error that is thrown instead of the error of an interrupted statement.
    func interruptingStatements<Result, Failure: Error>(
        if isCancelled: () -> Bool,
        _ cancellation: @autoclosure () -> Failure,
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var outcome: Swift.Result<Result, Failure>?
        withoutActuallyEscaping(isCancelled) { isCancelled in
            // In a batch operation within a migration, either can be cancelled.
            let outer = interruption
            setInterruption(StatementInterruption { isCancelled() || outer?.isMet() == true })
            outcome = Swift.Result { () throws(Failure) in try body() }
            setInterruption(outer)
        }
        do throws(Failure) {
            return try outcome!.get()  // The closure has run.
        } catch {
            guard let failure = error as? StoreError, failure.isForInterruption, isCancelled() else { throw error }
            throw cancellation()
        }
    }

    private func setInterruption(_ interruption: StatementInterruption?) {
        self.interruption = interruption
        guard let interruption else { return observeFetches() }
        sqlite3_progress_handler(
            handle,
            10_000,
            { interruption in
                guard let interruption else { return 0 }
                return Unmanaged<StatementInterruption>.fromOpaque(interruption).takeUnretainedValue().isMet() ? 1 : 0
            },
            Unmanaged.passUnretained(interruption).toOpaque()
        )
    }

    /// Returns a Boolean value that indicates whether a statement that writes a table runs other statements.
    func hasTriggers(onTableNamed tableName: String) throws(StoreError) -> Bool {
        var hasTriggers = false
        try withoutLogging { () throws(StoreError) in
            let statement = try statement(Self.selectTrigger)
            defer { statement.reset() }
            statement.bind(tableName, at: 1)
            hasTriggers = try statement.step()
        }
        return hasTriggers
    }

    private static let selectTrigger = SQLText(
        "SELECT 1 FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = ? COLLATE NOCASE LIMIT 1"
    )
}

/// Records the keys of the rows that a statement has updated, in the order of the updates.
private final class UpdateHookRecorder {
    private(set) var keys: [Int64] = []
    private let progress: OperationProgress?

    init(_ progress: OperationProgress?) { self.progress = progress }

    func add(_ key: Int64) {
        keys.append(key)
        progress?.addUnit()
    }
}

/// A condition that ends the running statement.
final class StatementInterruption {
    let isMet: () -> Bool

    init(_ isMet: @escaping () -> Bool) { self.isMet = isMet }
}
