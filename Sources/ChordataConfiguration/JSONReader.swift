package import ChordataDiagnostics
internal import ChordataModel

/// Reads a JSON text (RFC 8259) into values with their line and column, which Foundation's decoder does not provide.
///
/// The reader is strict: duplicate keys, comments and commas before a closing bracket are errors. These three errors do
/// not stop the reader, so that all of them are reported together; every other error stops it.
///
/// - Complexity: O(n) in the number of bytes.
package struct JSONReader {
    package static let sizeLimit = 1 << 20
    package static let depthLimit = 32
    /// The maximum number of reported problems; a file with more is probably another kind of file.
    static let problemLimit = 100

    /// The error that stops the reader; its diagnostic has been recorded.
    struct Failure: Error {}

    private let path: String
    let bytes: [UInt8]
    var position = 0
    private var line = 1
    private var lineStart = 0
    private var depth = 0
    package private(set) var diagnostics: [Diagnostic] = []

    private init(path: String, contents: [UInt8]) {
        self.path = path
        bytes = contents
    }

    /// Reads a whole file.
    ///
    /// - Returns: The value, or `nil` if an error stopped the reader; the diagnostics can have errors in both cases.
    package static func read(path: String, contents: [UInt8]) -> (value: JSONSyntax?, diagnostics: [Diagnostic]) {
        var reader = JSONReader(path: path, contents: contents)
        do {
            let value = try reader.readFile()
            return (value, reader.diagnostics)
        } catch {
            return (nil, reader.diagnostics)
        }
    }

    private mutating func readFile() throws(Failure) -> JSONSyntax {
        guard bytes.count <= Self.sizeLimit else {
            throw fail("the file has more than \(Self.sizeLimit) bytes", id: .limitExceeded)
        }
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            throw fail("the file is in UTF-16; save it as UTF-8")
        }
        // RFC 8259, section 8.1: a byte order mark may be ignored.
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            position = 3
            lineStart = 3
        }
        try skipSpace()
        guard position < bytes.count else { throw fail("the file is empty; write '{}' for no settings") }
        let value = try readValue()
        try skipSpace()
        guard position == bytes.count else { throw fail("\(found) follows the end of the value") }
        return value
    }

    // MARK: Values

    private mutating func readValue() throws(Failure) -> JSONSyntax {
        let location = here
        guard let byte else { throw fail("a value is expected, but there is \(found)") }
        let value: JSONSyntax.Value
        switch byte {
        case UInt8(ascii: "{"): value = .object(try readObject())
        case UInt8(ascii: "["): value = .array(try readArray())
        case UInt8(ascii: "\""): value = .string(try readString())
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): value = .number(try readNumber())
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"):
            value = try readWord()
        case UInt8(ascii: "'"): throw fail("strings must be in double quotes")
        default: throw fail("a value is expected, but there is \(found)")
        }
        return JSONSyntax(value: value, location: location)
    }

    private mutating func readObject() throws(Failure) -> [JSONSyntax.Member] {
        var members: [JSONSyntax.Member] = []
        // The keys are compared by their code units, as in RFC 8259, section 8.3.
        var places: [[UInt8]: SourceLocation] = [:]
        try readList(closedBy: UInt8(ascii: "}"), named: "an object") { (reader) throws(Failure) in
            let location = reader.here
            switch reader.byte {
            case UInt8(ascii: "\""): break
            case UInt8(ascii: "'"): throw reader.fail("keys must be in double quotes")
            default: throw reader.fail("a key in double quotation marks is expected, but there is \(reader.found)")
            }
            let key = try reader.readString()
            try reader.skipSpace()
            guard reader.byte == UInt8(ascii: ":") else {
                throw reader.fail("':' is expected after the key '\(shortened(key))', but there is \(reader.found)")
            }
            reader.position += 1
            try reader.skipSpace()
            let value = try reader.readValue()
            if let first = places.updateValue(location, forKey: Array(key.utf8)) {
                places[Array(key.utf8)] = first
                try reader.record(
                    "the key '\(shortened(key))' is duplicated",
                    at: location,
                    notes: [Diagnostic.Note("the first is here", at: first)]
                )
            } else {
                members.append(JSONSyntax.Member(key: key, keyLocation: location, value: value))
            }
        }
        return members
    }

    private mutating func readArray() throws(Failure) -> [JSONSyntax] {
        var values: [JSONSyntax] = []
        try readList(closedBy: UInt8(ascii: "]"), named: "an array") { (reader) throws(Failure) in
            values.append(try reader.readValue())
        }
        return values
    }

    /// Reads the contents from an opening bracket to the closing bracket.
    private mutating func readList(
        closedBy end: UInt8,
        named name: String,
        item: (inout JSONReader) throws(Failure) -> Void
    ) throws(Failure) {
        let start = here
        guard depth < Self.depthLimit else {
            throw fail("values are nested more than \(Self.depthLimit) deep", id: .limitExceeded)
        }
        depth += 1
        position += 1
        try skipSpace()
        while byte != end {
            if position < bytes.count { try item(&self) }
            try skipSpace()
            if byte == end { break }
            guard byte == UInt8(ascii: ",") else {
                let bracket = Character(Unicode.Scalar(end))
                guard position < bytes.count else {
                    let note = Diagnostic.Note("\(name) begins here", at: start)
                    throw fail("the file ends before '\(bracket)'", notes: [note])
                }
                throw fail("',' or '\(bracket)' is expected, but there is \(found)")
            }
            let comma = here
            position += 1
            try skipSpace()
            if byte == end { try record("there is nothing after the last ','; remove this comma", at: comma) }
        }
        position += 1
        depth -= 1
    }

    private mutating func readWord() throws(Failure) -> JSONSyntax.Value {
        let start = position
        var end = position
        while end < bytes.count, isLetter(bytes[end]) { end += 1 }
        let word = String(decoding: bytes[start..<end].prefix(40), as: UTF8.self)
        let value: JSONSyntax.Value
        switch word {
        case "true": value = .boolean(true)
        case "false": value = .boolean(false)
        case "null": value = .null
        default:
            let lower = word.lowercased()
            let isNear = ["true", "false", "null"].contains(lower)
            throw fail(
                "'\(word)' is not a JSON value; "
                    + (isNear ? "did you mean '\(lower)'?" : "strings must be in double quotes")
            )
        }
        position = end
        return value
    }

    private func isLetter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// Reads a number as specified in RFC 8259, section 6.
    private mutating func readNumber() throws(Failure) -> String {
        let start = position
        if byte == UInt8(ascii: "-") { position += 1 }
        let integer = position
        try skipDigits()
        if bytes[integer] == UInt8(ascii: "0"), position > integer + 1 {
            position = integer
            throw fail("a number must not begin with '0'")
        }
        if byte == UInt8(ascii: ".") {
            position += 1
            try skipDigits()
        }
        if byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E") {
            position += 1
            if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { position += 1 }
            try skipDigits()
        }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func skipDigits() throws(Failure) {
        let start = position
        while let digit = byte, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) { position += 1 }
        if position == start { throw fail("a digit is expected in a number, but there is \(found)") }
    }

    // MARK: Places and problems

    var byte: UInt8? { position < bytes.count ? bytes[position] : nil }

    var here: SourceLocation {
        SourceLocation(file: path, line: line, column: position - lineStart + 1)
    }

    /// A description of the next character.
    var found: String {
        guard let byte else { return "the end of the file" }
        // No character has more than four bytes.
        let scalar = String(decoding: bytes[position..<min(position + 4, bytes.count)], as: UTF8.self).unicodeScalars
            .first
        guard let scalar, scalar != "\u{FFFD}" || byte == 0xEF else {
            return "the byte 0x\(String(byte, radix: 16, uppercase: true)), which is not UTF-8"
        }
        return EscapeTable.character.replacement(of: scalar) ?? "'\(scalar)'"
    }

    private mutating func record(
        _ message: String,
        at location: SourceLocation,
        id: DiagnosticID = .malformedConfiguration,
        notes: [Diagnostic.Note] = []
    ) throws(Failure) {
        diagnostics.append(Diagnostic(id, message, at: location, notes: notes))
        if diagnostics.count >= Self.problemLimit {
            throw fail("there are more problems than \(Self.problemLimit); the rest is not read", id: .limitExceeded)
        }
    }

    mutating func fail(
        _ message: String,
        id: DiagnosticID = .malformedConfiguration,
        notes: [Diagnostic.Note] = []
    ) -> Failure {
        diagnostics.append(Diagnostic(id, message, at: here, notes: notes))
        return Failure()
    }

    // MARK: Space

    /// Skips whitespace and comments, and reports the comments as errors.
    private mutating func skipSpace() throws(Failure) {
        while let byte {
            switch byte {
            case UInt8(ascii: "\n"):
                position += 1
                line += 1
                lineStart = position
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): position += 1
            case UInt8(ascii: "/"), UInt8(ascii: "#"): guard try skipComment() else { return }
            default: return
            }
        }
    }

    /// Skips a comment; returns `false` if there is no comment here.
    private mutating func skipComment() throws(Failure) -> Bool {
        let isBlock = bytes[position...].starts(with: [UInt8(ascii: "/"), UInt8(ascii: "*")])
        let isLine = bytes[position...].starts(with: [UInt8(ascii: "/"), UInt8(ascii: "/")])
        guard isBlock || isLine || byte == UInt8(ascii: "#") else { return false }
        let start = here
        try record("JSON has no comments; remove this one", at: start)
        guard isBlock else {
            while position < bytes.count, bytes[position] != UInt8(ascii: "\n") { position += 1 }
            return true
        }
        position += 2
        while position < bytes.count {
            if bytes[position...].starts(with: [UInt8(ascii: "*"), UInt8(ascii: "/")]) {
                position += 2
                return true
            }
            if bytes[position] == UInt8(ascii: "\n") {
                line += 1
                lineStart = position + 1
            }
            position += 1
        }
        return true
    }
}

/// Returns a text that is short enough for a message.
func shortened(_ text: String) -> String { text.count <= 60 ? text : text.prefix(60) + "…" }
