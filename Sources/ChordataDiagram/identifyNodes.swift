/// Assigns every entity an identifier that the language of a diagram accepts without quotes: its name, if possible.
/// - Parameter isReserved: Returns whether a word is reserved in the language.
func identifyNodes(_ nodes: [ModelGraph.Node], isReserved: (String) -> Bool) -> [String] {
    let names = Set(nodes.map(\.name))
    return nodes.enumerated().map { index, node in
        if isPlainIdentifier(node.name), !isReserved(node.name) { return node.name }
        var identifier = "entity\(index)"
        while names.contains(identifier) { identifier += "x" }
        return identifier
    }
}

/// Returns a Boolean value that indicates whether a text is an ASCII letter and then ASCII letters, digits and
/// underscores.
private func isPlainIdentifier(_ text: String) -> Bool {
    guard let first = text.utf8.first, isLetter(first) else { return false }
    return text.utf8.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) || $0 == 0x5F }
}

private func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
