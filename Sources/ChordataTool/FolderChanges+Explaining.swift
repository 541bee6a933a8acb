internal import ChordataFiles
internal import ChordataGeneration
internal import Foundation

extension FolderChanges {
    /// The first difference of each file, and the command that writes the files.
    func explanation(in folder: String, repairedBy command: String) -> String {
        names.map { explanation(of: $0, in: folder) }.joined() + "remark: to update the files, run '\(command)'\n"
    }

    /// The first difference of a file.
    func explanation(of name: String, in folder: String) -> String {
        let path = "\(folder)/\(name)"
        guard let file = written.first(where: { $0.name == name }) else {
            return "error: \(path) is no longer generated\n"
        }
        guard let contents = FileManager.default.contents(atPath: path) else { return "error: \(path) is missing\n" }
        let (line, found, expected) = firstDifference(String(decoding: contents, as: UTF8.self), file.contents)
        return "\(path):\(line): error: the file has \(found), and the model gives \(expected)\n"
    }

    /// The first line in which two texts differ, counted from 1, and what each has there.
    private func firstDifference(_ left: String, _ right: String) -> (line: Int, left: String, right: String) {
        let lines = [left, right].map { $0.split(separator: "\n", omittingEmptySubsequences: false) }
        let same = zip(lines[0], lines[1]).prefix { $0 == $1 }.count
        func text(_ lines: [Substring]) -> String {
            guard same < lines.count else { return "no such line" }
            let line = lines[same].trimmingCharacters(in: .whitespaces)
            return "'\(line.count > 80 ? line.prefix(80) + "…" : line)'"
        }
        return (same + 1, text(lines[0]), text(lines[1]))
    }
}

/// A word of a shell command, quoted if necessary.
func shellWord(_ word: String) -> String {
    let isPlain = word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "/._-+".contains($0)) }
    return isPlain && !word.isEmpty ? word : "'" + word.replacing("'", with: "'\\''") + "'"
}
