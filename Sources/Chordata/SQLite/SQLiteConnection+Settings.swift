internal import CChordataSQLite
internal import ChordataSQL
internal import Synchronization

extension SQLiteConnection {
    /// Changes the settings of the connection.
    ///
    /// Each setting is read back, because SQLite ignores a setting of a feature that it was built without.
    func configure(_ mode: Mode) throws(StoreError) {
        // STRICT tables since 3.37, JSON functions built in since 3.38.
        guard sqlite3_libversion_number() >= 3_038_000 else {
            let version = String(cString: sqlite3_libversion())
            throw StoreError(.unsupportedEnvironment, "SQLite \(version) is too old; 3.38 is needed", path: path)
        }
        sqlite3_busy_timeout(handle, busyTimeout)
        // Debian's library has double-quoted strings on: a misspelt column would silently become a constant.
        let switches: [(name: String, option: Int32, value: Int32)] = [
            ("defensive mode", SQLITE_DBCONFIG_DEFENSIVE, 1),
            ("trusted schema", SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0),
            ("foreign keys", SQLITE_DBCONFIG_ENABLE_FKEY, 1),
            ("double-quoted strings in statements", SQLITE_DBCONFIG_DQS_DML, 0),
            ("double-quoted strings in schemas", SQLITE_DBCONFIG_DQS_DDL, 0),
            ("extension loading", SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0),
            // Readers never checkpoint: SQLite's WAL-reset bug needs two connections that do,
            // https://sqlite.org/wal.html#walresetbug.
            ("checkpoint on close", SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, mode == .readWriteCreate ? 0 : 1),
        ]
        for item in switches {
            var actual: Int32 = -1
            let result = chordata_db_config(handle, item.option, item.value, &actual)
            guard result == SQLITE_OK, actual == item.value else {
                throw StoreError(
                    .unsupportedEnvironment,
                    "SQLite \(String(cString: sqlite3_libversion())) cannot set \(item.name) to \(item.value), which Chordata needs; use another build of SQLite",
                    sqliteCode: result,
                    path: path
                )
            }
        }
        try setSupported("cell_size_check", to: 1)
        try unmapFile()
        guard sqlite3_limit(handle, SQLITE_LIMIT_FUNCTION_ARG, -1) >= SQLiteDialect.maximumColumnCount else {
            throw StoreError(
                .unsupportedEnvironment,
                "SQLite \(String(cString: sqlite3_libversion())) allows fewer than \(SQLiteDialect.maximumColumnCount) arguments of a function; use a build of SQLite with a higher SQLITE_MAX_FUNCTION_ARG",
                path: path
            )
        }
        let result = rowCalls.register(on: handle)
        guard result == SQLITE_OK else { throw error(result, during: "") }
    }

    /// Makes SQLite read the file without mapping it into memory, because an I/O error in a mapped file would crash the
    /// program.
    private func unmapFile() throws(StoreError) {
        // A database in memory has no such setting.
        guard path != ":memory:", !Self.mapsNoFiles.load(ordering: .relaxed) else { return }
        if try integer("PRAGMA mmap_size") == 0 {
            Self.mapsNoFiles.store(true, ordering: .relaxed)
        } else {
            try execute("PRAGMA mmap_size=0")
        }
    }

    /// A Boolean value that indicates whether this SQLite, like most builds, maps a file only if a connection requests
    /// it.
    private static let mapsNoFiles = Atomic(false)

    /// Sets whether this connection checkpoints the log when it is closed as the last connection.
    func setCheckpointsAtClose(_ isOn: Bool) throws(StoreError) {
        var actual: Int32 = -1
        let result = chordata_db_config(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, isOn ? 0 : 1, &actual)
        guard result == SQLITE_OK else { throw error(result, during: "") }
    }

    /// Sets whether SQL that creates tables and indexes may contain texts in double quotes, as other programs write
    /// them.
    func setDoubleQuotedTexts(_ isOn: Bool) throws(StoreError) {
        var actual: Int32 = -1
        let result = chordata_db_config(handle, SQLITE_DBCONFIG_DQS_DDL, isOn ? 1 : 0, &actual)
        guard result == SQLITE_OK else { throw error(result, during: "") }
    }

    /// Runs a closure that changes `sqlite_schema` directly; afterwards SQLite reads the schema again.
    func withSchemaWriting(_ body: () throws(StoreError) -> Void) throws(StoreError) {
        try setDefensive(false)
        do throws(StoreError) {
            try execute("PRAGMA writable_schema=ON")
            try body()
        } catch {
            try execute("PRAGMA writable_schema=RESET")
            try setDefensive(true)
            throw error
        }
        try execute("PRAGMA writable_schema=RESET")
        try setDefensive(true)
    }

    private func setDefensive(_ isOn: Bool) throws(StoreError) {
        var actual: Int32 = -1
        let result = chordata_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, isOn ? 1 : 0, &actual)
        guard result == SQLITE_OK else { throw error(result, during: "") }
    }

    /// Limits the number of bytes that the caches of the store and of the attached stores use together.
    func setCacheSize(_ count: Int) throws(StoreError) {
        // SQLite interprets a negative size as KiB, and a positive one as pages.
        let size = -Int64(max(count / 1_024 / (attachedNames.count + 1), 64))
        guard size != cacheSize else { return }
        cacheSize = size
        try setSupported("cache_size", to: size)
        for name in attachedNames { try set("\(name).cache_size", to: size) }
    }

    /// Sets a pragma that has an effect in any state of the connection, and reads it back the first time in the
    /// process, because all connections have the same pragmas.
    func setSupported(_ pragma: String, to value: Int64) throws(StoreError) {
        if Self.supportedPragmas.withLock({ $0.contains(pragma) }) { return try execute("PRAGMA \(pragma)=\(value)") }
        try set(pragma, to: value)
        Self.supportedPragmas.withLock { _ = $0.insert(pragma) }
    }

    private static let supportedPragmas = Mutex<Set<String>>([])

    /// Sets a pragma, and reads it back, because SQLite ignores the pragmas of features that it was built without.
    package func set(_ pragma: String, to value: Int64) throws(StoreError) {
        try execute("PRAGMA \(pragma)=\(value)")
        let actual = try integer("PRAGMA \(pragma)")
        guard actual == value else {
            throw StoreError(
                .unsupportedEnvironment,
                "SQLite \(String(cString: sqlite3_libversion())) cannot set PRAGMA \(pragma) to \(value); it is \(actual); use another build of SQLite",
                path: path
            )
        }
    }

    /// Runs a body that neither waits for other processes nor, at its commit, for the disk.
    func withoutWaiting<Result>(_ body: () throws -> Result) throws -> Result {
        let level = try integer("PRAGMA synchronous")
        sqlite3_busy_timeout(handle, 0)
        defer { sqlite3_busy_timeout(handle, busyTimeout) }
        // A later transaction that reaches the disk includes this one, because a write-ahead log is read from its
        // beginning.
        try execute("PRAGMA synchronous=NORMAL")
        let result: Result
        do {
            result = try body()
        } catch {
            try execute("PRAGMA synchronous=\(level)")
            throw error
        }
        try execute("PRAGMA synchronous=\(level)")
        return result
    }
}
