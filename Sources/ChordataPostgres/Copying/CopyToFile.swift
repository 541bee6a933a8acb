internal import Chordata
internal import ChordataSQL
internal import Foundation

/// Copies the store in a schema of a server to a file, which gets its name when it is complete.
struct CopyToFile {
    let definition: ModelDefinition
    let configuration: PostgresConfiguration
    let path: String
    let progress: CopyProgress
    private let tables: [CopiedTable]

    package init(
        _ definition: ModelDefinition,
        _ configuration: PostgresConfiguration,
        _ path: String,
        _ progress: CopyProgress
    ) {
        (self.definition, self.configuration, self.path) = (definition, configuration, path)
        self.progress = progress
        tables = CopiedTable.all(of: definition.model)
    }

    func run() throws(StoreError) -> StoreCopier.Outcome {
        let pool = PostgresPool(configuration)
        return try withServerStore(pool, configuration.schema, for: "a copy") { connection, metadata in
            connection.setTimeLimited(false)
            do {
                try definition.requireCurrentVersion(metadata, path: pool.place)
                for statement in tables.map(\.countOnServer) {
                    _ = try connection.execute([ServerStatement(statement)]) { _, cells in
                        if case .integer(let count) = cells[0] { progress.total += Int(count) }
                    }
                }
                let isOccupied = ["", "-wal", "-journal"].contains { FileManager.default.fileExists(atPath: path + $0) }
                if isOccupied { return try compare(metadata, connection) }
                return try copy(metadata, connection)
            } catch {
                throw copyError(error, path: path)
            }
        }
    }

    private func copy(_ metadata: StoreMetadata, _ connection: any ServerConnection) throws -> StoreCopier.Outcome {
        removeRemains()
        // Another program that copies to the same path removes this file, and the copy of this program then fails.
        let temporary = "\(path).copying-\(UUID().uuidString)"
        do {
            let counts = try write(metadata, connection, to: temporary)
            guard !FileManager.default.fileExists(atPath: path) else {
                throw occupied("another program has created the file during the copy", path: path)
            }
            do {
                try FileManager.default.moveItem(atPath: temporary, toPath: path)
            } catch {
                throw StoreError(.cannotOpen, "cannot be created: \(error.localizedDescription)", path: path)
            }
            synchronizeFolder()
            return StoreCopier.Outcome(wasComplete: false, tables: counts)
        } catch {
            try? removeStore(at: temporary)  // The first error is the one to report.
            throw error
        }
    }

    /// Writes the store to a file that has no store yet.
    private func write(_ metadata: StoreMetadata, _ connection: any ServerConnection, to temporary: String) throws
        -> [StoreCopier.Outcome.Table]
    {
        // This creates the tables; a new store needs no stages.
        var options = StoreOptions()
        options.requiresAllStages = false
        _ = try PersistentContainer(model: definition, path: temporary, options: options)
        let file = try SQLiteConnection(path: temporary, mode: .readWriteCreate)
        try file.allowTriggers(of: makeSchemaMapping(of: definition.model).fullTextIndexes)
        try file.execute("BEGIN IMMEDIATE")
        try file.execute("PRAGMA defer_foreign_keys = ON")
        progress.begin(.copying)
        for table in tables {
            _ = try connection.execute([ServerStatement(table.selectFromServer)]) { _, cells in
                try file.run(table.insertIntoFile, table.values(cells))
                progress.add(1, in: table.name)
            }
        }
        try file.run(
            "UPDATE \"_metadata\" SET \"value\" = ? WHERE \"key\" = 'storeUUID'",
            [.text(metadata.storeUUID.uuidString)]
        )
        for (key, value) in metadata.notes.sorted(by: { $0.key < $1.key }) {
            try file.run(
                "INSERT INTO \"_metadata\" (\"key\", \"value\") VALUES (?, ?)",
                [.text(StoreMetadata.key(ofNote: key)), .text(value)]
            )
        }
        _ = try connection.execute([ServerStatement("SELECT \"next\" FROM \"_sequence\" WHERE \"name\" = 'object'")]) {
            _,
            cells in
            guard case .integer(let next) = cells[0] else { return }
            try file.run("UPDATE \"_sequence\" SET \"next\" = ? WHERE \"name\" = 'object'", [.integer(next)])
        }
        try file.execute("COMMIT")
        try file.execute("BEGIN")
        let counts = try compareStores(file, connection, tables, progress)
        try file.execute("COMMIT")
        // The whole log must be transferred to the file, because the file is renamed without the log.
        guard try SQLiteCursor(file, "PRAGMA wal_checkpoint(TRUNCATE)").integer() == 0 else {
            throw StoreError(
                .busy,
                "is in use by another process, so the copy cannot be completed; try again",
                path: path
            )
        }
        return counts
    }

    /// Compares the source with the store in the file, which may be an earlier copy.
    private func compare(_ metadata: StoreMetadata, _ connection: any ServerConnection) throws -> StoreCopier.Outcome {
        let file: SQLiteConnection
        let other: StoreMetadata
        do {
            file = try openReadOnly(path)
            try file.execute("BEGIN")
            other = try readMetadata(file)
        } catch {
            throw occupied("the file exists and cannot be read as a store of Chordata", path: path)
        }
        guard other.storeUUID == metadata.storeUUID, other.versionHash == metadata.versionHash else {
            throw occupied("the file has another store", path: path)
        }
        do {
            let counts = try compareStores(file, connection, tables, progress)
            return StoreCopier.Outcome(wasComplete: true, tables: counts)
        } catch let difference as RowDifference {
            throw occupied(
                "the file has an earlier copy of this store, with other rows: \(difference.description)",
                path: path
            )
        }
    }

    /// Removes the files of copies that were not completed.
    private func removeRemains() {
        let url = URL(fileURLWithPath: path)
        let folder = url.deletingLastPathComponent().path
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for name in names where name.hasPrefix(url.lastPathComponent + ".copying-") {
            // A file that cannot be removed only uses space.
            try? FileManager.default.removeItem(atPath: folder + "/" + name)
        }
    }

    /// Waits until the new name of the file is on the disk.
    private func synchronizeFolder() {
        let descriptor = open(URL(fileURLWithPath: path).deletingLastPathComponent().path, O_RDONLY)
        guard descriptor >= 0 else { return }
        _ = fsync(descriptor)
        _ = close(descriptor)
    }
}
