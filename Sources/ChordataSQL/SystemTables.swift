extension Table {
    /// The tables that Chordata keeps for itself, the same in every store.
    package static let systemTables: [Table] = [
        // What the store knows about itself: its UUID, its model's name, version and hashes.
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
}
