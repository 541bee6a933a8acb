internal import SwiftParser
internal import SwiftSyntax

/// The syntax tree of a source file without syntax errors.
struct ParsedFile {
    let path: String
    let bytes: [UInt8]
    let tree: SourceFileSyntax
    private let lineStarts: [Int]

    /// The reason why a file has no tree.
    enum Problem: Error {
        case encoding(offset: Int)
        case syntax(offset: Int)
        /// The parser needs too much time.
        case time
    }

    /// Parses a file.
    ///
    /// The parser recurses. Its limit in debug builds is too low for real code, so the limit of release builds applies
    /// to both, with a large stack. Its time is exponential in the depth of texts such as `[[[[a]]]]`, because an array
    /// can also be a type, so its time is limited.
    /// - Parameters:
    ///   - path: The path for reports.
    ///   - bytes: The contents.
    ///   - texts: Texts, at least one of which occurs in each file that the rules concern.
    ///   - limit: The seconds that the parser may need; by default 20 s, and 20 s more for each megabyte.
    /// - Returns: `nil` if the file contains none of the texts.
    /// - Throws: `Problem`, with its place.
    init?(path: String, bytes: [UInt8], mentioning texts: [String], limit: Double? = nil) throws(Problem) {
        self.path = path
        self.bytes = bytes
        lineStarts = splitLines(bytes).map(\.lowerBound)
        if let offset = firstInvalidByte(bytes) { throw .encoding(offset: offset) }
        guard mentions(bytes, texts) else { return nil }
        let parsed = withLargeStack(limit: limit ?? 20 * (1 + Double(bytes.count) / 1_000_000)) {
            bytes.withUnsafeBufferPointer { buffer in
                var parser = Parser(buffer, maximumNestingLevel: 256)
                return SourceFileSyntax.parse(from: &parser)
            }
        }
        guard let parsed else { throw .time }
        tree = parsed
        if tree.hasError { throw .syntax(offset: firstError(in: Syntax(tree))) }
        // Edits are ranges of bytes, so the tree must represent each byte.
        if tree.totalLength.utf8Length != bytes.count { throw .syntax(offset: 0) }
    }

    func location(_ offset: Int) -> Report.Location { Self.location(offset, lineStarts) }

    static func location(_ offset: Int, in bytes: [UInt8]) -> Report.Location {
        location(offset, splitLines(bytes).map(\.lowerBound))
    }

    private static func location(_ offset: Int, _ starts: [Int]) -> Report.Location {
        var low = 0
        var high = starts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= offset { low = middle } else { high = middle }
        }
        let start = starts.isEmpty ? 0 : starts[low]
        return Report.Location(line: low + 1, column: offset - start + 1)
    }

    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    /// The source text of a node without the whitespace and comments around it.
    func text(_ node: some SyntaxProtocol) -> String { text(range(node)) }

    /// The range of a node without the whitespace and comments around it.
    func range(_ node: some SyntaxProtocol) -> Range<Int> {
        node.positionAfterSkippingLeadingTrivia.utf8Offset..<node.endPositionBeforeTrailingTrivia.utf8Offset
    }
}

private func firstInvalidByte(_ bytes: [UInt8]) -> Int? {
    guard String(validating: bytes, as: UTF8.self) == nil else { return nil }
    var decoder = Unicode.UTF8.ForwardParser()
    var iterator = bytes.makeIterator()
    var offset = 0
    while true {
        switch decoder.parseScalar(from: &iterator) {
        case .valid(let scalar): offset += scalar.count
        case .error: return offset
        case .emptyInput: return nil
        }
    }
}

/// The place of the first part of a tree that the parser could not read or had to add.
private func firstError(in root: Syntax) -> Int {
    var node = root
    while !node.is(UnexpectedNodesSyntax.self),
        let child = node.children(viewMode: .all).first(where: { child in
            child.hasError || child.is(UnexpectedNodesSyntax.self)
                || child.as(TokenSyntax.self)?.presence == .missing
        })
    {
        node = child
    }
    return node.positionAfterSkippingLeadingTrivia.utf8Offset
}
