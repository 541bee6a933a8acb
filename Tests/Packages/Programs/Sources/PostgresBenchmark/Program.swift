import CBarePostgres
import Contest
import Foundation

/// The program: compares Chordata on PostgreSQL with a program that calls libpq, on the same server.
///
/// `Scripts/benchmark postgres`, or `PostgresBenchmark [--rows N] [--scale] [--rounds N] [--workload NAME]
/// [--json FILE] CONNECTION-STRING`. The server must be one that `Scripts/postgres` has started, because its settings
/// are changed. With `CHORDATA_BENCHMARK_ONLY=chordata`, a profiler sees no other contestant.
@main
struct Program {
    static func main() {
        do {
            let options = try Options(CommandLine.arguments.dropFirst())
            runBenchmarks { try run(options) }
        } catch {
            FileHandle.standardError.write(Data("error: \(error)\n".utf8))
            exit(64)
        }
    }

    private static func run(_ options: Options) throws {
        let administrator = try BareConnection(options.connectionString)
        // A server that cleans up tables at any time disturbs the measurement.
        try administrator.execute("ALTER SYSTEM SET autovacuum = off")
        _ = try administrator.text("SELECT pg_reload_conf()::text")
        let version = try administrator.text("SHOW server_version")
        let fsync = try administrator.text("SHOW fsync")
        let commit = try administrator.text("SHOW synchronous_commit")
        print("PostgreSQL \(version), fsync=\(fsync), synchronous_commit=\(commit), libpq \(bare_libVersion())")
        for workload in options.workloads { print("  \(workload.rawValue): \(workload.title)") }
        var results: [[ComparisonResult]] = []
        for size in options.sizes {
            let stores = try Stores(Sample(playerCount: size), options.connectionString)
            print("\n\(size) players, \(stores.sample.teamCount) teams, median of \(options.rounds)")
            print(ComparisonResult.header)
            results.append(
                try options.workloads.map { workload in
                    try administrator.execute("CHECKPOINT")
                    let result = try workload.comparison(stores).run(rounds: options.rounds)
                    print(result.row)
                    // A file of the output shows the progress of a long run.
                    fflush(nil)
                    return result
                }
            )
            try stores.remove()
        }
        if results.count > 1 { printGrowth(Array(results.suffix(2)), Array(options.sizes.suffix(2))) }
        if let path = options.jsonPath { try appendRows(results.flatMap { $0.map(\.object) }, toFileAt: path) }
        if options.workloads == Workload.allCases { print(try pgbenchFigures(options.connectionString)) }
    }
}
