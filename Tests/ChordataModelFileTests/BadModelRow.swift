import ChordataDiagnostics
import ChordataModelFile
import Foundation

/// One row of a table in `BadModels`: the files of a bundle, and the diagnostics that are expected for them.
///
///     ## title
///     !directive
///     input
///     =>
///     the rendered diagnostics
///
/// The input is the contents of the `model` element, and is enclosed in the text that Xcode writes before and after it.
/// It is the whole file if it begins with `<?xml` or is marked `!raw`. Each of several files begins with a line of its
/// own: `--- Model 2.xcdatamodel/contents` or `--- .xccurrentversion`. Marks in double braces replace bytes that a text
/// file cannot show; see ``expandMarks(_:)``.
///
/// Directives: `!raw`; `!utf16le` and `!utf16be` for the encoding of all files; `!warning` and `!remark` if no
/// diagnostic is more severe; `!errors 2` if there are two mistakes, not one; `!cascade 2` if one problem is reported
/// twice, which is a defect to fix; `!nothing` if nothing is reported, which is also a defect; `!no versions` for a
/// bundle without versions; `!unnamed` for a bundle in which no file names the current version. Without `!unnamed`, the
/// last version is the current one.
struct BadModelRow: Sendable {
    let table: String
    let title: String
    let directives: [String]
    /// The lines between the directives and `=>`.
    let input: [String]
    let expected: String

    static let bundlePath = "Model.xcdatamodeld"

    /// The files by path, in the order of the row.
    func files() throws(MarkError) -> [(path: String, contents: [UInt8])] {
        if has("!no versions") { return [] }
        var files: [(path: String, lines: [String])] = []
        for line in input {
            if line.hasPrefix("--- ") {
                files.append((String(line.dropFirst(4)), []))
            } else {
                if files.isEmpty { files.append(("contents", [])) }
                files[files.count - 1].lines.append(line)
            }
        }
        var result: [(path: String, contents: [UInt8])] = []
        for file in files {
            let path = String(decoding: try expandMarks(file.path), as: UTF8.self)
            let text = try expandMarks(file.lines.joined(separator: "\n"))
            let isWhole = has("!raw") || file.lines.first?.hasPrefix("<?xml") == true
            result.append((path, encode(isWhole ? text : wrap(text, of: path))))
        }
        if !has("!unnamed"), let file = currentVersionFile(of: result.map(\.path)) { result.append(file) }
        return result
    }

    /// Returns a file that names the last of several versions, if the row has no such file.
    private func currentVersionFile(of paths: [String]) -> (path: String, contents: [UInt8])? {
        let path = ".xccurrentversion"
        let names = paths.filter { $0.hasSuffix(Self.versionEnding) }.map { $0.dropLast(Self.versionEnding.count) }
        guard names.count > 1, !paths.contains(path),
            let last = names.max(by: { $0.compare($1, options: .numeric) == .orderedAscending })
        else { return nil }
        let text = "<dict><key>_XCCurrentVersionName</key><string>\(last).xcdatamodel</string></dict>"
        return (path, wrap(Array(text.utf8), of: path))
    }

    private static let versionEnding = ".xcdatamodel/contents"

    func source() throws(MarkError) -> ModelBundleSource {
        Self.source(try files())
    }

    static func source(_ files: [(path: String, contents: [UInt8])]) -> ModelBundleSource {
        var source = ModelBundleSource(path: bundlePath, versions: [])
        for (path, contents) in files {
            let file = ModelSourceFile(path: path, contents: contents)
            if path == ".xccurrentversion" {
                source.currentVersionFile = file
            } else {
                let name = path.hasSuffix(versionEnding) ? String(path.dropLast(versionEnding.count)) : "Model"
                source.versions.append(.init(name: name, file: file))
            }
        }
        return source
    }

    func has(_ directive: String) -> Bool { directives.contains(directive) }

    /// The highest severity that must be reported, and the number of its diagnostics.
    ///
    /// The severity is `nil` if nothing must be reported, and the number is `nil` if it does not matter.
    var expectedSeverity: (severity: Diagnostic.Severity?, count: Int?) {
        if has("!nothing") { return (nil, nil) }
        if has("!warning") { return (.warning, nil) }
        if has("!remark") { return (.remark, nil) }
        let count = directives.compactMap { directive in
            ["!errors ", "!cascade "].first { directive.hasPrefix($0) }.flatMap { Int(directive.dropFirst($0.count)) }
        }
        return (.error, count.first ?? 1)
    }

    private func wrap(_ text: [UInt8], of path: String) -> [UInt8] {
        let (head, end) =
            path == ".xccurrentversion"
            ? (
                """
                <?xml version="1.0" encoding="UTF-8"?>
                <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
                <plist version="1.0">

                """, "\n</plist>\n"
            )
            : (
                """
                <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
                <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="23605">

                """, "\n</model>"
            )
        return Array(head.utf8) + text + Array(end.utf8)
    }

    private func encode(_ text: [UInt8]) -> [UInt8] {
        let isBigEndian = has("!utf16be")
        guard isBigEndian || has("!utf16le") else { return text }
        return String(decoding: text, as: UTF8.self).utf16.flatMap { unit in
            let bytes = [UInt8(unit & 0xFF), UInt8(unit >> 8)]
            return isBigEndian ? bytes.reversed() : bytes
        }
    }
}
