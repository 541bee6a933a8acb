internal import CChordataXML
internal import ChordataDiagnostics

/// The elements of a model file with the places of their parts.
///
/// Elements and attributes are in two arrays in the order of the file, and values stay bytes until they are asked for,
/// so that a large file costs little.
///
/// Sendable without a lock, because nothing in it changes once it is made.
final class SyntaxTree: @unchecked Sendable {
    /// Contents between elements that mean nothing to a model, but belong to the author of the file.
    struct Trivia: Sendable {
        enum Kind: Sendable { case comment, instruction, text }
        var kind: Kind
        /// The text in the file; for text content, without the surrounding space.
        var text: String
        /// The number of the element that starts next.
        var next: Int
    }

    /// The scope of elements.
    ///
    /// They do so by a pointer, because counting references to the tree for each of them would be most of the time that
    /// a large file takes. The user of elements must retain the tree.
    struct Storage {
        let path: String
        fileprivate(set) var document: chordata_xml_document
        /// The file, in memory that does not move: a counted reference to it would cost more than the reads.
        let contents: UnsafeBufferPointer<UInt8>
        /// The trivia in order, by the number of the enclosing element, or ``SyntaxTree/document``.
        let trivia: [Int: [Trivia]]
        /// The names that ``ModelName`` does not have; their numbers follow its own.
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

        /// The line and column of a byte.
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

    /// The key of the contents around the root.
    static let document = -1

    private let owned: UnsafeMutablePointer<Storage>

    var storage: UnsafePointer<Storage> { UnsafePointer(owned) }

    /// - Parameter document: the scan of the file, which the tree frees.
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
