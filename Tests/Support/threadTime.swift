#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#elseif canImport(Glibc)
    import Glibc
#endif

/// The CPU time of this thread, which does not count waiting on a busy machine.
package func threadTime() -> Duration {
    var time = timespec()
    guard clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0 else { fatalError("this thread has no clock") }
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
