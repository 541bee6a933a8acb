internal import ChordataDiagnostics

/// The elements of a model file with the places of their parts.
///
/// Elements and attributes stand in two arrays in the order of the file, so that a large file costs few allocations.
final class SyntaxTree: Sendable {
    struct Name: Sendable {
        var text: String
        /// `nil` for one that model files have not been seen to use.
        var known: ModelName?
    }

    struct Element: Sendable {
        var name: Int
        var offset: UInt32
        var firstAttribute: Int
        var attributeCount: Int
        /// The first child is the element that follows; this is the one after the last descendant.
        var end: Int
    }

    struct Attribute: Sendable {
        var name: Int
        var value: String
        var offset: UInt32
        var valueOffset: UInt32
        var valueEnd: UInt32
    }

    /// What stands between elements and means nothing to a model, yet belongs to whoever wrote it.
    struct Interlude: Sendable {
        enum Kind: Sendable { case comment, instruction, text }
        var kind: Kind
        /// As it stands in the file; for text, without the space around it.
        var text: String
        /// The element that it stands before, or the end of its parent.
        var next: Int
    }

    let path: String
    let contents: [UInt8]
    let names: [Name]
    let elements: [Element]
    let attributes: [Attribute]
    /// By the number of the element that they stand in, in order; -1 is the document.
    let interludes: [Int: [Interlude]]
    private let lines: [UInt32]

    init(
        path: String,
        contents: [UInt8],
        names: [Name],
        elements: [Element],
        attributes: [Attribute],
        interludes: [Int: [Interlude]],
        lines: [UInt32]
    ) {
        self.path = path
        self.contents = contents
        self.names = names
        self.elements = elements
        self.attributes = attributes
        self.interludes = interludes
        self.lines = lines
    }

    var root: ElementSyntax { ElementSyntax(tree: self, index: 0) }

    /// The line and column of a byte.
    /// - Complexity: O(log n) in the number of lines.
    func location(_ offset: UInt32) -> SourceLocation {
        var low = 0
        var high = lines.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if lines[middle] <= offset { low = middle } else { high = middle }
        }
        return SourceLocation(
            file: path,
            line: low + 1,
            column: Int(offset - (lines.first == nil ? 0 : lines[low])) + 1
        )
    }
}
