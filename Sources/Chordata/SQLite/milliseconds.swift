/// Returns a duration in milliseconds, the unit that SQLite expects.
func milliseconds(_ time: Duration) -> Int32 {
    let (seconds, attoseconds) = time.components
    let milliseconds = seconds.multipliedReportingOverflow(by: 1_000)
    let all = milliseconds.overflow ? .max : milliseconds.partialValue + attoseconds / 1_000_000_000_000_000
    return Int32(clamping: max(0, all))
}
