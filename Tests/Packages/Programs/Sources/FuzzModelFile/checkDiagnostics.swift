import Foundation

@testable import ChordataDiagnostics
@testable import ChordataModelFile

/// Checks that diagnostics, their notes and fixes have locations in one of the files, and can be rendered in both
/// formats.
func checkDiagnostics(_ diagnostics: [Diagnostic], in files: [ModelSourceFile]) {
    let tables = Dictionary(uniqueKeysWithValues: files.map { ($0.path, ($0, LineTable($0.contents))) })
    func requirePlace(_ location: SourceLocation?, _ diagnostic: Diagnostic) {
        guard let location, let (file, lines) = tables[location.file] else {
            return require(false, "a diagnostic without a place in a file: \(diagnostic)")
        }
        guard let offset = lines.offset(of: location) else {
            return require(false, "a place outside of the file: \(diagnostic)", file)
        }
        let isText = String(validating: file.contents, as: UTF8.self) != nil
        require(!isText || lines.isBoundary(offset), "a place inside of a character: \(diagnostic)", file)
    }
    for diagnostic in diagnostics {
        requirePlace(diagnostic.location, diagnostic)
        for note in diagnostic.notes { requirePlace(note.location, diagnostic) }
        for fixIt in diagnostic.fixIts { requirePlace(fixIt.location, diagnostic) }
        checkText(diagnostic)
    }
    require(diagnostics.sortedByLocation() == diagnostics, "diagnostics are not sorted")
    checkJSON(diagnostics)
}

/// Checks that each part is one line, whatever names it contains.
private func checkText(_ diagnostic: Diagnostic) {
    let messages = [diagnostic.message] + diagnostic.notes.map(\.message) + diagnostic.fixIts.map(\.message)
    require(messages.allSatisfy { !$0.isEmpty }, "an empty message: \(diagnostic)")
    let text = renderText([diagnostic])
    let breaks = text.unicodeScalars.count { "\n\u{B}\u{C}\r\u{85}\u{2028}\u{2029}".unicodeScalars.contains($0) }
    require(breaks == messages.count && text.last == "\n", "not one line each: \(text)")
    let first = text.prefix { $0 != "\n" }
    require(first.hasSuffix(" [\(diagnostic.id.rawValue)]"), "no identifier at the end: \(text)")
}

private func checkJSON(_ diagnostics: [Diagnostic]) {
    let text = renderJSON(diagnostics)
    let object = try? JSONSerialization.jsonObject(with: Data(text.utf8))
    guard let items = (object as? [String: Any])?["diagnostics"] as? [[String: Any]] else {
        return require(false, "not JSON: \(text)")
    }
    require(items.count == diagnostics.count, "too many or too few diagnostics in JSON: \(text)")
    for (item, diagnostic) in zip(items, diagnostics) {
        let message = item["message"] as? String ?? ""
        require(areIdentical(message, diagnostic.message), "another message in JSON: \(text)")
        require((item["fixIts"] as? [Any])?.count == diagnostic.fixIts.count, "fixes are missing in JSON: \(text)")
        require((item["notes"] as? [Any])?.count == diagnostic.notes.count, "notes are missing in JSON: \(text)")
    }
}

/// Checks that a fix replaces the whole value of an attribute, leaves valid XML, and removes its diagnostic.
func checkFixIts(_ diagnostics: [Diagnostic], in file: ModelSourceFile) {
    let lines = LineTable(file.contents)
    for diagnostic in diagnostics {
        for fixIt in diagnostic.fixIts {
            guard let start = lines.offset(of: fixIt.location) else { continue }
            let end = start + fixIt.length
            guard start > 0, fixIt.length >= 0, end < file.contents.count else {
                require(false, "a fix outside of the file: \(fixIt)", file)
                continue
            }
            let quote = file.contents[start - 1]
            require(
                "\"'".utf8.contains(quote) && file.contents[start..<end].firstIndex(of: quote) == nil
                    && file.contents[end] == quote,
                "a fix that is not of a value: \(fixIt)",
                file
            )
            var corrected = file
            corrected.contents.replaceSubrange(start..<end, with: fixIt.replacement.utf8)
            if case .failure(let failure) = parseSyntax(corrected) {
                require(false, "not XML after the fix: \(fixIt)\n\(failure.diagnostic)", file)
            }
            let left = readModel(corrected, versionName: "Model").diagnostics
            require(
                // A composite with this name may contain itself, which is another mistake of the same kind.
                diagnostic.id == .unknownComposite
                    || !left.contains { $0.id == diagnostic.id && $0.location == diagnostic.location },
                "fixed and still wrong: \(fixIt)",
                file
            )
        }
    }
}
