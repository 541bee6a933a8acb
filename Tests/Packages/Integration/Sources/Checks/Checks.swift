import Foundation

/// Ends the program with an error unless the condition holds.
public func check(
    _ condition: Bool,
    _ message: @autoclosure () -> String = "",
    file: StaticString = #fileID,
    line: UInt = #line
) {
    if condition { return }
    FileHandle.standardError.write(Data("\(file):\(line): check failed \(message())\n".utf8))
    exit(1)
}

/// Ends the program with an error unless two values are equal.
public func checkEqual<T: Equatable>(
    _ actual: T,
    _ expected: T,
    file: StaticString = #fileID,
    line: UInt = #line
) {
    check(actual == expected, ": \(actual) is not \(expected)", file: file, line: line)
}

/// Calls a closure with a new temporary folder, which is removed at the end.
public func withTemporaryFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: "chordata-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer {
        do {
            try FileManager.default.removeItem(at: folder)
        } catch {
            FileHandle.standardError.write(Data("cannot remove \(folder.path): \(error)\n".utf8))
        }
    }
    return try body(folder)
}

/// Does the same for an asynchronous closure.
@MainActor
public func withTemporaryFolder<Result>(_ body: @MainActor (URL) async throws -> Result) async throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: "chordata-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let result = try await body(folder)
    try FileManager.default.removeItem(at: folder)
    return result
}
