internal import CChordataSQLite
internal import ChordataSQL

extension SQLiteConnection {
    /// Runs a body while foreign keys are off, and then does what they would have done to rows that refer to deleted ones.
    func applyingReferenceActions<Result>(_ body: () throws -> Result) throws -> Result {
        var hasDeleted = false
        let result = try withUnsafeMutablePointer(to: &hasDeleted) { pointer in
            sqlite3_update_hook(
                handle,
                { pointer, operation, _, _, _ in
                    if operation == SQLITE_DELETE { pointer?.assumingMemoryBound(to: Bool.self).pointee = true }
                },
                pointer
            )
            defer { sqlite3_update_hook(handle, nil, nil) }
            return try body()
        }
        if hasDeleted { try applyReferenceActions() }
        return result
    }

    /// Clears references to rows that are not there, and deletes pairs and bytes of such rows.
    func applyReferenceActions() throws(StoreError) {
        // What refers to pairs and bytes there is nothing, so one round is enough.
        let broken = try prepare("SELECT DISTINCT \"table\", \"fkid\" FROM pragma_foreign_key_check")
        var places: [(table: String, id: Int64)] = []
        while try broken.step() {
            if let table = broken.text(at: 0) { places.append((table, broken.integer(at: 1))) }
        }
        broken.reset()
        for place in places {
            let key = try prepare(
                "SELECT \"from\", \"table\", \"to\", \"on_delete\" FROM pragma_foreign_key_list(?) WHERE \"id\" = ?"
            )
            key.bind(place.table, at: 1)
            key.bind(place.id, at: 2)
            guard try key.step(), let column = key.text(at: 0), let parent = key.text(at: 1),
                let target = key.text(at: 2)
            else { continue }
            let isCascade = key.text(at: 3) == "CASCADE"
            key.reset()
            let (table, name) = (quoteIdentifier(place.table), quoteIdentifier(column))
            let condition =
                "\(name) IS NOT NULL AND \(name) NOT IN (SELECT \(quoteIdentifier(target)) FROM \(quoteIdentifier(parent)))"
            try execute(
                isCascade
                    ? "DELETE FROM \(table) WHERE \(condition)"
                    : "UPDATE \(table) SET \(name) = NULL WHERE \(condition)"
            )
        }
    }
}
