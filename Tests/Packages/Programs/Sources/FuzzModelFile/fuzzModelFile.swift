@testable import ChordataModelFile

/// Reads, formats and writes bytes as the files of a model, and traps if a rule is violated.
///
/// The first byte selects the kind of input:
///
/// | byte | the rest |
/// | --- | --- |
/// | `b` | the versions of a bundle, with ``separator`` between them |
/// | `c` | the same, after a file that names the current version |
/// | `p` | a file that names the current version, for a bundle of three small versions |
///
/// Anything else is the first byte of a single version.
public func fuzzModelFile(_ bytes: UnsafeRawBufferPointer) {
    let rest = Array(bytes.dropFirst())
    switch bytes.first {
    case UInt8(ascii: "b"): checkBundle(versions: split(rest), currentVersion: nil)
    case UInt8(ascii: "c"):
        var parts = split(rest)
        let currentVersion = parts.removeFirst()
        checkBundle(versions: parts, currentVersion: currentVersion)
    case UInt8(ascii: "p"):
        let model = Array(#"<model><entity name="A"/></model>"#.utf8)
        checkBundle(versions: [model, model, model], currentVersion: rest)
    default: checkContents(ModelSourceFile(path: "Model.xcdatamodel/contents", contents: Array(bytes)))
    }
}

/// The separator of the files of one input.
private let separator = Array("\n===\n".utf8)

/// Returns at most four parts, and at least one.
private func split(_ bytes: [UInt8]) -> [[UInt8]] {
    var parts: [[UInt8]] = []
    var rest = bytes[...]
    while parts.count < 3, let place = rest.firstRange(of: separator) {
        parts.append(Array(rest[..<place.lowerBound]))
        rest = rest[place.upperBound...]
    }
    return parts + [Array(rest)]
}

/// Traps with a message and the text that it is about.
func require(_ condition: Bool, _ message: @autoclosure () -> String, _ file: ModelSourceFile? = nil) {
    if !condition { fatalError("\(message())\n\(file.map { String(decoding: $0.contents, as: UTF8.self) } ?? "")") }
}

/// Returns whether two texts have the same bytes; for `==`, é equals e with an accent.
func areIdentical(_ left: String, _ right: String) -> Bool { left.utf8.elementsEqual(right.utf8) }

/// Compares the bytes of two texts; for `<`, neither of é and e with an accent comes first.
func precedes(_ left: String, _ right: String) -> Bool { left.utf8.lexicographicallyPrecedes(right.utf8) }
