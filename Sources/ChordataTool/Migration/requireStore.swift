internal import ArgumentParser
internal import ChordataApple
internal import Foundation

/// Ends the command if a path is not that of a Chordata store, with a message that says what the path is.
func requireStore(at path: String) throws {
    try requireStoreFile(at: path)
    if isCoreDataStore(at: path) {
        printError(
            "error: store '\(path)': this is a store of Core Data; convert it with 'chordata import', or show its contents "
                + "with 'chordata inspect'\n"
        )
        throw ExitCode(1)
    }
}

/// Ends the command if a path is not that of a file.
func requireStoreFile(at path: String) throws {
    if isConnectionString(path) {
        throw misuse(
            "this command works with stores in files; copy the store from the server to a file with 'chordata copy' first"
        )
    }
    var isFolder: ObjCBool = false
    let problem: String? =
        if !FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) {
            "there is no file at this path; correct the path"
        } else if isFolder.boolValue {
            "this is a folder, not a store; give the path of the file in it"
        } else {
            nil
        }
    guard let problem else { return }
    printError("error: store '\(path)': \(problem)\n")
    throw ExitCode(1)
}
