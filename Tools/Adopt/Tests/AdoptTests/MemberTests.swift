import Testing

@testable import Adopt

extension RewriteCase {
    static let members: [RewriteCase] = [
        RewriteCase(
            name: "extension as Xcode writes it",
            before: """
                import CoreData


                extension Book {

                    @nonobjc public class func fetchRequest() -> NSFetchRequest<Book> {
                        return NSFetchRequest<Book>(entityName: "Book")
                    }

                    @NSManaged public var title: String?
                    @NSManaged public var pages: Int32
                    @NSManaged public var author: Author?

                }

                // MARK: Generated accessors for chapters
                extension Book {

                    @objc(insertObject:inChaptersAtIndex:)
                    @NSManaged public func insertIntoChapters(_ value: Chapter, at idx: Int)

                    @objc(removeObjectFromChaptersAtIndex:)
                    @NSManaged public func removeFromChapters(at idx: Int)

                    @objc(insertChapters:atIndexes:)
                    @NSManaged public func insertIntoChapters(_ values: [Chapter], at indexes: NSIndexSet)

                    @objc(removeChaptersAtIndexes:)
                    @NSManaged public func removeFromChapters(at indexes: NSIndexSet)

                    @objc(replaceObjectInChaptersAtIndex:withObject:)
                    @NSManaged public func replaceChapters(at idx: Int, with value: Chapter)

                    @objc(replaceChaptersAtIndexes:withChapters:)
                    @NSManaged public func replaceChapters(at indexes: NSIndexSet, with values: [Chapter])

                    @objc(addChaptersObject:)
                    @NSManaged public func addToChapters(_ value: Chapter)

                    @objc(removeChapters:)
                    @NSManaged public func removeFromChapters(_ values: NSOrderedSet)

                }

                extension Book : Identifiable {

                }

                """,
            after: """
                import CoreData


                extension Book : Identifiable {

                }

                """
        ),
        RewriteCase(
            name: "properties in the class",
            before: """
                class Book: NSManagedObject {
                    static let limit = 3

                    @NSManaged var title: String
                    @NSManaged
                    private(set) var pages: NSNumber?
                    @NSManaged var kind: Int16, state: State

                    var isLong: Bool { true }

                    @NSManaged var tags: [String]?
                }
                """,
            after: """
                class Book: _Book {
                    static let limit = 3

                    var isLong: Bool { true }
                }
                """
        ),
        RewriteCase(
            name: "several declarations in a line",
            before:
                "class Book: NSManagedObject { @NSManaged var title: String; var a = 1; @NSManaged var pages: Int32 }\n",
            after: "class Book: _Book { var a = 1; }\n"
        ),
        RewriteCase(
            name: "a removal that starts behind other code",
            before: "class Book: NSManagedObject { @NSManaged\n  var title: String\n  var a = 1\n}\n",
            after: "class Book: _Book { \n  var a = 1\n}\n"
        ),
        RewriteCase(
            name: "comments",
            before: """
                extension Book {
                    // MARK: Properties

                    /// The title.
                    ///
                    /// It is not empty.
                    @NSManaged var title: String

                    /// This one does not belong to the next property.

                    // Nor does this one.
                    @NSManaged var pages: Int32  // As printed.
                    /* Before. */ @NSManaged var kind: Int16
                }
                """,
            after: """
                extension Book {
                    // MARK: Properties

                    /// This one does not belong to the next property.

                    // Nor does this one.
                    /* Before. */\u{20}
                }
                """,
            reports: [
                "7:5: note: the comment of 'title' is removed with the property; to keep it, add it to the model as the user "
                    + "info 'documentation' [comment]",
                "12:5: note: the comment of 'pages' is removed with the property; to keep it, add it to the model as the "
                    + "user info 'documentation' [comment]",
            ]
        ),
        RewriteCase(
            name: "extensions that stay although they are empty",
            before: """
                extension Book: Named { @NSManaged var title: String }
                extension Book /* all */ { @NSManaged var title: String }
                extension Book { /* none */ }
                extension Author {
                    @NSManaged var name: String?
                } // End.
                extension Book {}
                """,
            after: """
                extension Book: Named { }
                extension Book /* all */ { }
                extension Book { /* none */ }
                extension Author {
                } // End.
                extension Book {}
                """
        ),
        RewriteCase(
            name: "inherited properties and functions",
            before:
                "extension Comic {\n    @NSManaged var title: String\n    @NSManaged func addToChapters(_ c: Chapter)\n"
                + "    var x: Int { 1 }\n}\n",
            after: "extension Comic {\n    var x: Int { 1 }\n}\n"
        ),
        RewriteCase(
            name: "names in backticks",
            before: "extension Book {\n    @NSManaged var `default`: String?\n    let x = 1\n}\n",
            after: "extension Book {\n    let x = 1\n}\n"
        ),
        RewriteCase(
            name: "request functions in other forms",
            before: """
                extension Book {
                    @nonobjc class func fetchRequest() -> NSFetchRequest<Book> {
                        return NSFetchRequest<Book>(entityName: "Book");
                    }
                    @nonobjc public class func fetchRequest() -> NSFetchRequest<Author> {
                        return NSFetchRequest<Author>(entityName: "Author")
                    }
                    @nonobjc public class func fetchRequest() -> NSFetchRequest<Book> {
                        // All of them.
                        return NSFetchRequest<Book>(entityName: "Book")
                    }
                    @nonobjc public class func fetchRequest() -> NSFetchRequest<Book> {
                        let request = NSFetchRequest<Book>(entityName: "Book")
                        return request
                    }
                    static func fetchRequest() -> NSFetchRequest<Book> { NSFetchRequest<Book>(entityName: "Book") }
                }
                """,
            after: """
                extension Book {
                    @nonobjc public class func fetchRequest() -> NSFetchRequest<Author> {
                        return NSFetchRequest<Author>(entityName: "Author")
                    }
                    @nonobjc public class func fetchRequest() -> NSFetchRequest<Book> {
                        // All of them.
                        return NSFetchRequest<Book>(entityName: "Book")
                    }
                    @nonobjc public class func fetchRequest() -> NSFetchRequest<Book> {
                        let request = NSFetchRequest<Book>(entityName: "Book")
                        return request
                    }
                    static func fetchRequest() -> NSFetchRequest<Book> { NSFetchRequest<Book>(entityName: "Book") }
                }
                """
        ),
        RewriteCase(
            name: "properties that the model does not have",
            before: """
                extension Book {
                    @NSManaged var isbn: String?
                    @NSManaged var hidden: String?
                    @NSManaged var primitiveTitle: String?
                    @NSManaged var kind: Kind
                    @NSManaged var (a, b): (Int, Int)
                    @NSManaged func addToReaders(_ reader: Author)
                    @NSManaged func addToAuthor(_ author: Author)
                    @NSManaged func addToChapters(_ chapter: Chapter, at index: Int)
                }
                """,
            after: """
                extension Book {
                    @NSManaged var isbn: String?
                    @NSManaged var hidden: String?
                    @NSManaged var primitiveTitle: String?
                    @NSManaged var kind: Kind
                    @NSManaged var (a, b): (Int, Int)
                    @NSManaged func addToReaders(_ reader: Author)
                    @NSManaged func addToAuthor(_ author: Author)
                    @NSManaged func addToChapters(_ chapter: Chapter, at index: Int)
                }
                """,
            reports: [
                "2:5: warning: entity 'Book' has no property 'isbn'; add it to the model, or replace '@NSManaged' by a "
                    + "computed property [managed-property]",
                "3:5: warning: entity 'Book' has no property 'hidden'; add it to the model, or replace '@NSManaged' by a "
                    + "computed property [managed-property]",
                "4:5: warning: 'primitiveTitle' has no generated property; call 'primitiveValue(forKey: \"title\")' and "
                    + "'setPrimitiveValue(_:forKey:)' in a computed property without '@NSManaged' [managed-property]",
                "5:5: warning: 'kind' has type 'Kind', but the attribute of entity 'Book' has type 'Integer 16'; add the "
                    + "user info 'RawType' with the value 'Kind' to the attribute, and run the command again "
                    + "[managed-property]",
                "6:5: warning: the form of this '@NSManaged' declaration is unknown; write one property with its type "
                    + "[managed-property]",
                "7:5: warning: entity 'Book' has no to-many relationship whose generated functions include 'addToReaders'; "
                    + "replace the function, or add the relationship to the model [managed-property]",
                "8:5: warning: entity 'Book' has no to-many relationship whose generated functions include 'addToAuthor'; "
                    + "replace the function, or add the relationship to the model [managed-property]",
                "9:5: warning: entity 'Book' has no to-many relationship whose generated functions include 'addToChapters'; "
                    + "replace the function, or add the relationship to the model [managed-property]",
            ]
        ),
        RewriteCase(
            name: "properties of classes of no entity",
            before: "class Tag: NSManagedObject {\n    @NSManaged var a: Int\n    @NSManaged var b: Int\n}\n"
                + "extension Space.Book { @NSManaged var title: String }\n",
            after: "class Tag: NSManagedObject {\n    @NSManaged var a: Int\n    @NSManaged var b: Int\n}\n"
                + "extension Space.Book { @NSManaged var title: String }\n",
            reports: [
                "2:5: warning: '@NSManaged' needs the Objective-C runtime, and 'Tag' is not the class of an entity of the "
                    + "models that were read; add its model with '--model' [managed-property]",
                "5:24: warning: '@NSManaged' needs the Objective-C runtime, and 'Space.Book' is not the class of an entity "
                    + "of the models that were read; add its model with '--model' [managed-property]",
            ]
        ),
        RewriteCase(
            name: "conditional compilation",
            before: """
                #if canImport(UIKit) || os(macOS)
                extension Book { @NSManaged var title: String; @objc func show() {} }
                #elseif DEBUG
                extension Book {
                    @NSManaged var pages: Int32
                    var a: Int { 1 }
                }
                #endif
                #if os(Linux) && !canImport(ObjectiveC)
                extension Author {
                #if DEBUG
                    @NSManaged var name: String?
                #endif
                }
                #else
                extension Author { @NSManaged var name: String? }
                #endif
                #if !(os(Linux))
                let key = #keyPath(Book.title)
                #endif
                """,
            after: """
                #if canImport(UIKit) || os(macOS)
                extension Book { @NSManaged var title: String; @objc func show() {} }
                #elseif DEBUG
                extension Book {
                    var a: Int { 1 }
                }
                #endif
                #if os(Linux) && !canImport(ObjectiveC)
                extension Author {
                #if DEBUG
                #endif
                }
                #else
                extension Author { @NSManaged var name: String? }
                #endif
                #if !(os(Linux))
                let key = #keyPath(Book.title)
                #endif
                """
        ),
    ]
}

/// Declarations that the generated class has.
struct MemberTests {
    @Test(arguments: RewriteCase.members)
    func rewritten(_ example: RewriteCase) throws { try check(example) }

    @Test func withoutTheClass() throws {
        let text = "extension Book {\n    @NSManaged var title: String\n    @NSManaged var pages: Int32\n}\n"
        let result = try rewrite(text, withClasses: false)
        #expect(result.text == text)
        #expect(
            result.reports.first
                == "2:5: warning: '@NSManaged' stays, because class 'Book' is not in the sources that were read; run the "
                + "command on a folder that contains the class [managed-property]"
        )
        #expect(result.ids.count { $0 == "managed-property" } == 1)
    }

    @Test func withoutGeneratedCode() throws {
        let text = "extension Book {\n    @NSManaged var title: String\n}\n"
        let model = try makeModel { $0.codegen = "none" }
        let result = try rewrite(text, model, withClasses: false)
        #expect(result.text == text)
        #expect(result.reports.first?.contains("has no generated superclass") == true)
    }
}
