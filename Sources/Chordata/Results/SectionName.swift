internal import ChordataPredicate

/// The name of a section; two are one if all their scalars are, as SQLite compares text.
struct SectionName: Hashable {
    /// The name for all rows of a list without sections, and of rows without a value (F10).
    static let empty = SectionName("")

    let text: String

    init(_ text: String) { self.text = text }

    static func == (left: SectionName, right: SectionName) -> Bool { hasSameBytes(left.text, right.text) }

    func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
