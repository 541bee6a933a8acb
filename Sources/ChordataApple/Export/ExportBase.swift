internal import Chordata
internal import ChordataSQL

/// The states of a store of Core Data that match the contents of a store of Chordata.
///
/// The store keeps them in its metadata: the state of the import, or the state after the last export. While an export
/// replaces its target, both states are valid, so that an export that is killed at that moment can be repeated.
struct ExportBase {
    private static let key = "coreDataState"

    var states: [String]

    init(_ states: [String]) { self.states = states }

    /// Reads the states of a store; none if it was not imported.
    init(readingFrom connection: SQLiteConnection) throws {
        let rows = try connection.rows("SELECT \"value\" FROM \"_metadata\" WHERE \"key\" = ?", [.text(Self.key)])
        states = rows.first?.first?.text?.split(separator: "\n").map(String.init) ?? []
    }

    func write(to connection: SQLiteConnection) throws {
        try connection.run(
            "INSERT OR REPLACE INTO main.\"_metadata\" (\"key\", \"value\") VALUES (?, ?)",
            [.text(Self.key), .text(states.joined(separator: "\n"))]
        )
    }
}
