import Foundation

/// The number of runs of each contestant: `CHORDATA_BENCHMARK_ROUNDS`, or 7 times.
public let rounds = ProcessInfo.processInfo.environment["CHORDATA_BENCHMARK_ROUNDS"].flatMap { Int($0) } ?? 7

/// The only contestant to run, so that a profiler sees no other: `CHORDATA_BENCHMARK_ONLY`; `nil` for all.
public let onlyContestant = ProcessInfo.processInfo.environment["CHORDATA_BENCHMARK_ONLY"]

/// Runs a program's benchmarks; thrown errors are printed, and the program exits with 1.
public func runBenchmarks(_ body: () throws -> Void) {
    do {
        try body()
    } catch {
        FileHandle.standardError.write(Data("error: \(error)\n".utf8))
        exit(1)
    }
}
