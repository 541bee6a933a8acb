@testable import ChordataDiagnostics
@testable import ChordataModel
@testable import ChordataModelFile

/// Checks that formatting loses nothing, does not change what is read, and does nothing the second time.
func checkFormat(of file: ModelSourceFile, _ version: ModelVersion?, _ diagnostics: [Diagnostic]) {
    let (contents, problems) = formatModel(file)
    require((contents == nil) == problems.hasErrors, "formatted and errors, or neither", file)
    checkDiagnostics(problems, in: [file])
    guard let contents else { return }
    let formatted = ModelSourceFile(path: file.path, contents: contents)
    let twice = formatModel(formatted).contents
    require(twice == contents, "formatted in another way the second time:\n\(text(twice))\nafter", formatted)

    guard case .success(let before) = parseSyntax(file), case .success(let after) = parseSyntax(formatted) else {
        return require(false, "formatted and not XML any more", formatted)
    }
    require(parts(of: before) == parts(of: after), "lost when formatted to\n\(text(contents))\nfrom", file)
    require(outline(before) == outline(after), "moved when formatted to\n\(text(contents))\nfrom", file)

    let read = readModel(formatted, versionName: "Model")
    require(read.version?.model == version?.model, "another model when formatted to\n\(text(contents))\nfrom", file)
    require(
        messages(read.diagnostics) == messages(diagnostics),
        "\(read.diagnostics)\ninstead of\n\(diagnostics)\nwhen formatted to\n\(text(contents))\nfrom",
        file
    )
}

private func text(_ contents: [UInt8]?) -> String { contents.map { String(decoding: $0, as: UTF8.self) } ?? "nothing" }

private func messages(_ diagnostics: [Diagnostic]) -> [[UInt8]] {
    sorted(diagnostics.map { "\($0.id.rawValue) \($0.message)" })
}

/// Returns sorted texts as bytes, because strings with different bytes can be equal.
private func sorted(_ texts: [String]) -> [[UInt8]] {
    texts.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
}

/// Returns all elements with their attributes, and all comments, instructions and texts.
private func parts(of tree: SyntaxTree) -> [[UInt8]] {
    let elements = tree.storage.pointee.elements.indices.map { start(of: tree.element($0)) }
    return sorted(elements + tree.storage.pointee.trivia.values.joined().map { description(of: $0) })
}

/// Returns the nested elements, grouped by name, with the contents before each of them.
private func outline(_ tree: SyntaxTree) -> [UInt8] {
    let outside = tree.storage.pointee.trivia[SyntaxTree.document, default: []].map {
        ($0.next == 0 ? "before " : "behind ") + description(of: $0)
    }
    return Array((outside.joined(separator: "\n") + "\n" + outline(tree.root)).utf8)
}

private func outline(_ element: ElementSyntax) -> String {
    let children = Array(element.children)
    var groups: [String: [String]] = [:]
    for child in children {
        let before = element.trivia.filter { $0.next == child.index }.map { description(of: $0) }
        groups[child.nameText, default: []].append((before + [outline(child)]).joined(separator: "\n"))
    }
    let indices = Set(children.map(\.index))
    let behind = element.trivia.filter { !indices.contains($0.next) }.map { description(of: $0) }
    let parts =
        [start(of: element)] + groups.sorted { precedes($0.key, $1.key) }.flatMap(\.value) + behind + ["end"]
    return parts.joined(separator: "\n")
}

private func start(of element: ElementSyntax) -> String {
    let attributes = element.attributes.map { ($0.nameText, "\($0.nameText)=\($0.value.debugDescription)") }
    return ([element.nameText] + attributes.sorted { precedes($0.0, $1.0) }.map(\.1)).joined(separator: " ")
}

private func description(of piece: SyntaxTree.Trivia) -> String {
    "\(piece.kind) \(piece.text.debugDescription)"
}
