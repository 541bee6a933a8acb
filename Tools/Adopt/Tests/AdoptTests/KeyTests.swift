import Foundation
import SwiftParser
import SwiftSyntax
import Testing

@testable import Adopt

extension RewriteCase {
    static let keys: [RewriteCase] = [
        RewriteCase(
            name: "key paths",
            before: """
                let a = [#keyPath(Book.title), #keyPath( Book.author.name ), #keyPath(Comic.chapters.book.author)]
                let b = NSPredicate(format: "\\(#keyPath(Book.pages)) > %d", 3)
                let c = #keyPath(Book.default) + #keyPath(Book.description)
                """,
            after: """
                let a = [Book.PropertyKey.title.name, "\\(Book.PropertyKey.author.name).\\(Author.PropertyKey.name.name)", \
                "\\(Comic.PropertyKey.chapters.name).\\(Chapter.PropertyKey.book.name).\\(Book.PropertyKey.author.name)"]
                let b = NSPredicate(format: "\\(Book.PropertyKey.pages.name) > %d", 3)
                let c = Book.PropertyKey.default.name + Book.PropertyKey.description_.name
                """
        ),
        RewriteCase(
            name: "key paths in a class of the model",
            before: """
                extension Book {
                    static let key = #keyPath(title)
                    func keys() -> [String] { [1].map { _ in #keyPath(author.name) } }
                    struct Inner { let key = #keyPath(title) }
                }
                """,
            after: """
                extension Book {
                    static let key = Book.PropertyKey.title.name
                    func keys() -> [String] { [1].map { _ in "\\(Book.PropertyKey.author.name).\\(Author.PropertyKey.name.name)" } }
                    struct Inner { let key = #keyPath(title) }
                }
                """,
            reports: [
                "4:30: warning: '#keyPath' needs the Objective-C runtime, and 'title' is not a path of properties of the "
                    + "models that were read; write a string [key-path]"
            ]
        ),
        RewriteCase(
            name: "key paths of no model",
            before: """
                let a = #keyPath(View.frame)
                let b = #keyPath(Book.isbn)
                let c = #keyPath(Book.title.count)
                let d = #keyPath(Library.Book.title)
                let e = #keyPath(Book /* ours */ .title)
                """,
            after: """
                let a = #keyPath(View.frame)
                let b = #keyPath(Book.isbn)
                let c = #keyPath(Book.title.count)
                let d = #keyPath(Library.Book.title)
                let e = #keyPath(Book /* ours */ .title)
                """,
            reports: ["View.frame", "Book.isbn", "Book.title.count", "Library.Book.title", "Book /* ours */ .title"]
                .enumerated().map { line, path in
                    "\(line + 1):9: warning: '#keyPath' needs the Objective-C runtime, and '\(path)' is not a path of "
                        + "properties of the models that were read; write a string [key-path]"
                }
        ),
        RewriteCase(
            name: "sort descriptors",
            before: """
                let a = [
                    NSSortDescriptor(key: #keyPath(Book.title), ascending: true, selector: #selector(NSString.compare(_:))),
                    NSSortDescriptor(key: "title", ascending: false, selector: #selector(NSString.localizedCompare)),
                    .init(key: "title", ascending: true, selector: #selector(NSString.caseInsensitiveCompare(_:))),
                    NSSortDescriptor.init(
                        key: "title",
                        ascending: true,
                        selector: #selector(NSString.localizedCaseInsensitiveCompare(_:)) // As in Finder.
                    ),
                    Foundation.NSSortDescriptor(key: "a", ascending: true, selector: Selector(("localizedStandardCompare:"))),
                ]
                """,
            after: """
                let a = [
                    NSSortDescriptor(key: Book.PropertyKey.title.name, ascending: true, comparison: .literal),
                    NSSortDescriptor(key: "title", ascending: false, comparison: .localized),
                    .init(key: "title", ascending: true, comparison: .caseInsensitive),
                    NSSortDescriptor.init(
                        key: "title",
                        ascending: true,
                        comparison: .localizedCaseInsensitive // As in Finder.
                    ),
                    Foundation.NSSortDescriptor(key: "a", ascending: true, comparison: .localizedStandard),
                ]
                """
        ),
        RewriteCase(
            name: "other selectors",
            before: """
                let a = NSSortDescriptor(key: "a", ascending: true, selector: #selector(NSNumber.compare(_:)))
                let b = Sorter(key: "a", ascending: true, selector: #selector(NSString.compare(_:)))
                let c = NSSortDescriptor(key: "a", ascending: true, selector: /* ? */ #selector(NSString.compare(_:)))
                let d = NSSortDescriptor(key: "a", ascending: true)
                let e = NSSortDescriptor(key: "a", ascending: true, selector: Selector("length"))
                """,
            after: """
                let a = NSSortDescriptor(key: "a", ascending: true, selector: #selector(NSNumber.compare(_:)))
                let b = Sorter(key: "a", ascending: true, selector: #selector(NSString.compare(_:)))
                let c = NSSortDescriptor(key: "a", ascending: true, selector: /* ? */ #selector(NSString.compare(_:)))
                let d = NSSortDescriptor(key: "a", ascending: true)
                let e = NSSortDescriptor(key: "a", ascending: true, selector: Selector("length"))
                """,
            reports: [
                "1:63: warning: '#selector' needs the Objective-C runtime; call the method in a closure, or put the code inside "
                    + "'#if canImport(ObjectiveC)' [selector]"
            ]
                + ["2:53", "3:71"].map {
                    "\($0): warning: '#selector' needs the Objective-C runtime; in a sort descriptor, use 'comparison: .literal'; "
                        + "elsewhere, call the method in a closure, or put the code inside '#if canImport(ObjectiveC)' "
                        + "[selector]"
                }
        ),
        RewriteCase(
            name: "key paths as strings",
            before: "let a = (\\Book.title as AnyKeyPath)._kvcKeyPathString!",
            after: "let a = (\\Book.title as AnyKeyPath)._kvcKeyPathString!",
            reports: [
                "1:37: warning: '_kvcKeyPathString' is 'nil' without the Objective-C runtime; write the name of the property as "
                    + "a string [key-path]"
            ]
        ),
    ]
}

/// `#keyPath` and `#selector`.
struct KeyTests {
    @Test(arguments: RewriteCase.keys)
    func rewritten(_ example: RewriteCase) throws { try check(example) }

    /// The names that get an underscore are those of the generator.
    @Test func membersOfEveryObjectAreThoseOfTheGenerator() throws {
        let root = URL(fileURLWithPath: #filePath).pathComponents.dropLast(5).joined(separator: "/").dropFirst()
        let source = try String(contentsOfFile: "\(root)/Sources/ChordataGeneration/Namer.swift", encoding: .utf8)
        var names: Set<String> = []
        for token in Parser.parse(source: source).tokens(viewMode: .sourceAccurate) {
            guard token.text == "runtimeMembers", token.previousToken(viewMode: .sourceAccurate)?.text == "let",
                let binding = token.parent?.parent?.as(PatternBindingSyntax.self),
                let array = binding.initializer?.value.as(ArrayExprSyntax.self)
            else { continue }
            for element in array.elements {
                let literal = try #require(element.expression.as(StringLiteralExprSyntax.self))
                names.insert(try #require(literal.representedLiteralValue))
            }
        }
        #expect(names == membersOfEveryObject)
    }
}
