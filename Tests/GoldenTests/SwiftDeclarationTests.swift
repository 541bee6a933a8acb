import ChordataConfiguration
import ChordataTestSupport
import Testing

@testable import ChordataGeneration

/// Declarations as values, and the text to which they are rendered.
struct SwiftDeclarationTests {
    private func text(_ declarations: SwiftDeclaration...) -> String {
        renderSwift(SwiftFile(imports: [], declarations: declarations))
    }

    // MARK: Rendering

    @Test func fileHasHeaderImportsAndDeclarations() {
        let file = SwiftFile(
            header: ["Generated from 'A\u{2028}B'."],
            imports: [
                SwiftImport(attributes: [.generatedSPI], access: .public, module: "Chordata"),
                SwiftImport(module: "Foundation"),
            ],
            declarations: [.typealias(SwiftTypealias(access: .private, name: "A", type: .swift("Int")))]
        )
        expectEqual(
            renderSwift(file),
            """
            // Generated from 'A B'.

            @_spi(Generated) public import Chordata
            import Foundation

            private typealias A = Swift.Int

            """
        )
    }

    @Test func modifiersHaveOneOrder() {
        let variable = SwiftVariable(
            attributes: [.uncheckedExclusivity],
            access: .public,
            modifiers: [.final, .class, .override],
            setterAccess: .private,
            kind: .var,
            name: "a",
            type: .optional(.chordata("ObjectID", .named(["Book"])))
        )
        expectEqual(
            text(.variable(variable)),
            """

            @exclusivity(unchecked) override public class final private(set) var a: Chordata.ObjectID<Book>?

            """
        )
    }

    @Test func accessors() {
        var variable = SwiftVariable(kind: .var, name: "a", type: .swift("Int"), getter: "_a")
        expectEqual(text(.variable(variable)), "\nvar a: Swift.Int { _a }\n")
        variable.setter = "_a = newValue"
        expectEqual(
            text(.variable(variable)),
            """

            var a: Swift.Int {
                get { _a }
                set { _a = newValue }
            }

            """
        )
    }

    @Test func membersAreIndentedAndSeparated() {
        let type = SwiftTypeDeclaration(
            documentation: ["Two\nlines.", "", "End."],
            access: .public,
            modifiers: [.final, .nonisolated],
            kind: .class,
            name: "A",
            inherits: [.chordata("ManagedObject"), .swift("Sendable")],
            members: [
                .type(SwiftTypeDeclaration(kind: .enum, name: "B", members: [.enumerationCase("c")])),
                .separated(.function(SwiftFunction(access: .open, kind: .initializer, body: ["if a {", "", "}"]))),
            ]
        )
        expectEqual(
            text(.type(type)),
            """

            /// Two lines.
            ///
            /// End.
            public nonisolated final class A: Chordata.ManagedObject, Swift.Sendable {
                enum B {
                    case c
                }

                open init() {
                    if a {

                    }
                }
            }

            """
        )
    }

    @Test func signatures() {
        let function = SwiftFunction(
            modifiers: [.static],
            kind: .function("open"),
            parameters: [
                SwiftParameter(label: "at", name: "path", type: .swift("String"), defaultValue: .string("a\"b")),
                SwiftParameter(label: "_", name: "layout", isInout: true, type: .array(.named(["Any"]))),
                SwiftParameter(
                    name: "all",
                    type: .dictionary(key: .swift("Int"), value: .optional(.named(["A", "B"])))
                ),
            ],
            errorType: .chordata("StoreError"),
            resultType: .foundation("Data"),
            body: []
        )
        expectEqual(
            text(.function(function)),
            """

            static func open(at path: Swift.String = "a\\"b", _ layout: inout [Any], all: [Swift.Int: A.B?]) \
            throws(Chordata.StoreError) -> Foundation.Data {
            }

            """
        )
    }

    @Test func extensionsHaveTheirRequirement() {
        var declaration = SwiftExtension(modifiers: [.nonisolated], extendedType: .chordata("FetchableObject"))
        expectEqual(text(.extension(declaration)), "\nnonisolated extension Chordata.FetchableObject {\n}\n")
        declaration.selfType = .named(["Library", "Book"])
        expectEqual(
            text(.extension(declaration)),
            "\nnonisolated extension Chordata.FetchableObject where Self == Library.Book {\n}\n"
        )
    }

