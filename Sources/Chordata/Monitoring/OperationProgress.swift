#if canImport(FoundationEssentials)
    internal import class Foundation.Progress
#else
    internal import Foundation
#endif

/// The progress of one operation, as a child of the `Progress` that is current on the thread when the operation begins.
///
/// The thread that runs the operation updates it, while the thread that has begun the operation waits.
final class OperationProgress: @unchecked Sendable {
    /// Operations with fewer units are too short to be reported.
    private static let minimumCount = 1_000
    private static let reportInterval = 1_000
    private let progress: Progress
    /// The current progress of the thread, whose child is only the first operation.
    private let current: Progress
    private var count = 0
    /// The expected number of units; `nil` as long as it is unknown.
    private var expectedCount: Int?

    /// - Parameter expectedCount: The expected number of units, such as rows; `nil` if it is unknown.
    /// - Returns: `nil` if the thread has no current progress, or if the operation is short.
    init?(expectedCount: Int?) {
        if let expectedCount, expectedCount < Self.minimumCount { return nil }
        guard let current = Progress.current() else { return nil }
        self.current = current
        progress = Progress(totalUnitCount: Int64(expectedCount ?? -1))
        self.expectedCount = expectedCount
    }

    /// Sets the expected number of units when it becomes known.
    func expect(_ count: Int) {
        expectedCount = count
        progress.totalUnitCount = Int64(count)
    }

    /// Adds to the expected number of units: those of one of several stores.
    func expectMore(_ count: Int) { expect((expectedCount ?? 0) + count) }

    /// Forgets all units, because the operation begins again.
    func restart() {
        (count, expectedCount) = (0, nil)
        progress.completedUnitCount = 0
        progress.totalUnitCount = -1
    }

    /// Counts one completed unit.
    func addUnit() {
        count += 1
        if count % Self.reportInterval == 0 { report(count) }
    }

    /// Reports the number of completed units.
    func report(_ count: Int) {
        self.count = max(self.count, count)
        // An operation also writes rows that are not expected, such as those that have references to others; and only
        // `finish()` may make the progress complete.
        progress.completedUnitCount = Int64(max(0, min(count, (expectedCount ?? .max) - 1)))
    }

    /// Reports that the operation is complete.
    func finish() {
        // Foundation counts a progress for its parent each time that it becomes complete, so it must do so once.
        progress.totalUnitCount = Int64(max(expectedCount ?? count, 1))
        progress.completedUnitCount = progress.totalUnitCount
    }

    /// A Boolean value that indicates whether the program has cancelled the progress or one that contains it.
    var isCancelled: Bool { progress.isCancelled || current.isCancelled }

    /// - Throws: `CancellationError` if the program has cancelled the progress.
    func checkCancellation() throws(CancellationError) { if isCancelled { throw CancellationError() } }
}
