@testable import ChordataDiagnostics
@testable import ChordataModelFile

/// Checks that the locations of elements and attributes match the text, and that elements are nested.
func checkSyntax(_ tree: SyntaxTree, of file: ModelSourceFile) {
    require(!tree.storage.pointee.elements.isEmpty, "no elements", file)
    let lines = LineTable(file.contents)
    // The ends of the open elements, and the prefixes that they declare.
    var open: [Int] = []
    var prefixes: [[String]] = []
    var nextAttribute = 0
    // The earliest possible end of the last start tag or attribute.
    var position = 0
    for (index, stored) in tree.storage.pointee.elements.enumerated() {
        let element = tree.element(index)
        let name = Array(element.nameText.utf8)
        let offset = Int(stored.offset)
        require(offset >= position, "elements overlap", file)
        require(file.contents[offset] == UInt8(ascii: "<"), "an element does not begin with '<'", file)
        require(!name.isEmpty, "an element without a name", file)
        require(file.contents[(offset + 1)...].starts(with: name), "'\(element.nameText)' is not at \(offset)", file)
        position = offset + 1 + name.count
        require(isEndOfName(file.contents[position]), "the name of '\(element.nameText)' goes on", file)
        require(lines.offset(of: element.location) == offset, "\(element.location) is not at \(offset)", file)

        let end = Int(stored.end)
        while open.last == index {
            open.removeLast()
            prefixes.removeLast()
        }
        require(end > index && end <= open.last ?? tree.storage.pointee.elements.count, "elements are not nested", file)
        require(open.isEmpty == (index == 0), "a second root", file)
        open.append(end)
        require(open.count <= SyntaxLimit.depth, "nested too deep", file)

        require(element.attributeIndices.lowerBound == nextAttribute, "attributes of no element", file)
        nextAttribute = element.attributeIndices.upperBound
        require(element.attributes.count <= SyntaxLimit.attributes, "too many attributes", file)
        for attribute in element.attributes { checkAttribute(attribute, of: file, lines, &position) }
        let names = element.attributes.map(\.nameText)
        prefixes.append(names.filter { $0.hasPrefix("xmlns:") }.map { String($0.dropFirst(6)) })
        let known = prefixes.joined() + ["xml", "xmlns"]
        for name in [element.nameText] + names {
            guard let prefix = name.split(separator: ":").first, prefix.utf8.count < name.utf8.count else { continue }
            require(known.contains(String(prefix)), "'\(prefix)' has no namespace", file)
        }
    }
    require(nextAttribute == tree.storage.pointee.attributes.count, "attributes of no element", file)
    let children = tree.storage.pointee.elements.indices.reduce(0) { sum, index in
        sum + tree.element(index).children.reduce(0) { count, _ in count + 1 }
    }
    require(children == tree.storage.pointee.elements.count - 1, "an element that is not the child of one", file)
    require(
        tree.storage.pointee.trivia.keys.allSatisfy { $0 >= -1 && $0 < tree.storage.pointee.elements.count },
        "text in no element",
        file
    )
}

private func checkAttribute(
    _ attribute: AttributeSyntax,
    of file: ModelSourceFile,
    _ lines: LineTable,
    _ position: inout Int
) {
    let stored = attribute.tree.pointee.attributes[attribute.index]
    let (offset, value, end) = (Int(stored.offset), Int(stored.value), Int(stored.value_end))
    let name = Array(attribute.nameText.utf8)
    require(offset > position && value <= end && end < file.contents.count, "places overlap", file)
    require(file.contents[position..<offset].allSatisfy(isSpace), "more than space before an attribute", file)
    require(!name.isEmpty, "an attribute without a name", file)
    require(file.contents[offset...].starts(with: name), "'\(attribute.nameText)' is not at \(offset)", file)
    let nameEnd = offset + name.count
    require(isEndOfName(file.contents[nameEnd]), "the name of '\(attribute.nameText)' goes on", file)
    let quote = file.contents[value - 1]
    require("\"'".utf8.contains(quote) && file.contents[end] == quote, "a value is not in quotes", file)
    require(
        file.contents[nameEnd..<(value - 1)].filter { !isSpace($0) } == [UInt8(ascii: "=")],
        "more than an equals sign before a value",
        file
    )
    let raw = file.contents[value..<end]
    require(!raw.contains(quote) && !raw.contains(UInt8(ascii: "<")), "a value goes on", file)
    for reference in raw.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false).dropFirst() {
        let name = String(decoding: reference.prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self)
        let isKnown = ["amp", "lt", "gt", "quot", "apos"].contains(name) || name.hasPrefix("#")
        require(isKnown, "'&\(name);' has no value", file)
    }
    require(lines.offset(of: attribute.location) == offset, "\(attribute.location) is not at \(offset)", file)
    require(lines.offset(of: attribute.valueLocation) == value, "\(attribute.valueLocation) is not at \(value)", file)
    position = end + 1

    // Each byte of the decoded value has its location in the file, in order, and so does the end.
    var last = value
    for byte in 0...attribute.value.utf8.count {
        guard let place = lines.offset(of: attribute.location(ofByte: byte)) else {
            return require(false, "byte \(byte) of a value has no place", file)
        }
        require(place >= last && place <= end, "byte \(byte) of a value is at \(place)", file)
        last = place
    }
    require(last == end, "the end of a value is at \(last)", file)
}

private func isSpace(_ byte: UInt8) -> Bool { [9, 10, 13, 32].contains(byte) }
private func isEndOfName(_ byte: UInt8) -> Bool { isSpace(byte) || "/>=".utf8.contains(byte) }
