import Foundation
import Testing

@testable import Chordata
@testable import ChordataPostgres
@testable import ChordataPredicate

/// The binary format of values, without a server and with one.
struct WireTests {
    /// The number of random values: 2,000, or that of CHORDATA_TEST_DECIMALS.
    static let decimalCount =
        ProcessInfo.processInfo.environment["CHORDATA_TEST_DECIMALS"].flatMap { Int($0) } ?? 2_000

    static let decimals: [Decimal] = [
        0, 1, -1, 10, 9_999, 10_000, 10_001, 99_999_999, 100_000_000, Decimal(string: "0.1")!, Decimal(string: "-0.1")!,
        Decimal(string: "0.0001")!, Decimal(string: "0.00001")!, Decimal(string: "0.00010001")!,
        Decimal(string: "1.0001")!, Decimal(string: "10000.00001")!, Decimal(string: "123456789.987654321")!,
        Decimal(string: "12345678901234567890123456789012345678")!,
        Decimal(string: "0.12345678901234567890123456789012345678")!, Decimal.greatestFiniteMagnitude,
        -Decimal.greatestFiniteMagnitude, Decimal.leastNonzeroMagnitude, -Decimal.leastNonzeroMagnitude,
        Decimal(sign: .plus, exponent: 127, significand: 1), Decimal(sign: .minus, exponent: -127, significand: 1),
    ]

    static func randomDecimal(_ generator: inout SeededGenerator) -> Decimal {
        let digits = (0..<Int.random(in: 1...38, using: &generator)).map { _ in
            Int.random(in: 0...2, using: &generator) == 0 ? "0" : "\(Int.random(in: 0...9, using: &generator))"
        }
        let significand = Decimal(string: digits.joined())!
        let exponent = Int.random(in: -60...60, using: &generator)
        let sign: FloatingPointSign = Bool.random(using: &generator) ? .plus : .minus
        return Decimal(sign: sign, exponent: exponent, significand: significand)
    }

    /// Decodes what is encoded.
    private func decode(_ argument: ServerArgument) throws -> String? {
        let encoded = try argument.encoded()
        let decoder = try CellDecoder(typeNumbers: [encoded.type.rawValue])
        return try (encoded.bytes ?? []).withUnsafeBytes { bytes in
            try decoder.decode([encoded.bytes == nil ? nil : bytes])
            return text(decoder.cells[0])
        }
    }

