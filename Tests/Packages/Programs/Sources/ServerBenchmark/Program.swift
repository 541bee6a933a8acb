import Contest
import Foundation

/// The program: measures the operations of an HTTP service on Chordata and on GRDB, without the network, or with
/// `--http` as requests to a server in the process.
///
/// `Scripts/benchmark server`, or `ServerBenchmark [--operation NAME] [--operations N] [--rounds N] [--clients N,N,…]
/// [--seed N] [--json FILE] [--http]`. With `--limits`, it measures the costs of connections and waiting saves instead.
/// The stores are in the folder for temporary files, which the variable `TMPDIR` sets; it should be on the disk to be
/// measured.
@main
struct Program {
    static func main() async {
        do {
            try await run(Options(CommandLine.arguments.dropFirst()))
        } catch let error as UsageError {
            FileHandle.standardError.write(Data("error: \(error)\n".utf8))
            exit(64)
        } catch {
            FileHandle.standardError.write(Data("error: \(error)\n".utf8))
            exit(1)
        }
    }

    private static func run(_ options: Options) async throws {
        let stores = try Stores(products: makeProducts())
        defer {
            do { try stores.removeAll() } catch { print("cannot remove the stores: \(error)") }
        }
        print("\(stores.keys.count) products, WAL, seed \(options.seed), stores in \(stores.folder.path)")
        if options.measuresLimits { return try await measureLimits(options, stores) }
        var rows = try await benchmarkOperations(options, stores)
        if options.operationKinds == ServerOperation.allCases, !options.usesHTTP {
            rows += try await benchmarkGroupCommit(options, stores)
            rows += try await benchmarkLargeSave(options, stores)
            try await benchmarkIdleContexts(options, stores)
        }
        if let path = options.jsonPath { try appendRows(rows.map(\.object), toFileAt: path) }
    }
}
