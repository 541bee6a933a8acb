internal import Foundation

/// Returns the bytes of a regular file up to a limit; `nil` if there is no such file, or if it cannot be read.
///
/// Folders, pipes and devices are not regular files: a read of a pipe or a device may never end.
/// - Parameter followsLinks: A Boolean value that indicates whether links are followed.
func readRegularFile(at path: String, followsLinks: Bool, limit: Int) -> Data? {
    let file = followsLinks ? URL(fileURLWithPath: path).resolvingSymlinksInPath().path : path
    let isRegular =
        (try? FileManager.default.attributesOfItem(atPath: file))?[.type] as? FileAttributeType == .typeRegular
    guard isRegular, let handle = FileHandle(forReadingAtPath: file) else { return nil }
    // Errors of opening and of reading are not distinguished.
    return try? handle.read(upToCount: limit) ?? Data()
}

/// Returns a Boolean value that indicates whether a generated file already has given contents.
///
/// Links are not followed, because their targets are not generated files.
func hasContents(_ contents: Data, at path: String) -> Bool {
    readRegularFile(at: path, followsLinks: false, limit: contents.count + 1) == contents
}
