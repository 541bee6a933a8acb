internal import CChordataXML
internal import ChordataDiagnostics

/// The elements of a model file with the places of their parts.
///
/// Elements and attributes stand in two arrays in the order of the file, and values stay bytes until they are asked for, so that
/// a large file costs little.
final class SyntaxTree: Sendable {
    typealias Element = chordata_xml_element
    typealias Attribute = chordata_xml_attribute

    /// What stands between elements and means nothing to a model, yet belongs to whoever wrote it.
    struct Interlude: Sendable {
        enum Kind: Sendable { case comment, instruction, text }
        var kind: Kind
        /// As it stands in the file; for text, without the space around it.
        var text: String
        /// The number of the element that starts next.
        var next: Int
    }

    let path: String
    let contents: [UInt8]
    let elements: [Element]
    let attributes: [Attribute]
    /// By the number of the element that they stand in, in order; -1 is the document.
    let interludes: [Int: [Interlude]]
    /// The names that ``ModelName`` does not have; their numbers follow its own.
    private let names: [String]
    private let lines: [UInt32]

    init(_ file: ModelSourceFile, _ document: chordata_xml_document, interludes: [Int: [Interlude]]) {
        path = file.path
        contents = file.contents
        elements = Array(UnsafeBufferPointer(start: document.elements, count: document.element_count))
        attributes = Array(UnsafeBufferPointer(start: document.attributes, count: document.attribute_count))
        lines = Array(UnsafeBufferPointer(start: document.lines, count: document.line_count))
        names = UnsafeBufferPointer(start: document.names, count: document.name_count).map { name in
            let start = Int(name.offset)
            return String(decoding: file.contents[start..<start + Int(name.length)], as: UTF8.self)
        }
        self.interludes = interludes
    }

    /// How many names there are, known and unknown.
    var nameCount: Int { ModelName.allCases.count + names.count }

    func nameText(_ number: Int) -> String {
        ModelName(rawValue: UInt16(number))?.text ?? names[number - ModelName.allCases.count]
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
        return SourceLocation(file: path, line: low + 1, column: Int(offset - lines[low]) + 1)
    }
}
