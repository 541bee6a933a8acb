/// Runs a closure while a task repeatedly sleeps for one millisecond.
///
/// The task has no work, so a gap is long only if no thread of Swift's concurrency pool was available for it.
/// - Returns: The result of the closure, and the longest time between two steps of the task; the time before its first
///   step is one of them.
func measureLongestGap<Result: Sendable>(
    _ body: () async throws -> Result
) async throws -> (result: Result, longestGap: Duration) {
    let start = ContinuousClock.now
    let timer = Task.detached { await sleepAgainAndAgain(since: start) }
    defer { timer.cancel() }
    let result = try await body()
    timer.cancel()
    return (result, await timer.value)
}

private func sleepAgainAndAgain(since start: ContinuousClock.Instant) async -> Duration {
    var last = start
    var longest = Duration.zero
    var isRunning = true
    while isRunning {
        do {
            try await Task.sleep(for: .milliseconds(1))
        } catch {
            // Cancelled: the last gap is counted too.
            isRunning = false
        }
        let now = ContinuousClock.now
        longest = max(longest, now - last)
        last = now
    }
    return longest
}
