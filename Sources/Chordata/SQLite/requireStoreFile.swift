internal import CChordataSQLite
internal import ChordataSQL

// A file that is not a store is recognized before SQLite may write to it. SQLite itself treats a file of one byte as an
// empty database, plays back or deletes a journal beside any database, and waits for the other end of a pipe.
//
// The file is never opened except by SQLite: closing another descriptor would release the locks that the process has on
// it (https://sqlite.org/howtocorrupt.html#_posix_advisory_locks_canceled_by_a_separate_thread_doing_close_).

/// Throws if a path does not name a file that SQLite may open or create.
func requireDatabasePath(_ path: String) throws(StoreError) {
    if path == ":memory:" { return }
    if path.isEmpty {
        throw StoreError(.cannotOpen, "the path is empty; give the path of a file, or ':memory:'")
    }
    if path.utf8.contains(0) {
        let message = "the path contains a NUL character; give a path without it"
        throw StoreError(.cannotOpen, message, path: path)
    }
    switch chordata_kind_of_file(path) {
    case CHORDATA_FILE_DIRECTORY:
        throw StoreError(.cannotOpen, "is a directory; give the path of a file in it", path: path)
    case CHORDATA_FILE_SPECIAL:
        throw StoreError(.cannotOpen, "is a pipe, a socket or a device; give the path of a file", path: path)
    default: break  // A regular file, or none; an enumeration of C has other values too.
    }
    // A database begins with a header of 100 bytes; a file of one byte is the only shorter one that SQLite overwrites.
    if chordata_file_size(path) == 1 {
        throw StoreError(
            notADatabase:
                "is a file of one byte, which is not an SQLite database; give the path of a store, or remove the file; nothing was changed",
            path: path
        )
    }
}

/// Throws if a file is not a database, or is the database of another program; does not take part in its transactions.
///
/// A database without tables passes, because its tables may be in a log; so does a database that cannot be read without
/// the files next to it.
/// - Parameters:
///   - allowsDamage: Whether a database that is damaged passes too.
///   - opens: Whether the caller opens the database and reads its metadata. In this case, a database that this process
///     has open as a store passes.
func requireNoForeignDatabase(_ path: String, allowsDamage: Bool = false, beforeOpening opens: Bool = false)
    throws(StoreError)
{
    try requireDatabasePath(path)
    guard path != ":memory:", chordata_file_size(path) > 0 else { return }
    if opens, OpenStores.contains(FileIdentity(path)) { return }
    var names: [String] = []
    // If another process was writing at the first attempt, it has finished by the second attempt, or its log exists.
    for isLast in [false, true] {
        do throws(StoreError) {
            names = try namesInSchema(path)
            break
        } catch {
            if mayBeUnfinished(path, error) || allowsDamage && error.isForDamage { return }
            if isLast { throw error }
        }
    }
    let own = Set(Table.systemTables.map(\.name))
    if names.contains("Z_PRIMARYKEY"), names.contains("Z_METADATA") { throw coreDataStore(path) }
    if !names.isEmpty, own.isDisjoint(with: names) { throw foreignDatabase(path) }
}

/// Returns the names of a database's tables and indexes, read from its file alone; for a store, at least the name of
/// one of its system tables.
private func namesInSchema(_ path: String) throws(StoreError) -> [String] {
    // Usually the first page contains the schema, and searching this page is faster than a connection and a statement,
    // for which SQLite reads the schema.
    if SQLiteConnection.beginsAsStore(path) { return ["_metadata"] }
    let connection = try SQLiteConnection(path: path, mode: .immutable, isConfigured: false)
    let statement = try connection.prepare("SELECT \"name\" FROM sqlite_schema")
    var names: [String] = []
    while try statement.step() { names.append(statement.text(at: 0) ?? "") }
    return names
}

/// Returns a Boolean value that indicates whether a database may be readable with the log or the journal beside it.
///
/// A file that does not begin like a database is not one, regardless of the files next to it. The exception is a file
/// whose first page was not written: with its journal, SQLite undoes the transaction that created it.
private func mayBeUnfinished(_ path: String, _ error: StoreError) -> Bool {
    let file = realPath(path)
    if error.isForAnotherFile {
        guard chordata_is_journal(file + "-journal") != 0 else { return false }
        let connection = try? SQLiteConnection(path: path, mode: .immutable, isConfigured: false)
        return connection.map { chordata_begins_with_zeros($0.handle) != 0 } ?? false
    }
    return !isEmptyOrMissing(file + "-wal") || !isEmptyOrMissing(file + "-journal")
}

/// The error for a store of Core Data.
private func coreDataStore(_ path: String) -> StoreError {
    StoreError(
        .notAChordataStore,
        "is a store of Core Data; convert it with 'chordata import' or importStore(at:to:model:) of the module ChordataApple, "
            + "or open it for reading with PersistentContainer(model:appleStore:) of that module; nothing was changed",
        path: path
    )
}

/// The error for the database of another program.
func foreignDatabase(_ path: String) -> StoreError {
    StoreError(
        .notAChordataStore,
        "is an SQLite database, but not a store of Chordata; nothing was changed",
        path: path
    )
}

/// The error for a database without tables.
///
/// A store that is open has its tables in the log, until a checkpoint moves them to the file.
func databaseWithoutTables(_ path: String) -> StoreError {
    let name = path.split(separator: "/").last ?? ""
    return StoreError(
        .notAChordataStore,
        "is an SQLite database without tables; if it is a copy of a store, copy '\(name)-wal' with it, or make the copy with PersistentStore.backUp(to:); nothing was changed",
        path: path
    )
}
