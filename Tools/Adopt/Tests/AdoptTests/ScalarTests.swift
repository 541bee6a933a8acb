import Foundation
import Testing

@testable import Adopt

/// The setting `usesScalarValueType` of attributes whose declarations are removed.
struct ScalarTests {
    private let files: TemporaryFolder
    private var folder: String { files.path }

    init() throws { files = try TemporaryFolder() }

    /// Rewrites an extension of `Item` with some members, beside the classes `Item` and `Toy`.
    private func adopt(_ members: String, _ xml: String, of name: String = "Item") throws -> (
        xml: String, text: String, reports: [String]
    ) {
        let text = "class Item: _Item {}\nclass Toy: _Toy {}\nextension \(name) {\n\(members)\n}\n"
        let model = try makeModel(xml, path: "Shop.xcdatamodeld")
        let adoption = Adoption(of: [Adoption.Source(path: "A.swift", bytes: Array(text.utf8))], [model])
        func after(_ path: String, _ text: String) -> String {
            adoption.changes.first { $0.path == path }.map { String(decoding: $0.after, as: UTF8.self) } ?? text
        }
        return (
            after("Shop.xcdatamodeld/A.xcdatamodel/contents", xml), after("A.swift", text),
            adoption.reports.map(\.text)
        )
    }

    private func isEqual(_ left: String, _ right: String) -> Bool { left.utf8.elementsEqual(right.utf8) }

    private let adopted = "class Item: _Item {}\nclass Toy: _Toy {}\n"

    private func model(_ attributes: String) -> String {
        "<model>\n<entity name=\"Item\">\n\(attributes)\n</entity>\n<entity name=\"Toy\" parentEntity=\"Item\"/>\n</model>\n"
    }

    private func attribute(_ type: String, _ rest: String = "") -> String {
        model("<attribute name=\"x\" attributeType=\"\(type)\"\(rest)/>")
    }

    // MARK: Types

    @Test(
        arguments: [
            ("Integer 16", "Int16"), ("Integer 32", "Int32"), ("Integer 64", "Int64"), ("Integer 64", "Int"),
            ("Double", "Double"), ("Float", "Float"), ("Boolean", "Bool"), ("Boolean", "Swift.Bool"),
            ("Date", "TimeInterval"), ("Date", "Foundation.TimeInterval"), ("Double", "TimeInterval"),
        ]
    )
    func scalars(_ row: (attribute: String, type: String)) throws {
        let on = attribute(row.attribute, " usesScalarValueType=\"YES\"")
        let off = attribute(row.attribute, " usesScalarValueType=\"NO\"")
        for xml in [attribute(row.attribute), off, on] {
            let result = try adopt("    @NSManaged var x: \(row.type)", xml)
            #expect(isEqual(result.xml, on))
            #expect(result.text == adopted)
            #expect(result.reports == [])
        }
    }

    @Test(arguments: ["Integer 16", "Integer 32", "Integer 64", "Double", "Float", "Boolean"])
    func numbers(_ type: String) throws {
        for declared in ["NSNumber", "NSNumber?", "Foundation.NSNumber?", "NSNumber!"] {
            let result = try adopt("@NSManaged var x: \(declared)", attribute(type, " usesScalarValueType=\"YES\""))
            #expect(isEqual(result.xml, attribute(type, " usesScalarValueType=\"NO\"")))
            #expect(result.reports == [])
            for rest in ["", " usesScalarValueType=\"NO\""] {
                let xml = attribute(type, rest)
                #expect(isEqual(try adopt("@NSManaged var x: \(declared)", xml).xml, xml))
            }
        }
    }

    /// The setting does not decide the type of these properties.
    @Test(
        arguments: [
            (" attributeType=\"String\"/>", "String?"), (" attributeType=\"Date\"/>", "Date?"),
            (" attributeType=\"Decimal\"/>", "NSDecimalNumber?"), (" attributeType=\"Transformable\"/>", "NSNumber?"),
            (
                " attributeType=\"Integer 16\"><userInfo><entry key=\"RawType\" value=\"State\"/></userInfo></attribute>",
                "State"
            ),
            (
                " attributeType=\"Integer 32\"><userInfo><entry key=\"attributeValueScalarType\" value=\"Int\"/></userInfo>"
                    + "</attribute>",
                "Int"
            ),
        ]
    )
    func otherTypes(_ row: (rest: String, type: String)) throws {
        let xml = model("<attribute name=\"x\"\(row.rest)")
        let result = try adopt("@NSManaged var x: \(row.type)", xml)
        #expect(result.xml == xml)
        #expect(result.text == adopted)
        #expect(result.reports == [])
    }

