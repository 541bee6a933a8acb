import Testing

@testable import Adopt

extension RewriteCase {
    static let classes: [RewriteCase] = [
        RewriteCase(
            name: "class as Xcode writes it",
            before: """
                //
                //  Book+CoreDataClass.swift
                //

                import Foundation
                import CoreData

                @objc(Book)
                public class Book: NSManagedObject {

                }

                """,
            after: """
                //
                //  Book+CoreDataClass.swift
                //

                import Foundation
                import CoreData

                public class Book: _Book {

                }

                """
        ),
        RewriteCase(
            name: "attribute in the line of the class",
            before: "/// A book.\n@objc(Book) @MainActor final class Book : CoreData.NSManagedObject, Sendable { }",
            after: "/// A book.\n@MainActor final class Book : _Book, Sendable { }"
        ),
        RewriteCase(
            name: "class without a name for Objective-C",
            before: "@objc class Author: NSManagedObject {}\n",
            after: "class Author: _Author {}\n"
        ),
        RewriteCase(
            name: "comment behind the attribute",
            before: "@objc(Book) // For the model.\nclass Book: NSManagedObject /* Core Data's */ {}\n",
            after: " // For the model.\nclass Book: _Book /* Core Data's */ {}\n"
        ),
        RewriteCase(
            name: "class of a subentity",
            before: "class Comic: Book {\n    var isColored: Bool { colors > 1 }\n}\n",
            after: "class Comic: _Comic {\n    var isColored: Bool { colors > 1 }\n}\n"
        ),
        RewriteCase(
            name: "class that is adopted already",
            before: "class Book: _Book {}\nclass Comic: _Comic {}\n",
            after: "class Book: _Book {}\nclass Comic: _Comic {}\n"
        ),
        RewriteCase(
            name: "classes of no entity, nested and local classes",
            before: """
                class Other: NSManagedObject {}
                enum Space { class Book: NSManagedObject {} }
                func make() { class Book: NSManagedObject {} }
                if true { class Book: NSManagedObject {} }
                """,
            after: """
                class Other: NSManagedObject {}
                enum Space { class Book: NSManagedObject {} }
                func make() { class Book: NSManagedObject {} }
                if true { class Book: NSManagedObject {} }
                """
        ),
        RewriteCase(
            name: "superclass that is not in the model",
            before: """
                @objc(Book)
                class Book: Record {
                    @NSManaged var title: String
                }
                extension Book {
                    @NSManaged var pages: Int32
                }
                """,
            after: """
                @objc(Book)
                class Book: Record {
                    @NSManaged var title: String
                }
                extension Book {
                    @NSManaged var pages: Int32
                }
                """,
            reports: [
                "1:1: warning: '@objc' needs the Objective-C runtime; remove it, or put the declaration inside "
                    + "'#if canImport(ObjectiveC)' [objc]",
                "2:7: warning: class 'Book' of entity 'Book' inherits from 'Record', which is not the class of its parent "
                    + "entity; let 'Book' inherit from '_Book', and move the members of 'Record' into a protocol extension "
                    + "[managed-class]",
            ]
        ),
        RewriteCase(
            name: "class without a superclass",
            before: "class Book {}\n",
            after: "class Book {}\n",
            reports: [
                "1:7: warning: class 'Book' of entity 'Book' has no superclass; let it inherit from '_Book', which is "
                    + "generated [managed-class]"
            ]
        ),
        RewriteCase(
            name: "generic class",
            before: "class Book<T>: NSManagedObject {}\n",
            after: "class Book<T>: NSManagedObject {}\n",
            reports: [
                "1:7: warning: class 'Book' of entity 'Book' is generic; remove its generic parameters [managed-class]"
            ]
        ),
        RewriteCase(
            name: "class that the model generates",
            before: "@objc(Chapter)\nclass Chapter: NSManagedObject {\n    @NSManaged var number: Int16\n}\n",
            after: "@objc(Chapter)\nclass Chapter: NSManagedObject {\n    @NSManaged var number: Int16\n}\n",
            reports: [
                "1:1: warning: '@objc' needs the Objective-C runtime; remove it, or put the declaration inside "
                    + "'#if canImport(ObjectiveC)' [objc]",
                "2:7: warning: class 'Chapter' is generated, because the codegen of entity 'Chapter' is Class Definition; "
                    + "move the members into an extension and delete the class, or set the codegen to Category/Extension "
                    + "[managed-class]",
            ]
        ),
        RewriteCase(
            name: "generated classes in the sources",
            before: """
                nonisolated final class Chapter: Chordata.ManagedObject {
                    private struct _Level {}
                }
                nonisolated class Comic: Book {
                    private struct _Level {}
                }
                """,
            after: """
                nonisolated final class Chapter: Chordata.ManagedObject {
                    private struct _Level {}
                }
                nonisolated class Comic: Book {
                    private struct _Level {}
                }
                """
        ),
    ]
}

