import ChordataConfiguration
import ChordataTestSupport
import Testing

struct SwiftTypeTests {
    @Test(arguments: [
        ("String", "Swift.String"), ("[String]", "[Swift.String]"), ("[ Int64 ]", "[Swift.Int64]"),
        ("[String: [Date]]", "[Swift.String: [Foundation.Date]]"), ("Set<UUID>", "Swift.Set<Foundation.UUID>"),
        ("Array<Int>?", "Swift.Array<Swift.Int>?"), ("MyModule.Color", "MyModule.Color"), ("Color", "Color"),
        ("Pair<Color, String>", "Pair<Color, Swift.String>"), ("Foundation.Date", "Foundation.Date"),
        ("Optional<Int>", "Swift.Int?"), ("Swift.Optional<Color>", "Color?"),
    ])
    func typesAreWrittenInFull(_ text: String, _ written: String) {
        expectEqual(parseSwiftType(text)?.description, written)
    }

    @Test(arguments: [
        "", " ", "[", "self", "class", "_", "Foo.in", "[]", "[String", "String]", "Foo Bar", "Foo;Bar", "Foo.", ".Foo",
        "1Foo", "Foo<", "Foo<>",
        "Foo<A,>",
        "[String:]", "() -> Void", "Foo & Bar", "any Foo", "`Foo`", "Foo\n", "Foo//", "\"Foo\"", "Größe", "?",
        String(repeating: "[", count: 20) + "A" + String(repeating: "]", count: 20), String(repeating: "a", count: 300),
    ])
    func invalidTypesAreNil(_ text: String) {
        #expect(parseSwiftType(text) == nil)
    }

    @Test func modules() {
        let type = parseSwiftType("[String: Optional<Box<Library.Color.Space, Date>>]")
        expectEqual(
            type,
            .dictionary(
                key: .named(["Swift", "String"]),
                value: .optional(
                    .named(
                        ["Box"],
                        arguments: [.named(["Library", "Color", "Space"]), .named(["Foundation", "Date"])]
                    )
                )
            )
        )
        for module in ["Swift", "Library", "Foundation"] {
            #expect(type?.isQualified(by: module) == true, "\(module)")
        }
        for name in ["Box", "Color", "Space", "Date"] { #expect(type?.isQualified(by: name) == false, "\(name)") }
    }

    @Test func kinds() {
        #expect(parseSwiftType("[String: Int]")?.isStandard == true)
        #expect(parseSwiftType("[Color]")?.isStandard == false)
        #expect(parseSwiftType("[String: Any]")?.isUntyped == true)
        #expect(parseSwiftType("Set<AnyHashable>")?.isUntyped == true)
        #expect(parseSwiftType("Swift.Any")?.canBeStored == false)
        #expect(parseSwiftType("[String]?")?.canBeStored == false)
        #expect(parseSwiftType("[String?]")?.canBeStored == true)
        #expect(parseSwiftType("Anything")?.isUntyped == false)
        for name in ["Character", "[Character]", "Swift.Substring", "Set", "Dictionary<Int>", "Int<Int>", "Optional"] {
            #expect(parseSwiftType(name)?.canBeStored == false, "\(name)")
        }
        for name in ["NSArray", "UIKit.UIColor", "[String: CLLocation]"] {
            #expect(parseSwiftType(name)?.hasFrameworkClass == true, "\(name)")
        }
        for name in ["UID", "SKU", "NSX", "App.UIColor", "MPQueue"] {
            #expect(parseSwiftType(name)?.hasFrameworkClass == false, "\(name)")
        }
        expectEqual(parseSwiftType("[MySwift.Word: Swift.Int]")?.plainText, "[MySwift.Word: Int]")
    }
}
