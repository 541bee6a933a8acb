@testable import ChordataDiagnostics
@testable import ChordataModelFile

/// The lines of a file, counted in the simplest way.
struct LineTable {
    private let contents: [UInt8]
    private let lengths: [Int]

    init(_ contents: [UInt8]) {
        self.contents = contents
        lengths = contents.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(\.count)
    }

    /// Returns the offset of a location, which may be the end of its line, or `nil` if the location is not in the file.
    func offset(of location: SourceLocation) -> Int? {
        guard location.line >= 1, location.line <= lengths.count, location.column >= 1,
            location.column <= lengths[location.line - 1] + 1
        else { return nil }
        return lengths[..<(location.line - 1)].reduce(0) { $0 + $1 + 1 } + location.column - 1
    }

    /// Returns whether a byte begins a character, to detect columns that count characters instead of bytes.
    func isBoundary(_ offset: Int) -> Bool { offset == contents.count || contents[offset] & 0xC0 != 0x80 }
}