    @Test func expressionsAreIndentedByTheirDepth() {
        let inner = SwiftCall(
            name: "B",
            argumentLines: [[SwiftArgument("sql", .multilineString("one\n\ntwo"))], [SwiftArgument("c", .source("3"))]]
        )
        let outer = SwiftCall(
            name: "A",
            argumentLines: [
                [SwiftArgument("a", .string("x")), SwiftArgument("b", .dictionary([]))],
                [SwiftArgument("c", .dictionary([SwiftDictionaryElement(key: .string("k"), value: .source("v"))]))],
                [SwiftArgument("d", .array([.call(inner), .source("nil")]))],
            ]
        )
        let variable = SwiftVariable(modifiers: [.static], kind: .let, name: "a", initialValue: .call(outer))
        expectEqual(
            text(.type(SwiftTypeDeclaration(kind: .struct, name: "S", members: [.variable(variable)]))),
            #"""

            struct S {
                static let a = A(
                    a: "x", b: [:],
                    c: ["k": v],
                    d: [B(
                        sql: """
                            one

                            two
                            """,
                        c: 3), nil])
            }

            """#
        )
    }

    @Test func closuresHaveTheirBodyBetweenTheBraces() {
        let call = SwiftCall(
            name: "stage",
            argumentLines: [[SwiftArgument("before", .closure(parameter: "migration", body: ["one", "two"]))]],
            hasParenthesisOnOwnLine: true
        )
        expectEqual(
            text(.variable(SwiftVariable(kind: .let, name: "a", initialValue: .call(call)))),
            """

            let a = stage(
                before: { migration in
                    one
                    two
                }
            )

            """
        )
    }

    // MARK: Modules in the interface

    @Test(arguments: [SwiftAccess.open, .public, .internal, .private])
    func onlyVisibleDeclarationsShowModules(_ access: SwiftAccess) {
        let isVisible = access == .open || access == .public
        let data = SwiftType.foundation("Data")
        let functions = [
            SwiftFunction(
                access: access,
                kind: .initializer,
                parameters: [SwiftParameter(name: "a", type: data)],
                body: []
            ),
            SwiftFunction(access: access, kind: .function("a"), errorType: data, body: []),
            SwiftFunction(access: access, kind: .function("a"), resultType: data, body: []),
        ]
        let declarations =
            functions.map { SwiftDeclaration.function($0) } + [
                .variable(SwiftVariable(access: access, kind: .var, name: "a", type: data)),
                .typealias(SwiftTypealias(access: access, name: "A", type: data)),
            ]
        for declaration in declarations {
            expectEqual(declaration.shows("Foundation"), isVisible, "\(declaration)")
            #expect(!declaration.shows("Swift"), "\(declaration)")
            let members = [SwiftDeclaration.enumerationCase("a"), .separated(declaration)]
            let type = SwiftTypeDeclaration(kind: .class, name: "A", members: members)
            expectEqual(SwiftDeclaration.type(type).shows("Foundation"), isVisible)
            let container = SwiftExtension(extendedType: data, members: members)
            expectEqual(SwiftDeclaration.extension(container).shows("Foundation"), isVisible)
        }
    }

    @Test func modulesAreFoundInsideOfTypes() {
        func shows(_ type: SwiftType) -> Bool {
            SwiftDeclaration.variable(SwiftVariable(access: .public, kind: .var, name: "a", type: type))
                .shows("Foundation")
        }
        let date = SwiftType.foundation("Date")
        for type in [
            date, .optional(date), .array(date), .dictionary(key: .swift("Int"), value: date),
            .dictionary(key: date, value: .swift("Int")), .swift("Set", .array(.optional(date))),
        ] {
            #expect(shows(type), "\(type)")
        }
        for type in [
            .named(["Foundation"]), .named(["MyFoundation", "Date"]), .named(["Library", "Foundation", "Date"]),
        ]
            as [SwiftType]
        {
            #expect(!shows(type), "\(type)")
        }
    }

    @Test func textsAreNotTypes() {
        let parameter = SwiftParameter(name: "a", type: .swift("String"), defaultValue: .string("Foundation.Date"))
        let function = SwiftFunction(
            documentation: ["Foundation.Date"],
            access: .public,
            kind: .function("a"),
            parameters: [parameter],
            body: ["_ = Foundation.Date()"]
        )
        #expect(!SwiftDeclaration.function(function).shows("Foundation"))
    }
}
