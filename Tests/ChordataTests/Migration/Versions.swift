import CChordataSQLite
@_spi(Generated) import Chordata
import ChordataDiagnostics
import ChordataMigration
import ChordataModel
import Foundation
import Testing

/// The versions of a model, the last of which is the current one, with the migrations that can be inferred.
struct Versions {
    let models: [ManagedObjectModel]
    /// SQL that replaces the inferred SQL of a step, by the number of the version at which the step begins, from 1.
    var edited: [Int: String] = [:]
    /// The numbers of the versions at which steps with stages begin.
    var stages: Set<Int> = []

    init(_ models: [[EntityDescription]]) throws {
        self.models = try models.map { try ManagedObjectModel(entities: $0) }
    }

    /// Returns the definition of a program whose current version has the given number.
    func definition(upTo number: Int? = nil) throws -> ModelDefinition {
        let known = models.prefix(number ?? models.count)
        let steps = try zip(known, known.dropFirst()).enumerated().map { index, pair in
            let names = ("Shelf \(index + 1)", "Shelf \(index + 2)")
            let planned = planMigration(
                from: pair.0,
                to: pair.1,
                sourceName: names.0,
                destinationName: names.1,
                isStage: stages.contains(index + 1),
                locate: { _, _ in nil }
            )
            let plan = try #require(planned.plan, "\(planned.diagnostics.map(\.message))")
            return ModelDefinition.Migration(
                source: names.0,
                sourceHash: pair.0.versionHash,
                destination: names.1,
                destinationHash: pair.1.versionHash,
                sql: edited[index + 1] ?? renderMigration(plan),
                stage: stages.contains(index + 1)
                    ? .init(serializedSource: pair.0.serialized(), serializedDestination: pair.1.serialized()) : nil
            )
        }
        return ModelDefinition(
            name: "Shelf",
            versionName: "Shelf \(known.count)",
            model: known[known.endIndex - 1],
            migrations: steps,
            versionNames: Dictionary(
                known.enumerated().map { ($1.versionHash, "Shelf \($0 + 1)") },
                uniquingKeysWith: { first, _ in first }
            )
        )
    }

    /// Creates a store of a version with objects.
    func makeStore(_ number: Int, at path: String, _ fill: (ManagedObjectContext) throws -> Void) throws {
        let container = try PersistentContainer(model: try definition(upTo: number), path: path)
        let context = container.newContext()
        try fill(context)
        try context.save()
    }
}

/// The first column of all rows of a query as text.
func query(_ sql: String, at path: String) throws -> [String] {
    var handle: OpaquePointer?
    defer { sqlite3_close(handle) }
    try #require(sqlite3_open(path, &handle) == SQLITE_OK)
    var statement: OpaquePointer?
    try #require(sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK, "\(sql)")
    defer { sqlite3_finalize(statement) }
    var rows: [String] = []
    var result = sqlite3_step(statement)
    while result == SQLITE_ROW {
        rows.append(sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? "NULL")
        result = sqlite3_step(statement)
    }
    try #require(result == SQLITE_DONE, "\(sql): \(String(cString: sqlite3_errmsg(handle)))")
    return rows
}

/// Runs SQL as another program would.
func run(_ sql: String, at path: String) throws {
    var handle: OpaquePointer?
    defer { sqlite3_close(handle) }
    try #require(sqlite3_open(path, &handle) == SQLITE_OK)
    try #require(sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK, "\(String(cString: sqlite3_errmsg(handle)))")
}
