import ChordataTestSupport
import Foundation
import Testing

/// `chordata model new` and `chordata model add-version`.
struct ModelCommandTests {
    @Test func newModelIsWhatXcodeWrites() async throws {
        try await withWorkspace { workspace in
            let result = try await workspace.chordata(
                "model",
                "new",
                "Sources/App/Shop",
                "--entity",
                "Item: title String, price Decimal?, sold Boolean = NO, count Integer 32 = 1, note String? = a & <b>, "
                    + "sign String? = <\u{338}",
                "--entity",
                "Order"
            )
            #expect(result.output == "Sources/App/Shop.xcdatamodeld\n" && result.errors == "" && result.exitCode == 0)
            let contents = try workspace.read("Sources/App/Shop.xcdatamodeld/Shop.xcdatamodel/contents")
            #expect(
                contents.hasSuffix(
                    """
                        <entity name="Item" representedClassName="Item" syncable="YES" codeGenerationType="class">
                            <attribute name="title" attributeType="String"/>
                            <attribute name="price" optional="YES" attributeType="Decimal"/>
                            <attribute name="sold" attributeType="Boolean" defaultValueString="NO" usesScalarValueType="YES"/>
                            <attribute name="count" attributeType="Integer 32" defaultValueString="1" usesScalarValueType="YES"/>
                            <attribute name="note" optional="YES" attributeType="String" defaultValueString="a &amp; &lt;b>"/>
                            <attribute name="sign" optional="YES" attributeType="String" defaultValueString="&lt;\u{338}"/>
                        </entity>
                        <entity name="Order" representedClassName="Order" syncable="YES" codeGenerationType="class"/>
                    </model>
                    """
                )
            )
            #expect(
                try workspace.read("Sources/App/Shop.xcdatamodeld/.xccurrentversion")
                    .contains("<string>Shop.xcdatamodel</string>")
            )
            for command in [["format", "--check"], ["validate", "--strict"]] {
                let checked = try await Program.chordata.run(
                    command + ["Sources/App/Shop.xcdatamodeld"],
                    in: workspace.folder
                )
                #expect(checked.exitCode == 0 && checked.output == "" && checked.errors == "", "\(checked)")
            }
        }
    }

    static let mistakes: [(options: [String], message: String)] = [
        (["--entity", "Item: sold Bool"], "attribute 'sold' has unknown type 'Bool' (the types are Binary, Boolean, "),
        (["--entity", "Item: sold Bool"], "; did you mean 'Boolean'?"),
        (["--entity", "Item: n Intger 16"], "; did you mean 'Integer 16'?"),
        (["--entity", "Item: title"], "'title' of entity 'Item' is not an attribute; write a name and a type"),
        (["--entity", "my item"], "'my item' cannot be the name of an entity"),
        (["--entity", "Item", "--entity", "Item"], "entity 'Item' is given twice; remove one of the two"),
        (["--entity", "Item: a String, a Date"], "[CD0203]"),
        (["--entity", "Item: a Integer 16 = x"], "[CD0212]"),
    ]

    @Test(arguments: mistakes)
    func mistakesWriteNothing(_ row: (options: [String], message: String)) async throws {
        try await withWorkspace { workspace in
            let result = try await Program.chordata.run(["model", "new", "M"] + row.options, in: workspace.folder)
            #expect(result.errors.contains(row.message), "\(result.errors)")
            #expect(result.exitCode != 0 && result.output == "")
            #expect(!workspace.exists("M.xcdatamodeld"))
        }
    }

    @Test func existingModelsStay() async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", ModelText.good)
            let result = try await workspace.chordata("model", "new", "M.xcdatamodeld")
            #expect(
                result.errors.contains(
                    "M.xcdatamodeld exists already; to add a version to it, run 'chordata model add-version"
                )
            )
            expectEqual(result.exitCode, 64)
            expectEqual(try workspace.read("M.xcdatamodeld/M.xcdatamodel/contents"), ModelText.good)
        }
    }

    @Test func versionsAreNumberedAndCopied() async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", ModelText.good)
            let first = try await workspace.chordata("model", "add-version", "M.xcdatamodeld")
            #expect(first.output == "M.xcdatamodeld/M 2.xcdatamodel\n" && first.exitCode == 0)
            expectEqual(try workspace.read("M.xcdatamodeld/M 2.xcdatamodel/contents"), ModelText.good)
            #expect(try workspace.read("M.xcdatamodeld/.xccurrentversion").contains("<string>M.xcdatamodel</string>"))
            let second = try await workspace.chordata("model", "add-version", "M.xcdatamodeld/", "--current")
            expectEqual(second.output, "M.xcdatamodeld/M 3.xcdatamodel\n")
            #expect(try workspace.read("M.xcdatamodeld/.xccurrentversion").contains("<string>M 3.xcdatamodel</string>"))
            let named = try await workspace.chordata(
                "model",
                "add-version",
                "M.xcdatamodeld",
                "--name",
                "Spring & Fall"
            )
            expectEqual(named.exitCode, 0)
            let taken = try await workspace.chordata("model", "add-version", "M.xcdatamodeld", "--name", "M 2")
            expectEqual(taken.errors, "Error: there is a version 'M 2' already; choose another name\n")
            expectEqual(taken.exitCode, 64)
            let outside = try await workspace.chordata("model", "add-version", "M.xcdatamodeld", "--name", "../N")
            #expect(outside.exitCode == 64 && !workspace.exists("N.xcdatamodel"))
            expectEqual(try await workspace.chordata("validate", "M.xcdatamodeld").exitCode, 0)
        }
    }

    @Test func versionOfASingleVersionIsRefused() async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", ModelText.good)
            let result = try await workspace.chordata("model", "add-version", "M.xcdatamodeld/M.xcdatamodel")
            #expect(result.errors.contains("is not an .xcdatamodeld, so it cannot have several versions"))
            expectEqual(result.exitCode, 64)
        }
    }
}
