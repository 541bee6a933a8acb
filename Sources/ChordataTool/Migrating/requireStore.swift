internal import ArgumentParser
internal import Chordata
internal import ChordataSQL
internal import Foundation

/// Ends the command where a path is not a store of Chordata, with a description of what it is.
func requireStore(at path: String) throws {
    var isFolder: ObjCBool = false
    let problem: String? =
        if !FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) {
            "there is no such file"
        } else if isFolder.boolValue {
            "this is a folder, not a store; give the path of the file in it"
        } else if isCoreDataStore(path) {
            "this is a Core Data store, which Chordata cannot read"
        } else {
            nil
        }
    guard let problem else { return }
    printError("error: store '\(path)': \(problem)\n")
    throw ExitCode(1)
}

/// Returns a Boolean value that indicates whether Core Data has made a store.
private func isCoreDataStore(_ path: String) -> Bool {
    do throws(StoreError) {
        let connection = try SQLiteConnection(path: path, mode: .readOnly)
        return try !connection.rows("SELECT 1 FROM sqlite_schema WHERE \"name\" = 'Z_METADATA'").isEmpty
    } catch {
        return false  // Opening it says why it cannot be read.
    }
}
