internal import Chordata
internal import ChordataSQL

/// Compares each row of a store in a file with its row on a server.
/// - Parameters:
///   - file: The store in a file, within a transaction.
///   - server: A connection within a transaction whose search path begins with the schema of the store.
///   - path: The path that an error has.
/// - Returns: The number of rows of each table.
/// - Throws: ``RowDifference`` for the first row that differs.
func compareStores(
    _ file: SQLiteConnection,
    _ server: any ServerConnection,
    _ tables: [CopiedTable],
    _ progress: CopyProgress
) throws -> [StoreCopier.Outcome.Table] {
    progress.begin(.comparing)
    var counts: [StoreCopier.Outcome.Table] = []
    for table in tables {
        var count = 0
        let cursor = try SQLiteCursor(file, table.selectFromFile)
        _ = try server.execute([ServerStatement(table.selectFromServer)]) { _, cells in
            let other = table.values(cells)
            guard let row = try cursor.next() else {
                throw RowDifference(description: "\(table.words(other)) is only on the server")
            }
            if let column = table.differentColumn(row, other) {
                throw RowDifference(description: "column '\(column)' in \(table.words(row)) differs")
            }
            count += 1
            progress.add(1, in: table.name)
        }
        if let row = try cursor.next() {
            throw RowDifference(description: "\(table.words(row)) is not on the server")
        }
        counts.append(.init(name: table.name, rowCount: count))
    }
    return counts
}

/// A description of the first difference between two stores, without values.
struct RowDifference: Error {
    let description: String
}

/// Returns the store error for an error of a copy.
/// - Parameter path: The location of the copy.
func copyError(_ error: any Error, path: String) -> StoreError {
    switch error {
    case let error as StoreError: error
    case let failure as ServerFailure: failure.error
    case let difference as RowDifference:
        StoreError(
            .statementFailed,
            "the copy differs from the store: \(difference.description); the copy was discarded",
            path: path
        )
    default: preconditionFailure("an unexpected error of a copy: \(error)")
    }
}

/// Returns the error for a target whose contents differ from the source.
func occupied(_ reason: String, path: String) -> StoreError {
    StoreError(
        .cannotOpen,
        "\(reason); copy to a path without a file, or to a schema without tables; nothing was copied",
        path: path
    )
}
