import Chordata
import ChordataPostgres
import Foundation
import Hummingbird

// A shop as an HTTP service: `Server [STORE] [--port N]`.

/// Opens the store, or creates it: a file, or the schema `shop` on the PostgreSQL server of a connection string.
func openStore(_ store: String) throws -> PersistentContainer {
    guard store.hasPrefix("postgresql://") else { return try ShopModel.container(at: store) }
    return try PersistentContainer(model: ShopModel.definition, postgres: PostgresConfiguration(store, schema: "shop"))
}

/// Serves a shop until the program receives SIGTERM or SIGINT; requests in progress are completed first.
///
/// The container is local to the function, so that the store is closed before the program ends.
func serve(store: String, port: Int) async throws {
    let container = try openStore(store)
    let router = Router()
    router.add(middleware: StoreErrorMiddleware())
    ShopRoutes(container: container).add(to: router)
    let configuration = ApplicationConfiguration(address: .hostname("127.0.0.1", port: port))
    try await Application(router: router, configuration: configuration).runService()
}

var arguments = Array(CommandLine.arguments.dropFirst())
var port = 8080
if let index = arguments.firstIndex(of: "--port") {
    port = arguments[index...].dropFirst().first.flatMap { Int($0) } ?? -1
    arguments.removeSubrange(index..<min(index + 2, arguments.count))
}
guard arguments.count < 2, arguments.first?.hasPrefix("-") != true, UInt16(exactly: port) != nil else {
    FileHandle.standardError.write(Data("usage: Server [STORE] [--port N]\n".utf8))
    exit(64)
}
try await serve(store: arguments.first ?? "shop.sqlite", port: port)
