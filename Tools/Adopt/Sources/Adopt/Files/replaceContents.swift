internal import Foundation

/// Replaces a file completely or not at all.
///
/// A symbolic link remains a symbolic link, and the permissions are kept.
/// - Throws: The error of the file system.
func replaceContents(of path: String, with contents: [UInt8]) throws {
    let file = URL(fileURLWithPath: path).resolvingSymlinksInPath()
    let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
    try Data(contents).write(to: file, options: .atomic)
    if let permissions = attributes[.posixPermissions] {
        try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: file.path)
    }
}