    @Test func decimalsAreExact() throws {
        let seed = SeededGenerator.seed
        var generator = SeededGenerator(seed: seed)
        let random = (0..<Self.decimalCount).map { _ in Self.randomDecimal(&generator) }
        for decimal in Self.decimals + random {
            let decoded = try decode(.value(.attribute(.decimal(decimal)))) ?? ""
            // The text of a decimal with the greatest magnitude has too many digits to be read without an exponent.
            #expect(parseDecimal(decoded) == parseDecimal(decimalText(decimal)), "\(decimal), seed \(seed)")
            if decoded.utf8.count < 100 { #expect(parseDecimal(decoded) == decimal, "seed \(seed)") }
            #expect(decoded == decimalText(decimal), "seed \(seed)")
        }
    }

    @Test func decimalsOfTheServer() throws {
        let connection = try TestServer.connection()
        let seed = SeededGenerator.seed
        var generator = SeededGenerator(seed: seed)
        let random = (0..<min(Self.decimalCount, 10_000)).map { _ in Self.randomDecimal(&generator) }
        let decimals = Self.decimals + random
        // The server reads the text, and compares the number with the one that was sent in the binary format.
        let rows = try connection.rows(
            "SELECT a, b::numeric, a = b::numeric FROM unnest($1::numeric[], $2::text[]) AS v(a, b)",
            [.decimals(decimals), .texts(decimals.map(decimalText))]
        )
        #expect(rows.count == decimals.count)
        for (row, decimal) in zip(rows, decimals) {
            #expect(row == [decimalText(decimal), decimalText(decimal), "1"], "seed \(seed)")
        }
        let special = try connection.rows(
            "SELECT 'NaN'::numeric, 'Infinity'::numeric, '-Infinity'::numeric, 1.500::numeric"
        )
        #expect(special == [["NaN", "Infinity", "-Infinity", "1.5"]])
    }

    static let values: [(AttributeValue, String)] = [
        (.integer(.min), "\(Int64.min)"), (.integer(.max), "\(Int64.max)"), (.integer(0), "0"), (.boolean(true), "1"),
        (.boolean(false), "0"), (.double(0.1), "0.1"), (.double(-0.0), "0.0"), (.double(.infinity), "inf"),
        (.double(.leastNonzeroMagnitude), "5e-324"),
        (.double(-.greatestFiniteMagnitude), "\(-Double.greatestFiniteMagnitude)"),
        (.date(Date(timeIntervalSinceReferenceDate: 123_456_789.000_000_1)), "\(123_456_789.000_000_1)"),
        (.string(""), ""), (.string("a\u{301}\u{1F600}\r\n"), "a\u{301}\u{1F600}\r\n"),
        (.url(URL(string: "https://example.com/a?b=c")!), "https://example.com/a?b=c"),
        (.data(Data()), ""), (.data(Data([0, 1, 0x7F, 0x80, 0xFF])), "00017f80ff"),
        (.uuid(UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF")!), "00112233445566778899aabbccddeeff"),
        (.decimal(Decimal(string: "-12.50")!), "-12.5"),
    ]

    @Test func valuesOfEachKind() throws {
        let connection = try TestServer.connection()
        for (value, expected) in Self.values {
            #expect(try decode(.value(.attribute(value))) == expected, "\(value)")
            #expect(try connection.rows("SELECT $1", [.value(.attribute(value))]) == [[expected]], "\(value)")
        }
        #expect(try decode(.value(.null)) == .some(nil))
        #expect(try connection.rows("SELECT $1::bigint", [.value(.null)]) == [[nil]])
    }

    @Test func arrays() throws {
        let connection = try TestServer.connection()
        let uuid = UUID()
        let uuidText = uuid.uuidString.lowercased().replacing("-", with: "")
        let cases: [(ServerArgument, String, [String?])] = [
            (.integers([1, nil, -3]), "bigint", ["1", nil, "-3"]), (.integers([]), "bigint", []),
            (.booleans([true, nil]), "boolean", ["1", nil]), (.reals([0.5, nil]), "float8", ["0.5", nil]),
            (.texts(["", nil, "é"]), "text", ["", nil, "é"]), (.decimals([1, nil]), "numeric", ["1", nil]),
            (.blobs([Data(), nil, Data([255])]), "bytea", ["", nil, "ff"]),
            (.uuids([uuid, nil]), "uuid", [uuidText, nil]),
            (.value(.collection([.attribute(.string("a")), .attribute(.string("b"))])), "text", ["a", "b"]),
            (.value(.collection([.attribute(.integer(7))])), "bigint", ["7"]),
        ]
        for (argument, type, expected) in cases {
            let rows = try connection.rows("SELECT * FROM unnest($1::\(type)[])", [argument])
            #expect(rows == expected.map { [$0] }, "\(argument)")
        }
    }

    @Test func nulCharacters() throws {
        #expect(throws: WireError.nulCharacter) { try ServerArgument.value(.attribute(.string("a\0"))).encoded() }
        #expect(throws: WireError.nulCharacter) { try ServerArgument.texts(["a", "\0"]).encoded() }
        let connection = try TestServer.connection()
        let failure = #expect(throws: ServerFailure.self) {
            try connection.rows("SELECT $1", [.value(.attribute(.string("a\0b")))])
        }
        #expect(failure?.error.sqlState == "22021" && failure?.error.message.contains("U+0000") == true)
        #expect(failure?.error.message.contains("a\0b") == false)
        #expect(try connection.rows("SELECT 1") == [["1"]])
    }

    @Test func malformedValues() throws {
        let decoder = try CellDecoder(typeNumbers: [PostgresType.integer64.rawValue])
        #expect(throws: WireError.malformed(.integer64)) {
            try [UInt8](repeating: 0, count: 7).withUnsafeBytes { try decoder.decode([$0]) }
        }
        let numeric = try CellDecoder(typeNumbers: [PostgresType.numeric.rawValue])
        for bytes: [UInt8] in [
            [], [0, 1, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0x12, 0, 0, 0], [0, 1, 0, 0, 0, 0, 0, 0, 0x27, 0x10],
        ] {
            #expect(throws: WireError.malformed(.numeric)) { try bytes.withUnsafeBytes { try numeric.decode([$0]) } }
        }
        #expect(throws: WireError.unsupportedType(600)) { try CellDecoder(typeNumbers: [600]) }
    }
}
