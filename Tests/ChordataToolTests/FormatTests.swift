import Foundation
import Testing

/// `chordata format`.
struct FormatTests {
    private let file = "M.xcdatamodeld/M.xcdatamodel/contents"

    @Test func aFileInAnotherOrder() async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", ModelText.unordered)
            try workspace.age(file)
            let check = try await workspace.chordata("format", "--check", "M.xcdatamodeld")
            #expect(check.output == file + "\n")
            #expect(check.errors == "remark: to format the file, run 'chordata format M.xcdatamodeld'\n")
            #expect(check.exitCode == 2)
            #expect(try workspace.read(file) == ModelText.unordered)
            #expect(try workspace.isAged(file))

            let first = try await workspace.chordata("format", "M.xcdatamodeld")
            #expect(first.output == file + "\n")
            #expect(first.errors == "")
            #expect(first.exitCode == 0)
            #expect(try workspace.read(file) == ModelText.good)
        }
    }

    @Test(arguments: [["format"], ["format", "--check"]])
    func aFileAsXcodeWritesItIsNotWritten(_ command: [String]) async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", ModelText.loose)
            try workspace.age(file)
            let result = try await Program.chordata.run(command + ["M.xcdatamodeld"], in: workspace.folder)
            #expect(result.output == "")
            #expect(result.errors == "")
            #expect(result.exitCode == 0)
            #expect(try workspace.read(file) == ModelText.loose)
            #expect(try workspace.isAged(file))
        }
    }

    /// Elements with as many attributes as possible, in Xcode's order.
    static let ordered = [
        """
        <entity name="Node" representedClassName=".Node" isAbstract="YES" parentEntity="Root" \
        coreSpotlightDisplayNameExpression="title" elementID="Old" versionHashModifier="2" renamingIdentifier="Older" \
        syncable="YES" codeGenerationType="class"/>
        """,
        """
        <entity name="Node"><attribute name="a" optional="YES" transient="YES" attributeType="Integer 64" \
        valueTransformerName="T" allowsExternalBinaryDataStorage="YES" defaultValueString="1" usesScalarValueType="YES" \
        customClassName="UID" indexed="YES" preserveAfterDeletion="YES" spotlightIndexingEnabled="YES" \
        versionHashModifier="2" elementID="b" syncable="YES"/></entity>
        """,
        """
        <entity name="Node"><relationship name="r" optional="YES" maxCount="1" deletionRule="Nullify" \
        destinationEntity="Node" inverseName="s" inverseEntity="Node" versionHashModifier="2" elementID="q" \
        syncable="YES"/></entity>
        """,
    ]

    /// An attribute that was moved to the end is moved back.
    @Test(arguments: ordered)
    func theOrderOfAttributesIsXcodes(_ element: String) async throws {
        try await withWorkspace { workspace in
            let all = element.matches(of: /\ \w+="[^"]*"/).map { String($0.output) }
            // The name of the entity that contains a property is not moved.
            let isProperty = element.contains("<attribute") || element.contains("<relationship")
            let attributes = Array(all.dropFirst(isProperty ? 1 : 0))
            let good = modelFile("    " + element)
            try workspace.writeModel("Good", good)
            _ = try await workspace.chordata("format", "Good.xcdatamodeld")
            let expected = try workspace.read("Good.xcdatamodeld/Good.xcdatamodel/contents")
            #expect(expected.contains(attributes.joined()))
            var models: [String] = []
            for index in attributes.indices {
                var moved = attributes
                moved.append(moved.remove(at: index))
                models.append("M\(index)")
                try workspace.writeModel(
                    "M\(index)",
                    good.replacing(attributes.joined(), with: moved.joined())
                )
            }
            _ = try await Program.chordata.run(["format"] + models.map { $0 + ".xcdatamodeld" }, in: workspace.folder)
            for name in models {
                #expect(try workspace.read("\(name).xcdatamodeld/\(name).xcdatamodel/contents") == expected)
            }
        }
    }

    /// Everything that does not belong to Core Data, and the line ends and the byte order mark of other systems.
    static let odd = [
        """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <!-- before -->
        <model sourceLanguage="Swift" type="com.apple.IDECoreDataModeler.DataModel" colour="blue" documentVersion="1.0">
        \t<!-- about Node -->
        <entity syncable="YES" mood="good &amp; &lt;bad&gt; &quot;&#10;" name="Node">
        <sparkle size='3'>  two <b>bold</b>  words <!-- here --><![CDATA[ <x> ]]></sparkle>
        <attribute name="name" attributeType="String" optional="YES"/><!-- after name -->
        </entity></model>
        <!-- the end -->

        """,
        "\u{FEFF}" + ModelText.good, ModelText.good.replacing("\n", with: "\r\n"), ModelText.good + "\n\n",
        ModelText.unordered.replacing("    ", with: "\t"),
    ]

    @Test(arguments: odd)
    func theSecondRunChangesNothing(_ text: String) async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", text)
            #expect(try await workspace.chordata("format", "M.xcdatamodeld").output == file + "\n")
            let formatted = try workspace.read(file)
            try workspace.age(file)
            #expect(try await workspace.chordata("format", "--check", "M.xcdatamodeld").exitCode == 0)
            #expect(try await workspace.chordata("format", "M.xcdatamodeld").output == "")
            #expect(try workspace.read(file) == formatted)
            #expect(try workspace.isAged(file))
        }
    }

    @Test func nothingIsLost() async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", Self.odd[0])
            _ = try await workspace.chordata("format", "M.xcdatamodeld")
            #expect(
                try workspace.read(file) == """
                    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
                    <!-- before -->
                    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" sourceLanguage="Swift" \
                    colour="blue">
                        <!-- about Node -->
                        <entity name="Node" syncable="YES" mood="good &amp; &lt;bad> &quot;&#10;">
                            <attribute name="name" optional="YES" attributeType="String"/>
                            <sparkle size='3'>  two <b>bold</b>  words <!-- here --><![CDATA[ <x> ]]></sparkle>
                            <!-- after name -->
                        </entity>
                    </model>
                    <!-- the end -->
                    """
            )
        }
    }

    @Test func allVersionsAreFormatted() async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", old: ModelText.unordered, new: ModelText.unordered)
            try workspace.write(ModelText.good, to: "M.xcdatamodeld/M 3.xcdatamodel/contents")
            try workspace.age("M.xcdatamodeld/M 3.xcdatamodel/contents")
            try workspace.age("M.xcdatamodeld/.xccurrentversion")
            let result = try await workspace.chordata("format", "M.xcdatamodeld")
            #expect(
                result.output.split(separator: "\n").sorted() == [
                    "M.xcdatamodeld/M 2.xcdatamodel/contents", "M.xcdatamodeld/M.xcdatamodel/contents",
                ]
            )
            #expect(try workspace.read("M.xcdatamodeld/M 2.xcdatamodel/contents") == ModelText.good)
            #expect(try workspace.read("M.xcdatamodeld/M.xcdatamodel/contents") == ModelText.good)
            #expect(try workspace.isAged("M.xcdatamodeld/M 3.xcdatamodel/contents"))
            #expect(try workspace.isAged("M.xcdatamodeld/.xccurrentversion"))
        }
    }

    @Test(arguments: ["M.xcdatamodeld/", "M.xcdatamodeld/M.xcdatamodel", "M.xcdatamodeld/M.xcdatamodel/contents"])
    func formsOfPaths(_ path: String) async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", ModelText.unordered)
            #expect(try await workspace.chordata("format", path).output == file + "\n")
            #expect(try workspace.read(file) == ModelText.good)
        }
    }

    /// Formatting does not validate: errors of the model and of the configuration are ignored.
    @Test func formattingIgnoresModelErrors() async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", ModelText.cyclic)
            try workspace.write("wrong", to: "chordata.json")
            let result = try await workspace.chordata("format", "--check", "M.xcdatamodeld")
            #expect(result.errors == "")
            #expect(result.exitCode == 0)
        }
    }
}
