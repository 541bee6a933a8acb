import Foundation

/// How often the contestants run: `CHORDATA_BENCHMARK_ROUNDS`, or 7 times.
public let rounds = ProcessInfo.processInfo.environment["CHORDATA_BENCHMARK_ROUNDS"].flatMap { Int($0) } ?? 7

/// The one contestant that runs, so that a profiler sees nobody else: `CHORDATA_BENCHMARK_ONLY`; `nil` for all.
let onlyContestant = ProcessInfo.processInfo.environment["CHORDATA_BENCHMARK_ONLY"]

/// Runs a program's benchmarks; what they throw is told, and the program ends with 1.
public func runBenchmarks(_ body: () throws -> Void) {
    do {
        try body()
    } catch {
        FileHandle.standardError.write(Data("error: \(error)\n".utf8))
        exit(1)
    }
}
