import ChordataConfiguration
import ChordataDiagnostics
import ChordataTestSupport
import Foundation
import Testing

struct JSONReaderTests {
    private func read(_ text: String) throws -> JSONSyntax {
        let read = JSONReader.read(path: "f", contents: Array(text.utf8))
        #expect(read.diagnostics.isEmpty)
        return try #require(read.value)
    }

    @Test(arguments: [
        (#""""#, ""), (#""a b""#, "a b"), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"), (#""\u0041\u00e9""#, "Aé"),
        (#""\uD83D\ude00""#, "😀"), (#""é😀""#, "é😀"), (#""\u0000""#, "\0"), ("\"\u{7F}\u{2028}\"", "\u{7F}\u{2028}"),
    ])
    func strings(_ text: String, _ value: String) throws { expectEqual(try read(text).value, .string(value)) }

    @Test(arguments: ["0", "-0", "1", "-10", "0.5", "1.25e3", "1E-2", "1e+400", "123456789012345678901234567890"])
    func numbers(_ text: String) throws { expectEqual(try read(text).value, .number(text)) }

    @Test func valuesHaveSourceLocations() throws {
        let value = try read("{\r\n\t\"é\": [ true,\n  null, {} ], \"b\":false }\n")
        func at(_ line: Int, _ column: Int) -> ChordataDiagnostics.SourceLocation {
            .init(file: "f", line: line, column: column)
        }
        expectEqual(value.location, at(1, 1))
        guard case .object(let members) = value.value, members.count == 2,
            case .array(let values) = members[0].value.value
        else {
            Issue.record("not read: \(value)")
            return
        }
        expectEqual(members.map(\.key), ["é", "b"])
        // Columns count UTF-8 code units: 'é' has two.
        expectEqual(members.map(\.keyLocation), [at(2, 2), at(3, 15)])
        expectEqual(members.map(\.value.location), [at(2, 8), at(3, 19)])
        expectEqual(values.map(\.value), [.boolean(true), .null, .object([])])
        expectEqual(values.map(\.location), [at(2, 10), at(3, 3), at(3, 9)])
    }

    @Test func byteOrderMarkHasNoColumn() throws {
        expectEqual(try read("\u{FEFF}{}").location.column, 1)
    }

    /// RFC 8259 compares keys by code units, so these two differ, although to `==` they are equal.
    @Test func keysAreComparedByCodeUnits() throws {
        guard case .object(let members) = try read("{\"\u{E9}\": 1, \"e\u{301}\": 2}").value else { return }
        expectEqual(members.count, 2)
    }

    @Test(
        arguments: [
            ([0x22, 0xFF, 0x22], "f:1:2: error: there is the byte 0xFF, which is not UTF-8 [CD0114]\n"),
            // An overlong form, half of a surrogate pair, a truncated character.
            ([0x22, 0xC0, 0x80, 0x22], "f:1:2: error: there is the byte 0xC0, which is not UTF-8 [CD0114]\n"),
            ([0x22, 0xED, 0xA0, 0x80, 0x22], "f:1:2: error: there is the byte 0xED, which is not UTF-8 [CD0114]\n"),
            ([0x22, 0xE2, 0x82], "f:1:2: error: there is the byte 0xE2, which is not UTF-8 [CD0114]\n"),
            ([0x80], "f:1:1: error: a value is expected, but there is the byte 0x80, which is not UTF-8 [CD0114]\n"),
            ([0x00], "f:1:1: error: a value is expected, but there is U+0000 [CD0114]\n"),
            ([0xFF, 0xFE, 0x7B, 0x00], "f:1:1: error: the file is in UTF-16; save it as UTF-8 [CD0114]\n"),
            ([0xFE, 0xFF, 0x00, 0x7B], "f:1:1: error: the file is in UTF-16; save it as UTF-8 [CD0114]\n"),
        ] as [([UInt8], String)]
    )
    func badBytes(_ bytes: [UInt8], _ expected: String) {
        let read = JSONReader.read(path: "f", contents: bytes)
        #expect(read.value == nil)
        expectEqual(renderText(read.diagnostics), expected)
    }

    // MARK: Limits

    @Test func depthIsLimited() throws {
        let limit = JSONReader.depthLimit
        _ = try read(String(repeating: "[", count: limit) + String(repeating: "]", count: limit))
        let deep = JSONReader.read(path: "f", contents: Array(repeating: UInt8(ascii: "["), count: 1_000_000))
        expectEqual(renderText(deep.diagnostics), "f:1:33: error: values are nested more than 32 deep [CD0106]\n")
    }

    @Test func sizeIsLimited() throws {
        let limit = JSONReader.sizeLimit
        _ = try read("[]" + String(repeating: " ", count: limit - 2))
        let large = JSONReader.read(path: "f", contents: Array(repeating: UInt8(ascii: " "), count: limit + 1))
        expectEqual(
            renderText(large.diagnostics),
            "f:1:1: error: the file has more than 1048576 bytes [CD0106]\n"
        )
    }

    /// Files of the maximum size that repeat one text: none takes quadratic time, and none fills the terminal.
    @Test(
        .timeLimit(.minutes(10)),
        arguments: [
            "//\n", "{\"a\":1,", "\"\\n", "[[],", "1", "a", "/*", "\n", ",", "\"\u{E9}", "#", "/*\n*/", "[1,",
            "{\"diagnostics\":",
        ]
    )
    func largeFiles(_ part: String) {
        for prefix in ["", "[", "{\"a\":", "\"", "{\"diagnostics\":{"] {
            let count = (JSONReader.sizeLimit - prefix.utf8.count) / part.utf8.count
            let read = readConfiguration(
                path: "f",
                contents: Array((prefix + String(repeating: part, count: count)).utf8)
            )
            #expect(read.configuration == nil)
            #expect((1...101).contains(read.diagnostics.count))
            #expect(renderText(read.diagnostics).utf8.count < 50_000)
        }
    }

    @Test func manyProblemsEnd() {
        func last(_ text: String) -> String? {
            let read = readConfiguration(path: "f", contents: Array(text.utf8))
            expectEqual(read.diagnostics.count, 101)
            return read.diagnostics.last.map { "\($0.id.rawValue) \($0.message)" }
        }
        let keys = (0..<300).map { "\"k\($0)\": 1" }.joined(separator: ",\n")
        expectEqual(last("{\(keys)}"), "CD0106 too many problems; only the first 100 are shown")
        let comments = String(repeating: "//\n", count: 300)
        expectEqual(last(comments), "CD0106 there are more problems than 100; the rest is not read")
    }

    // MARK: Random changes

    /// Foundation accepts all files that the reader accepts, the reader reports why it rejects a file, and it never
    /// traps.
    @Test(arguments: Array(1...8) as [UInt64])
    func mutations(_ seed: UInt64) {
        var state = seed &* 0x9E37_79B9_7F4A_7C15
        func below(_ count: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % UInt64(count))
        }
        let good = Array(
            """
            {"$schema": "https://example.com/\\u00e9\\ud83d\\ude00é", "diagnostics": {"CD0217": "ignore", "CD0212": "error"},
             "x": [1, -2.5e+3, true, false, null, {}, [[]]]}
            """.utf8
        )
        let alphabet = Array("{}[]\":,\\/u0019.eE+-#*tnfd8'\n\t \u{E9}".utf8) + [0, 0xFF, 0xC3, 0xED, 0xEF, 0xBB]
        var goodCount = 0
        for round in 0..<3_000 {
            var bytes = good
            for _ in 0..<(1 + below(3)) {
                let place = below(bytes.count)
                switch below(4) {
                case 0: bytes[place] = alphabet[below(alphabet.count)]
                case 1: bytes.insert(alphabet[below(alphabet.count)], at: place)
                case 2: bytes.remove(at: place)
                default: bytes.removeSubrange(place..<min(bytes.count, place + below(8)))
                }
            }
            let read = JSONReader.read(path: "f", contents: bytes)
            let isRead = read.value != nil && read.diagnostics.isEmpty
            goodCount += isRead ? 1 : 0
            #expect((read.value == nil) ? !read.diagnostics.isEmpty : true, "seed \(seed), round \(round)")
            let text = String(decoding: bytes, as: UTF8.self)
            if isRead {
                let isFoundations =
                    (try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)) != nil
                #expect(isFoundations, "seed \(seed), round \(round): \(text)")
            }
            for diagnostic in read.diagnostics + readConfiguration(path: "f", contents: bytes).diagnostics {
                let location = diagnostic.location
                #expect(
                    (location?.line ?? 0) > 0 && (location?.column ?? 0) > 0,
                    "seed \(seed), round \(round): \(text)"
                )
            }
        }
        #expect(goodCount > 300)
    }
}
