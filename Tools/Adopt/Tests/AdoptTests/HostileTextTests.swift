import Foundation
import Testing

@testable import Adopt

/// Texts that are not code, or that need too much memory or stack.
struct HostileTextTests {
    @Test(arguments: ["", "\n", "\r\n\r\n", "\u{FEFF}", " ", "\r", "// no line feed", "\u{0}"])
    func almostEmpty(_ text: String) throws {
        let result = try rewrite(text)
        #expect(Array(result.text.utf8) == Array(text.utf8))
    }

    @Test(
        arguments: [
            ("let a = \"@NSManaged", 1), ("let a = \"\"\"\n  #keyPath(Book.title)", 2),
            ("/* class Book: NSManagedObject {}", 1),
            ("class Book: NSManagedObject {\n    @NSManaged var title: String\n", 2),
            ("let a = #keyPath(Book.title)\nclass {\n", 2), ("let a = #keyPath(Book.title\n", 1),
            ("#if DEBUG\nlet book: Book\n", 2),
            ("<<<<<<< HEAD\nlet a = #keyPath(Book.title)\n=======\n", 1), ("}\nlet a = #keyPath(Book.title)", 1),
        ] as [(String, Int)]
    )
    func syntaxErrors(_ row: (text: String, line: Int)) throws {
        let result = try rewrite(row.text)
        #expect(result.text == row.text)
        #expect(result.reports.count == 1)
        #expect(
            result.reports.first?.hasSuffix(
                "warning: the file has a syntax error, or is nested too deeply, and is not changed; correct it first [syntax]"
            ) == true
        )
        #expect(result.ids == ["syntax"])
        #expect(result.reports.first?.hasPrefix("\(row.line):") == true)
    }

    @Test func invalidUTF8() throws {
        let bytes = Array("let a = #keyPath(Book.title)\nlet b = \"".utf8) + [0xFF, 0xC3] + Array("\"\n".utf8)
        let result = try rewrite(bytes)
        #expect(result.bytes == bytes)
        #expect(
            result.reports == [
                "2:10: warning: the file is not valid UTF-8 and is not changed; save it as UTF-8 [encoding]"
            ]
        )
    }

    /// The limit is that of the parser; texts that are nested less deeply are read.
    @Test(arguments: [100, 300, 100_000])
    func nesting(_ depth: Int) throws {
        for (open, inner, close) in [("(", "#keyPath(Book.title)", ")"), ("[1, ", "1", "]"), ("{ ", "", "}")] {
            let text =
                "let a = " + String(repeating: open, count: depth) + inner + String(repeating: close, count: depth)
                + "  // Book\n"
            let result = try rewrite(text)
            #expect(result.ids == (depth > 256 ? ["syntax"] : []))
            #expect((result.text != text) == (depth < 256 && open == "("))
        }
    }

    /// The time of the parser is exponential in the depth of such a text.
    @Test func timeLimit() throws {
        let bytes = Array(("let a = " + String(repeating: "[", count: 17) + String(repeating: "]", count: 17)).utf8)
        #expect(throws: ParsedFile.Problem.self) {
            try ParsedFile(path: "A.swift", bytes: bytes, mentioning: ["let"], limit: 0.01)
        }
        #expect(try rewrite("let a: Book = [[[[1]]]]").reports == [])
    }

    /// Chains are trees as deep as they are long, without a limit in the parser.
    @Test(arguments: [20_000])
    func chains(_ count: Int) throws {
        let members = "let a = b" + String(repeating: ".c", count: count) + " + #keyPath(Book.title)\n"
        let calls = "let a = Book" + String(repeating: "()", count: count) + "\n"
        let path = "let a = #keyPath(Book" + String(repeating: ".author", count: count) + ")\n"
        let sum = "let a = Book" + String(repeating: " + c", count: count) + "\n"
        let optional = "let a: Book" + String(repeating: "?", count: count) + "\n"
        #expect(
            try rewrite(members).text == members.replacing("#keyPath(Book.title)", with: "Book.PropertyKey.title.name")
        )
        for text in [calls, sum, optional] { #expect(try rewrite(text) == Rewritten(text: text, reports: [])) }
        #expect(try rewrite(path).ids == ["key-path"])
    }

    /// A file that concerns no rule is not parsed, so nothing is reported.
    @Test func unrelatedFileWithASyntaxError() throws {
        #expect(try rewrite("class {") == Rewritten(text: "class {", reports: []))
        #expect(try rewrite([0x61, 0xFF]).reports.count == 1)
    }

    /// Entities can be in a cycle, inherit from missing ones, and lack names.
    @Test func malformedModels() throws {
        let xml = """
            <model><entity name="A" parentEntity="B"/><entity name="B" parentEntity="A"/><entity/>
            <entity name="C" parentEntity="Missing"><attribute/><relationship name="r" destinationEntity="Gone"/></entity>
            </model>
            """
        let model = try makeModel(xml)
        let text = "class A: B { @NSManaged var x: Int }\nclass C: NSManagedObject {}\nlet a = #keyPath(C.r.x)\n"
        let result = try rewrite(text, model, withClasses: false)
        #expect(result.text == "class A: _A { @NSManaged var x: Int }\nclass C: _C {}\nlet a = #keyPath(C.r.x)\n")
        #expect(result.ids == ["managed-property", "key-path", "managed-class"])
        for text in ["", "<model>", "<model a=1/>", "<model/>x", "<plist/>", "<model><entity></model>", "\u{0}"] {
            #expect(readEntities(Data(text.utf8)) == nil)
        }
    }
}