    @Test func anotherScalarType() throws {
        let rows = [
            ("Integer 32", "Int", "add the user info 'attributeValueScalarType' with the value 'Int' to the attribute"),
            (
                "Integer 16", "Int64",
                "add the user info 'attributeValueScalarType' with the value 'Int64' to the attribute"
            ),
            ("Double", "Float", "declare the property with the type of the attribute"),
            ("Integer 16", "Bool", "declare the property with the type of the attribute"),
            ("Date", "Int64", "declare the property with the type of the attribute"),
        ]
        for (attributeType, type, remedy) in rows {
            let result = try adopt("@NSManaged var x: \(type)", attribute(attributeType))
            #expect(result.xml == attribute(attributeType))
            #expect(result.text == "\(adopted)extension Item {\n@NSManaged var x: \(type)\n}\n")
            #expect(
                result.reports == [
                    "A.swift:4:1: warning: 'x' has type '\(type)', but the attribute of entity 'Item' has type "
                        + "'\(attributeType)'; \(remedy), and run the command again [managed-property]"
                ]
            )
        }
    }

    // MARK: Places

    @Test func inheritedAttribute() throws {
        let xml = """
            <model>
                <entity name="Toy" parentEntity="Item"><attribute name="y" attributeType="Boolean"/></entity>
                <entity name="Item"><attribute name="x" attributeType="Boolean"/></entity>
                <entity name="Other"><attribute name="x" attributeType="Boolean"/></entity>
            </model>
            """
        let result = try adopt("@NSManaged var x: Bool, y: Bool", xml, of: "Toy")
        let scalar = "attributeType=\"Boolean\" usesScalarValueType=\"YES\"/>"
        #expect(
            result.xml
                == xml.replacing("name=\"y\" attributeType=\"Boolean\"/>", with: "name=\"y\" \(scalar)")
                .replacing(
                    "\"Item\"><attribute name=\"x\" attributeType=\"Boolean\"/>",
                    with: "\"Item\"><attribute name=\"x\" \(scalar)"
                )
        )
        #expect(result.text == adopted)
    }

    /// Text that only looks like a tag, single quotes, and tags on several lines.
    private let hostile = """
        <?xml version='1.0' encoding='utf-8'?>
        <?note <attribute name="x" attributeType="Boolean"/> ?>
        <!-- <entity name="Item"><attribute name="x" attributeType="Boolean"/></entity> -->
        <model type='a &gt; b' note="--> ]]> />">
            <entity name="Toy" parentEntity="Item">
                <attribute name='w' attributeType='Boolean' note='usesScalarValueType="NO"'/>
            </entity>
            <entity
                name = 'It&#101;&#x6D;'
                note='/> &lt;attribute name="x"'
            >
                <!-- <attribute name="x" attributeType="Boolean" usesScalarValueType="NO"/> -->
                <![CDATA[ <attribute name="x" attributeType="Boolean"/> ]]>
                <userInfo><entry key="x" value="y"/><attribute name="x" attributeType="Boolean"/></userInfo>
                <attribute
                    attributeType = 'Boolean'
                    name =
                        'x'   >
                    <userInfo/>
                </attribute >
                <attribute name="y" usesScalarValueType
                    = 'NO' attributeType="Boolean" note='é😀'/>
                <attribute name="z" attributeType="Boolean" usesScalarValueType="YES"/>
            </entity>
        </model><!-- End. -->
        """

    @Test(arguments: ["\n", "\r\n"])
    func hostileText(_ ending: String) throws {
        for mark in ["", "\u{FEFF}"] {
            guard mark.isEmpty || ending == "\n" else { continue }
            let xml = mark + hostile.replacing("\n", with: ending)
            let after = xml.replacing("'x'   >", with: "'x' usesScalarValueType='YES'   >")
                .replacing("= 'NO'", with: "= 'YES'")
                .replacing("usesScalarValueType=\"YES\"", with: "usesScalarValueType=\"NO\"")
            let result = try adopt("@NSManaged var x: Bool, y: Bool, z: NSNumber?", xml)
            #expect(isEqual(result.xml, after))
            #expect(result.reports == [])
            #expect(isEqual(try adopt("@NSManaged var x: Bool, y: Bool, z: NSNumber?", after).xml, after))
        }
    }

    /// The file of a model with random damage is either changed so that a second run changes nothing, or not changed.
    @Test(arguments: LawTests.seeds)
    func damagedText(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<40 {
            var bytes = Array(hostile.utf8)
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let place = bytes.indices.randomElement(using: &random) ?? 0
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes.remove(at: place)
                case 1: bytes.insert(Array("<>/=\"'&;![]-? \r\n".utf8).randomElement(using: &random) ?? 0, at: place)
                case _: bytes.removeSubrange(place..<min(bytes.count, place + 20))
                }
            }
            // It must not trap.
            _ = try? findAttributeTags(bytes)
            let xml = String(decoding: bytes, as: UTF8.self)
            guard readEntities(Data(xml.utf8)) != nil else { continue }
            let once = try adopt("@NSManaged var x: Bool, y: Bool, z: NSNumber?", xml).xml
            let twice = try adopt("@NSManaged var x: Bool, y: Bool, z: NSNumber?", once).xml
            #expect(isEqual(once, twice), "seed \(seed): \(xml)")
        }
    }

    @Test func severalAttributes() throws {
        let before = (1...50).map { "<attribute name=\"x\($0)\" attributeType=\"Integer 16\"/>" }
        let members = (1...50).map { "    @NSManaged var x\($0): Int16" }.joined(separator: "\n")
        let after = before.map { $0.replacing("/>", with: " usesScalarValueType=\"YES\"/>") }
        let result = try adopt(members, model(before.joined(separator: "\n")))
        #expect(result.xml == model(after.joined(separator: "\n")))
    }

    // MARK: Files that stay

    private func report(_ place: String, _ problem: String, _ value: String = "YES") -> String {
        "Shop.xcdatamodeld/A.xcdatamodel/contents:\(place): warning: the file of the model is not changed, because "
            + "\(problem); set 'usesScalarValueType' of attribute 'x' of entity 'Item' to '\(value)', which the type of the "
            + "removed property needs [model]"
    }

    @Test func unsafeFiles() throws {
        let plain = attribute("Boolean")
        let rows = [
            ("<!DOCTYPE model>\n" + plain, "1:1", "it has a document type declaration"),
            (
                "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n" + plain, "1:1",
                "it does not declare the encoding UTF-8"
            ),
            (
                plain.replacing("<attribute", with: "<attribute name=\"x\" attributeType=\"Boolean\"/>\n<attribute"),
                "3:1",
                "its start tag is not unique"
            ),
        ]
        for (xml, place, problem) in rows {
            let result = try adopt("@NSManaged var x: Bool", xml)
            #expect(isEqual(result.xml, xml))
            #expect(result.reports == [report(place, problem)])
        }
    }

    @Test func declarationsThatDisagree() throws {
        let members = """
            #if DEBUG
            @NSManaged var x: Bool
            #else
            @NSManaged var x: NSNumber?
            #endif
            """
        for rest in ["", " usesScalarValueType=\"YES\""] {
            let xml = attribute("Boolean", rest)
            let result = try adopt(members, xml)
            #expect(result.xml == xml)
            #expect(
                result.reports == [
                    "Shop.xcdatamodeld/A.xcdatamodel/contents:3:1: warning: attribute 'x' of entity 'Item' is declared with a "
                        + "scalar type and as 'NSNumber'; set 'usesScalarValueType' of the attribute, and use the type that "
                        + "is generated [model]"
                ]
            )
        }
    }

    /// A property that is not removed has no effect on the model.
    @Test func propertiesThatStay() throws {
        let xml = attribute("Boolean")
        #expect(try adopt("#if os(iOS)\n@NSManaged var x: Bool\n#endif", xml).xml == xml)
        #expect(try adopt("var x: Bool { true }", xml).xml == xml)
    }

    // MARK: Files

    private func writeSources() throws {
        try files.write(adopted + "extension Item {\n    @NSManaged var x: Bool\n}\n", to: "Sources/Item.swift")
        try files.write("{ \"codegen\": \"category\" }", to: "Sources/chordata.json")
    }

    /// Only the current version is changed.
    @Test func versions() throws {
        try writeSources()
        let xml = attribute("Boolean").replacing("\n", with: "\r\n")
        for version in ["Shop", "Shop 2"] {
            try files.write(xml, to: "Sources/Shop.xcdatamodeld/\(version).xcdatamodel/contents")
        }
        let path = "Sources/Shop.xcdatamodeld/Shop 2.xcdatamodel/contents"
        for (arguments, models) in [(["Sources"], []), (["Sources/Item.swift"], ["Sources/Shop.xcdatamodeld/"])] {
            try writeSources()
            try files.write(xml, to: path)
            var adoption = Adoption(of: arguments.map { "\(folder)/\($0)" }, models: models.map { "\(folder)/\($0)" })
            #expect(adoption.changes.map(\.path) == [path, "Sources/Item.swift"].map { "\(folder)/\($0)" })
            #expect(
                adoption.changes.first?.diff.contains(
                    "-<attribute name=\"x\" attributeType=\"Boolean\"/>\r\n"
                        + "+<attribute name=\"x\" attributeType=\"Boolean\" usesScalarValueType=\"YES\"/>\r\n"
                ) == true
            )
            #expect(isEqual(try files.read(path), xml))
            adoption.write()
            #expect(adoption.reports == [])
            #expect(
                isEqual(
                    try files.read(path),
                    xml.replacing("\"/>\r\n</entity>", with: "\" usesScalarValueType=\"YES\"/>\r\n</entity>")
                )
            )
            #expect(isEqual(try files.read("Sources/Shop.xcdatamodeld/Shop.xcdatamodel/contents"), xml))
            #expect(try files.read("Sources/Item.swift") == adopted)
            #expect(Adoption(of: ["\(folder)/Sources"]).changes.isEmpty)
        }
    }

    @Test func linkedModels() throws {
        try writeSources()
        let xml = attribute("Boolean")
        try files.write(xml, to: "Models/Shop.xcdatamodel/contents")
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder)/Sources/Shop.xcdatamodel",
            withDestinationPath: "../Models/Shop.xcdatamodel"
        )
        let adoption = Adoption(of: ["\(folder)/Sources"])
        #expect(adoption.changes.map(\.isModel) == [false])
        #expect(
            adoption.reports.map { $0.text.replacing("\(folder)/Sources/Shop.xcdatamodel/contents", with: "") } == [
                ":3:1: warning: the file of the model is not changed, because it is behind a symbolic link; set "
                    + "'usesScalarValueType' of attribute 'x' of entity 'Item' to 'YES', which the type of the removed "
                    + "property needs [model]"
            ]
        )
        for (paths, models) in [(["Sources"], ["Sources/Shop.xcdatamodel"]), (["Sources", "Models"], [])] {
            let given = Adoption(of: paths.map { "\(folder)/\($0)" }, models: models.map { "\(folder)/\($0)" })
            #expect(given.changes.map(\.isModel) == [true, false])
            #expect(given.reports == [])
        }
    }

    /// The type of the property would be lost if only the code were changed.
    @Test func modelThatCannotBeWritten() throws {
        try writeSources()
        try files.write(attribute("Boolean"), to: "Sources/Shop.xcdatamodel/contents")
        let source = try files.read("Sources/Item.swift")
        var adoption = Adoption(of: ["\(folder)/Sources"])
        try FileManager.default.removeItem(atPath: "\(folder)/Sources/Shop.xcdatamodel/contents")
        adoption.write()
        #expect(adoption.hasErrors)
        #expect(try files.read("Sources/Item.swift") == source)
    }
}
