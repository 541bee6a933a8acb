internal import CChordataSQLite

extension SQLiteConnection {
    /// Runs a fetch; its statements end if the program cancels the thread's current progress.
    /// - Throws: `CancellationError` if the program has cancelled the progress, and any error that the closure throws.
    @inline(__always)
    func reportingFetch<Result>(_ body: () throws -> Result) throws -> Result {
        let outer = fetchProgress
        fetchProgress = FetchProgress()
        defer { fetchProgress = outer }
        let result: Result
        do {
            result = try body()
        } catch {
            throw cancellation(for: error)
        }
        fetchProgress?.finish()
        return result
    }

    @inline(never)
    private func cancellation(for error: any Error) -> any Error {
        guard let failure = error as? StoreError, failure.isForInterruption, fetchProgress?.isCancelled == true else {
            return error
        }
        return CancellationError()
    }

    /// Makes statements of fetches end if the program cancels the thread's current progress.
    ///
    /// The statement of a long sort or search checks the progress before it has a row.
    func observeFetches() {
        sqlite3_progress_handler(
            handle,
            FetchProgress.stepInterval,
            { connection in
                guard let connection else { return 0 }
                return Unmanaged<SQLiteConnection>.fromOpaque(connection).takeUnretainedValue().endsFetch() ? 1 : 0
            },
            Unmanaged.passUnretained(self).toOpaque()
        )
    }

    private func endsFetch() -> Bool {
        fetchProgress?.begin()
        return fetchProgress?.isCancelled == true
    }
}
