import Chordata
import ChordataModel
import ChordataTestSupport
import Foundation
import Testing

/// Two processes that write to one store: the lists of one follow the transactions of the other (H6).
struct RemoteProcessTests {
    /// The model of the program, version 1.
    private static func definition() throws -> ModelDefinition {
        ModelDefinition(
            name: "M",
            versionName: "1",
            model: try ManagedObjectModel(entities: [
                EntityDescription(
                    name: "Person",
                    attributes: [
                        AttributeDescription(name: "name", attributeType: .string),
                        AttributeDescription(name: "number", attributeType: .integer64),
                    ]
                )
            ])
        )
    }

    /// Two processes insert, update and delete objects of one store at the same time, and each has a list.
    ///
    /// When both have finished, each list equals a fresh fetch.
    ///
    /// `CHORDATA_REMOTE_PROCESSES` is the number of rounds with 40 saves, and `CHORDATA_SEED` is the first seed.
    @Test(.timeLimit(.minutes(5))) func listsFollowOtherProcesses() async throws {
        let rounds = setting("CHORDATA_REMOTE_PROCESSES", small: 3)
        let seed = setting("CHORDATA_SEED", small: UInt64(1))
        print("seed \(seed), \(rounds) rounds of two processes")
        try await withWorkspace { workspace in
            let path = workspace.path("m.sqlite")
            let program = try Program.find("migrating-program")
            func run(_ name: String, with other: String, seed: UInt64) async throws -> Program.Result {
                try await Program.run(
                    program,
                    [path, "--together", name, other, "\(rounds)", "\(seed)"],
                    in: workspace.folder
                )
            }
            // Both open the store, or create it, at the same time.
            async let second = run("B", with: "A", seed: seed + 1)
            let first = try await run("A", with: "B", seed: seed)
            for (name, result) in try await [("A", first), ("B", second)] {
                expectEqual(result.exitCode, 0, "seed \(seed), process \(name): \(result.errors)")
            }
            try await expectEqual(first.output, second.output)
            let context = try PersistentContainer(model: try Self.definition(), path: path).newContext()
            let request = try FetchRequest<ManagedObject>(entityName: "Person").where(format: "number >= 0")
            let people = try context.fetch(request.sorted(by: "number").sorted(by: "name"))
            let listed = first.output.split(separator: "\n").compactMap { $0.split(separator: " ").first }
            expectEqual(people.map(\.objectID.uriRepresentation), listed.map(String.init))
            // Each process saves 20 times in each round, and sets two marks.
            #expect(try context.execute(.fetchHistory(after: nil)).count > rounds * 30)
        }
    }
}
