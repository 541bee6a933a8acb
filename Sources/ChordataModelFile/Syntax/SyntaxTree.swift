internal import CChordataXML
internal import ChordataDiagnostics

/// The elements of a model file, with the locations of their parts.
///
/// Elements and attributes are stored in two arrays in the order of the file, and values are decoded on demand, so that
/// a large file costs little.
///
/// The tree is Sendable without a lock because it is immutable.
final class SyntaxTree: @unchecked Sendable {
    /// Contents between elements that have no meaning in a model, but belong to the author of the file.
    struct Trivia: Sendable {
        enum Kind: Sendable { case comment, instruction, text }
        var kind: Kind
        /// The text in the file; for text content, without the surrounding whitespace.
        var text: String
        /// The index of the next element.
        var next: Int
    }

    /// The storage that elements refer to.
    ///
    /// Elements refer to it by a pointer, because reference counting for each element would take most of the time for a
    /// large file. The user of elements must retain the tree.
    struct Storage {
        let path: String
        fileprivate(set) var document: chordata_xml_document
        /// The contents of the file, in memory that does not move: reference counting would cost more than the reads.
        let contents: UnsafeBufferPointer<UInt8>
        /// The trivia in order, by the index of the enclosing element, or by ``SyntaxTree/document``.
        let trivia: [Int: [Trivia]]
        /// The names that are not in ``ModelName``; their numbers follow its raw values.
        fileprivate let names: [String]

        var elements: UnsafeBufferPointer<chordata_xml_element> {
            UnsafeBufferPointer(start: document.elements, count: document.element_count)
        }

        var attributes: UnsafeBufferPointer<chordata_xml_attribute> {
            UnsafeBufferPointer(start: document.attributes, count: document.attribute_count)
        }

        /// The number of names, known and unknown.
        var nameCount: Int { ModelName.allCases.count + names.count }

        func nameText(_ number: Int) -> String {
            ModelName(rawValue: UInt16(number))?.text ?? names[number - ModelName.allCases.count]
        }

        /// Returns the line and column of a byte.
        /// - Complexity: O(log n) in the number of lines.
        func location(_ offset: UInt32) -> SourceLocation {
            let lines = UnsafeBufferPointer(start: document.lines, count: document.line_count)
            var low = 0
            var high = lines.count
            while high - low > 1 {
                let middle = (low + high) / 2
                if lines[middle] <= offset { low = middle } else { high = middle }
            }
            return SourceLocation(file: path, line: low + 1, column: Int(offset - lines[low]) + 1)
        }
    }

    /// The key of the contents outside of the root element.
    static let document = -1

    private let owned: UnsafeMutablePointer<Storage>

    var storage: UnsafePointer<Storage> { UnsafePointer(owned) }

    /// - Parameter document: The result of scanning the file, which the tree frees.
    init(_ file: ModelSourceFile, _ document: chordata_xml_document, trivia: [Int: [Trivia]]) {
        let names = UnsafeBufferPointer(start: document.names, count: document.name_count).map { name in
            String(decoding: file.contents[Int(name.offset)..<Int(name.offset + name.length)], as: UTF8.self)
        }
        let contents = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: file.contents.count)
        _ = contents.initialize(from: file.contents)
        owned = .allocate(capacity: 1)
        owned.initialize(
            to: Storage(
                path: file.path,
                document: document,
                contents: UnsafeBufferPointer(contents),
                trivia: trivia,
                names: names
            )
        )
    }

    deinit {
        chordata_xml_free(&owned.pointee.document)
        owned.pointee.contents.deallocate()
        owned.deinitialize(count: 1)
        owned.deallocate()
    }

    var root: ElementSyntax { element(0) }

    func element(_ index: Int) -> ElementSyntax { ElementSyntax(tree: storage, index: index) }
}
