/// A change of a range of a file's bytes.
struct Edit: Equatable {
    let range: Range<Int>
    /// The new text; `nil` for a removal, which also removes the lines that it makes empty.
    let replacement: String?

    static func remove(_ range: Range<Int>) -> Edit { Edit(range: range, replacement: nil) }
    static func replace(_ range: Range<Int>, with text: String) -> Edit { Edit(range: range, replacement: text) }
}
