#if canImport(FoundationEssentials)
    internal import class Foundation.Progress
#else
    internal import Foundation
#endif

/// The progress of one operation, as a child of the `Progress` that is current on the thread when the operation begins.
///
/// The thread that runs the operation updates the progress, while the thread that began the operation waits.
package final class OperationProgress: @unchecked Sendable {
    /// Operations with fewer units are too short to be reported.
    private static let minimumCount = 1_000
    private static let reportInterval = 1_000
    private let progress: Progress
    /// The current progress of the thread; only the first operation is its child.
    private let current: Progress
    private var count = 0
    /// The expected number of units; `nil` as long as it is unknown.
    private var expectedCount: Int?

    /// - Parameter expectedCount: The expected number of units, such as rows; `nil` if it is unknown.
    /// - Returns: `nil` if the thread has no current progress, or if the operation is short.
    package init?(expectedCount: Int?) {
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

    /// Adds the units of one of several stores to the expected number of units.
    func expectMore(_ count: Int) { expect((expectedCount ?? 0) + count) }

    /// Resets all counts, because the operation starts again.
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
        // An operation also writes rows that are not expected, such as rows that reference other rows, and only
        // `finish()` may complete the progress.
        progress.completedUnitCount = Int64(max(0, min(count, (expectedCount ?? .max) - 1)))
    }

    /// Reports that the operation is complete.
    package func finish() {
        // Foundation counts a progress in its parent each time that the progress becomes complete, so this must happen
        // only once.
        progress.totalUnitCount = Int64(max(expectedCount ?? count, 1))
        progress.completedUnitCount = progress.totalUnitCount
    }

    /// A Boolean value that indicates whether the program has cancelled the progress or the thread's current progress.
    var isCancelled: Bool { progress.isCancelled || current.isCancelled }

    /// - Throws: `CancellationError` if the program has cancelled the progress.
    package func checkCancellation() throws(CancellationError) { if isCancelled { throw CancellationError() } }
}
