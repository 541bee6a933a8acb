internal import ChordataPredicate

/// The name of a section; two names are equal if all their Unicode scalars are equal, as in SQLite's text comparison.
struct SectionName: Hashable {
    /// The name of the section of a list without sections, and of the section for rows without a value (F10).
    static let empty = SectionName("")

    let text: String

    init(_ text: String) { self.text = text }

    static func == (left: SectionName, right: SectionName) -> Bool { hasSameBytes(left.text, right.text) }

    func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
