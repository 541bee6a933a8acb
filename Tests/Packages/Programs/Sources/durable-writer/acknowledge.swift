import Foundation

/// Acknowledges saves with a line, by the system call itself, because nothing may wait in a buffer.
func acknowledge(_ line: String) {
    let bytes = Array("\(line)\n".utf8)
    guard write(STDOUT_FILENO, bytes, bytes.count) == bytes.count else { exit(74) }
}

/// Ends the program because the store does not have the planned contents after any number of saves.
func failBecauseOfContents() -> Never {
    FileHandle.standardError.write(Data("the content of the store is not one of the plan\n".utf8))
    exit(65)
}
