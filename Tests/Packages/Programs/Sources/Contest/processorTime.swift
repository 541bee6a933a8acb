import Foundation

/// Returns the CPU time that the process has used so far, in user mode and in the kernel, in seconds.
/// - Parameter ofChildren: A Boolean value that indicates whether the function returns the CPU time of the child
///   processes that have ended instead.
public func processorTime(ofChildren: Bool = false) -> Double {
    let who = ofChildren ? RUSAGE_CHILDREN : RUSAGE_SELF
    var usage = rusage()
    #if canImport(Glibc)
        getrusage(__rusage_who_t(who.rawValue), &usage)
    #else
        getrusage(who, &usage)
    #endif
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) * 1e-6 }
    return seconds(usage.ru_utime) + seconds(usage.ru_stime)
}
