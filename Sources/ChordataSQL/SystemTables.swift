extension Table {
    /// The tables for Chordata's own data, which are the same in every store.
    package static let systemTables: [Table] = [
        // The store's metadata: its UUID, and the name, the version and the hashes of its model.
        Table(
            name: "_metadata",
            kind: .system,
            columns: [Column("key", .text, isNotNull: true), Column("value", .text)],
            primaryKey: ["key"]
        ),
        // The next free row identifiers.
        Table(
            name: "_sequence",
            kind: .system,
            columns: [Column("name", .text, isNotNull: true), Column("next", .integer, isNotNull: true)],
            primaryKey: ["name"]
        ),
        // The migrations that were applied.
        Table(
            name: "_migration",
            kind: .system,
            columns: [
                Column("id", .integer, isRowID: true), Column("source", .text), Column("destination", .text),
                Column("checksum", .text), Column("started", .real), Column("finished", .real),
            ]
        ),
    ]

    /// The table of the persistent history, which only stores that track their history have, with a row for each
    /// transaction.
    package static let history = Table(
        name: "_save",
        kind: .system,
        columns: [
            // The number of the transaction: the order of the commits.
            Column("id", .integer, isRowID: true),
            // The open store that has written the transaction, and the number of the transaction in that open store.
            Column("origin", .integer, isNotNull: true), Column("number", .integer, isNotNull: true),
            // In seconds since 2001-01-01 UTC.
            Column("at", .real, isNotNull: true),
            Column("author", .text), Column("context", .text),
            // A JSON object with the rows of each entity.
            Column("changes", .text, isNotNull: true),
        ]
    )
}
