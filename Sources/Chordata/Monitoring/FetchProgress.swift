/// The progress of a synchronous fetch.
///
/// Short fetches do not look up the thread's current progress, because the lookup takes longer than reading a row.
struct FetchProgress {
    private static let reportInterval = 4_096
    /// The number of steps of SQLite's virtual machine after which a statement checks for a cancellation: they take
    /// some milliseconds.
    static let stepInterval: Int32 = 1_000_000
    private var progress: OperationProgress?

    /// Returns a Boolean value that indicates whether a fetch reports its progress at a number of rows.
    @inline(__always)
    static func reports(_ count: Int) -> Bool { count & (reportInterval - 1) == 0 }

    /// A Boolean value that indicates whether the program has cancelled the current progress of the thread.
    var isCancelled: Bool { progress?.isCancelled == true }

    /// Looks up the thread's current progress, unless a progress was found before.
    mutating func begin() { if progress == nil { progress = OperationProgress(expectedCount: nil) } }

    /// Reports the number of rows that were read.
    /// - Throws: `CancellationError` if the program has cancelled the progress.
    @inline(never)
    mutating func report(_ count: Int) throws {
        begin()
        progress?.report(count)
        try progress?.checkCancellation()
    }

    /// Reports that all rows were read.
    func finish() { progress?.finish() }
}
