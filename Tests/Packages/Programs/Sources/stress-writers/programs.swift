import Chordata
import Foundation
import Harness
import Synchronization

/// Creates the store, with the counter and an account for each client.
func createStore(_ files: Files) throws {
    let context = try LedgerModel.container(at: files.store).newContext()
    _ = Counter(context: context, value: 0)
    for client in Role.allCases.flatMap(\.clients) { _ = Account(context: context, client: Int64(client), last: 0) }
    try context.save()
}

/// Runs the clients of a program until SIGTERM.
func work(_ role: Role, seed: UInt64, _ files: Files) async throws {
    hasEnded.store(false, ordering: .relaxed)  // A signal handler must not initialize it.
    signal(SIGTERM) { _ in hasEnded.store(true, ordering: .relaxed) }
    let container = try LedgerModel.container(at: files.store)
    let clients = try role.clients.map { try Client($0, container, files) }
    try await withThrowingTaskGroup { group in
        for client in clients {
            let random = RandomSource(seed: seed, stream: UInt64(client.number))
            group.addTask { try await client.work(random) { hasEnded.load(ordering: .relaxed) } }
        }
        try await group.waitForAll()
    }
}

/// A Boolean value that indicates whether the program was asked to end.
private let hasEnded = Atomic(false)
