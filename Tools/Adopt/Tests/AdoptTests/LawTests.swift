import Foundation
import Testing

@testable import Adopt

/// Statements about all texts.
struct LawTests {
    /// A second run changes nothing.
    @Test(arguments: RewriteCase.all)
    func idempotence(_ example: RewriteCase) throws {
        let again = try rewrite(example.after)
        #expect(again.text == example.after)
        // Code that is not changed is reported again, at its new location.
        let left = example.reports.filter { !$0.hasSuffix("[comment]") }.map(message)
        #expect(again.reports.map(message) == left)
    }

    /// Returns the message of a report, without its location.
    private func message(_ report: String) -> String {
        String(report[(report.firstRange(of: ": ")?.upperBound ?? report.startIndex)...])
    }

    /// Line endings are kept, and a removed line is removed with its ending.
    @Test(arguments: RewriteCase.all)
    func lineEndings(_ example: RewriteCase) throws {
        let before = example.before.replacing("\n", with: "\r\n")
        let result = try rewrite(before)
        #expect(isEqual(result.text, example.after.replacing("\n", with: "\r\n")))
        #expect(result.reports == example.reports)
    }

    /// A byte order mark is kept.
    @Test(arguments: RewriteCase.all)
    func byteOrderMark(_ example: RewriteCase) throws {
        let result = try rewrite("\u{FEFF}\n" + example.before)
        #expect(isEqual(result.text, "\u{FEFF}\n" + example.after))
    }

    static let seeds: [UInt64] = {
        let count = ProcessInfo.processInfo.environment["CHORDATA_ADOPT_SEEDS"].flatMap { UInt64($0) } ?? 15
        let first =
            ProcessInfo.processInfo.environment["CHORDATA_SEED"].flatMap { UInt64($0) } ?? .random(in: 0...1 << 32)
        print("adopt: \(count) seeds from CHORDATA_SEED=\(first)")
        return (first..<first + count).map(\.self)
    }()

    /// Text that does not concern Core Data is kept byte for byte.
    @Test(arguments: seeds)
    func unrelatedText(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let text = unrelatedText(&random)
        let result = try rewrite(text)
        #expect(isEqual(result.text, text), "seed \(seed)")
        #expect(result.reports == [], "seed \(seed): \(text)")
    }

    /// Text before and after other code has no effect on the changes of the code, and is not changed.
    @Test(arguments: seeds)
    func textAroundChanges(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for example in RewriteCase.all {
            let before = unrelatedText(&random)
            let after = unrelatedText(&random)
            let text = before + "let first = 1\n" + example.before + "\nlet last = 1\n" + after
            let expected = before + "let first = 1\n" + example.after + "\nlet last = 1\n" + after
            let result = try rewrite(text)
            #expect(isEqual(result.text, expected), "seed \(seed): \(example.name)")
            #expect(result.reports.count == example.reports.count, "seed \(seed): \(example.name)")
        }
    }

    /// A text with random damage is either changed in a way that a second run does not change, or not changed.
    @Test(arguments: seeds)
    func damagedText(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for example in RewriteCase.all {
            var bytes = Array(example.before.utf8)
            for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
                let place = bytes.indices.randomElement(using: &random) ?? 0
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes.remove(at: place)
                case 1: bytes.insert(Array("{}()\"#@\n\r\\/* ;".utf8).randomElement(using: &random) ?? 0, at: place)
                case 2: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case _: bytes.replaceSubrange(place..., with: bytes[..<place])
                }
            }
            let once = try rewrite(bytes)
            let twice = try rewrite(once.bytes)
            #expect(twice.bytes == once.bytes, "seed \(seed): \(example.name)")
            if once.reports.contains(where: { $0.hasSuffix("[syntax]") || $0.hasSuffix("[encoding]") }) {
                #expect(once.bytes == bytes, "seed \(seed): \(example.name)")
            }
        }
    }

    /// The bytes are compared, because strings can be equal although their bytes differ.
    private func isEqual(_ left: String, _ right: String) -> Bool { left.utf8.elementsEqual(right.utf8) }

    private func unrelatedText(_ random: inout SeededGenerator) -> String {
        let ending = ["\n", "\r\n"].randomElement(using: &random) ?? "\n"
        var text = ""
        for number in 0..<Int.random(in: 0...12, using: &random) {
            let fragment = Self.fragments.randomElement(using: &random) ?? ""
            let blank = String(repeating: "\n", count: Int.random(in: 1...3, using: &random))
            text += (fragment.replacing("NAME", with: "n\(number)") + blank).replacing("\n", with: ending)
        }
        return text
    }

    private static let fragments = [
        "", "   ", "\t// @NSManaged var title: String", "/* class Book: NSManagedObject { #keyPath(Book.title) } */",
        "let NAME = \"@objc(Book) #selector(NSString.compare(_:))\"",
        "let NAME = #\"#keyPath(Book.title) \\(1)\"#",
        "let NAME = \"\"\"\n    class Book: NSManagedObject {\n        @NSManaged var title: String\n    }\n    \"\"\"",
        "struct NAME { var title: String; var request: NSFetchRequest<Book> { Book.fetchRequest() } }",
        "extension Book { var NAME: String { title + \"😀\" } }",
        "#if DEBUG\nfunc NAME() {}\n#else\nfunc NAME(_ a: Int = 1) {}\n#endif",
        "#if os(iOS)\n@objc class NAME: NSObject { @NSManaged var x: Int }\n#endif",
        "final class NAME<T> : Base where T: Sendable { init() { super.init() } ; deinit {} }",
        "@available(*, deprecated) func NAME(_ key: String = \"title\") -> [String: Int]? { return nil }",
        "let NAME = \\Book.title ; let NAME_ = [1, 2].map { $0 + 1 }  // ;",
        "enum NAME: String { case title = \"a\", book }", "    \u{000B}  ", "let `NAME` = /[a-z]+#keyPath/",
        "/// A doc comment without a declaration.", "@MainActor protocol NAME: AnyObject {}",
        "let NAME = NSSortDescriptor(key: \"title\", ascending: true)", "@nonobjc func NAME() {}",
    ]
}

/// A generator with a seed (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
