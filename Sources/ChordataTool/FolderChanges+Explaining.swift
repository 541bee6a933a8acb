internal import ChordataFiles
internal import ChordataMigrationFiles
internal import ChordataModel
internal import Foundation

extension FolderChanges {
    /// Returns a text with the first difference of each file, and the command that writes the files.
    func explanation(in folder: String, repairedBy command: String) -> String {
        names.map { explanation(of: $0, in: folder) }.joined() + "remark: to update the files, run '\(command)'\n"
    }

    /// Returns a text with the first difference of a file.
    func explanation(of name: String, in folder: String) -> String {
        let (line, text) = difference(of: name, in: folder)
        guard let line else { return "error: \(folder)/\(name) \(text)\n" }
        return "\(folder)/\(name):\(line): error: the file \(text)\n"
    }

    /// Returns the line of the first difference of a file, and what is different; the line is `nil` if the whole file
    /// differs.
    func difference(of name: String, in folder: String) -> (line: Int?, text: String) {
        guard let file = written.first(where: { $0.name == name }) else { return (nil, "is no longer generated") }
        guard let contents = FileManager.default.contents(atPath: "\(folder)/\(name)") else {
            return (nil, "is missing")
        }
        let (line, found, expected) = firstDifference(String(decoding: contents, as: UTF8.self), file.contents)
        return (line, "has \(found), and 'chordata generate' writes \(expected)")
    }

    /// Returns the number of the first line in which two texts differ, counted from 1, and this line of each text.
    private func firstDifference(_ left: String, _ right: String) -> (line: Int, left: String, right: String) {
        let lines = [left, right].map { $0.split(separator: "\n", omittingEmptySubsequences: false) }
        let same = zip(lines[0], lines[1]).prefix { $0 == $1 }.count
        let pair = lines.map { $0.count > same ? $0[same].trimmingCharacters(in: .whitespaces) : nil }
        // A line can be long, so the excerpt begins shortly before the difference.
        let common = zip(pair[0] ?? "", pair[1] ?? "").prefix { $0 == $1 }.count
        let start = common > 60 ? common - 20 : 0
        func text(_ line: String?) -> String {
            guard let line else { return "no such line" }
            let excerpt = line.dropFirst(start)
            return "'\(start > 0 ? "…" : "")\(excerpt.count > 80 ? excerpt.prefix(80) + "…" : excerpt)'"
        }
        return (same + 1, text(pair[0]), text(pair[1]))
    }
}

/// Returns a word of a shell command, quoted if necessary.
func shellWord(_ word: String) -> String {
    let isPlain = word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "/._-+".contains($0)) }
    return isPlain && !word.isEmpty ? word : "'" + escape(word, with: .shell) + "'"
}