/// Classes of entities and their superclasses.
struct ClassTests {
    @Test(arguments: RewriteCase.classes)
    func rewritten(_ example: RewriteCase) throws { try check(example) }

    /// The settings of the configuration file that decide the superclass.
    @Test(
        arguments: [
            ("category", nil, nil, "_Book"), ("class", nil, nil, "NSManagedObject"),
            ("none", nil, nil, "NSManagedObject"),
            (nil, nil, nil, "_Book"), (nil, "category", nil, "_Book"), ("category", "class", nil, "NSManagedObject"),
            ("class", "category", nil, "_Book"), ("category", nil, "Shared", "NSManagedObject"),
        ] as [(String?, String?, String?, String)]
    )
    func codegenOfTheConfiguration(_ row: (all: String?, own: String?, module: String?, superclass: String)) throws {
        let model = try makeModel {
            $0.codegen = row.all
            $0.entities["Book"] = ModelConfiguration.Entity(codegen: row.own, module: row.module)
        }
        let result = try rewrite("class Book: NSManagedObject {}\n", model, withClasses: false)
        #expect(result.text == "class Book: \(row.superclass) {}\n")
    }

    @Test func nameOfTheClassInTheConfiguration() throws {
        let model = try makeModel { $0.entities["Book"] = ModelConfiguration.Entity(className: "Volume") }
        let result = try rewrite(
            "class Volume: NSManagedObject {}\nlet key = #keyPath(Volume.author.books)\n",
            model,
            withClasses: false
        )
        #expect(
            result.text
                == "class Volume: _Volume {}\n"
                + #"let key = "\(Volume.PropertyKey.author.name).\(Author.PropertyKey.books.name)""# + "\n"
        )
    }

    @Test func anotherNameForObjectiveC() throws {
        let result = try rewrite("@objc(Book)\nclass Volume: NSManagedObject {}\n")
        #expect(result.text == "@objc(Book)\nclass Volume: NSManagedObject {}\n")
        #expect(
            result.reports == [
                "1:1: warning: class 'Volume' has the Objective-C name 'Book', which is the class of entity 'Book'; set the "
                    + "'class' of the entity to 'Volume' in the configuration file of the model [objc]"
            ]
        )
    }

    /// If two entities name the same class, each class has the name of its entity.
    @Test func oneClassOfTwoEntities() throws {
        let xml = """
            <model><entity name="A" representedClassName="Thing"/><entity name="B" representedClassName="Thing"/>
            <entity name="C" representedClassName="NSManagedObject"/><entity name="D" representedClassName="Module."/>
            <entity name="E"/></model>
            """
        let names = ClassIndex([try makeModel(xml)]).classes.keys.sorted()
        #expect(names == ["A", "B", "C", "D", "E"])
    }

    @Test func settingsThatAreMissing() throws {
        let model = try makeModel {
            $0.codegen = nil
            $0.hasPublicAccess = false
        }
        let result = try rewrite("public class Book: NSManagedObject {}\n", model, withClasses: false)
        #expect(
            result.reports == [
                "Library.xcdatamodeld: warning: the sources have no class 'Author'; write 'class Author: _Author {}', or set "
                    + "the codegen of its entity to Class Definition [managed-class]",
                "Library.xcdatamodeld: warning: the sources have no class 'Comic'; write 'class Comic: _Comic {}', or set the "
                    + "codegen of its entity to Class Definition [managed-class]",
                "chordata.json: warning: add \"codegen\": \"category\" and \"access\": \"public\" to this file, which "
                    + "configures 'Library.xcdatamodeld', so that the generated classes are superclasses of yours [model]",
            ]
        )
    }

    @Test func aClassOfTwoModels() throws {
        let models = [try makeModel(path: "A.xcdatamodeld"), try makeModel(path: "B.xcdatamodeld")]
        let adoption = Adoption(of: [], models)
        let text = adoption.reports.map(\.text).filter { $0.contains("'Book' occurs") }
        #expect(
            text == [
                "A.xcdatamodeld: warning: class 'Book' occurs in 'A.xcdatamodeld' and 'B.xcdatamodeld', and only the first "
                    + "model is used; run the command once for each model, with '--model' and the folder of its target [model]"
            ]
        )
    }
}

/// Checks the text and the reports of a case.
func check(_ example: RewriteCase, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let result = try rewrite(example.before)
    #expect(result.text == example.after, sourceLocation: sourceLocation)
    #expect(result.reports == example.reports, sourceLocation: sourceLocation)
}
