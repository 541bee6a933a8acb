#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#elseif canImport(Glibc)
    import Glibc
#endif

/// How long this thread has computed: waiting for others, on a busy machine, does not count.
func threadTime() -> Duration {
    var time = timespec()
    guard clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0 else { fatalError("this thread has no clock") }
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
