import ChordataTestSupport
import Foundation
import Testing

/// `chordata migrate mapping`: the contents of mapping models, and the equivalent stage.
struct MigrateMappingTests {
    private struct Item {
        var type: String
        var attributes: [(String, String)] = []
        var references: [(String, String)] = []

        var text: String {
            let lines =
                attributes.map { "<attribute name=\"\($0.0)\" type=\"string\">\($0.1)</attribute>" }
                + references.map {
                    "<relationship name=\"\($0.0)\" type=\"0/0\" destination=\"X\" idrefs=\"\($0.1)\"></relationship>"
                }
            return lines.joined(separator: "\n")
        }
    }

    private func mapping(_ items: [Item]) -> String {
        let objects = items.enumerated().map { index, item in
            "<object type=\"\(item.type)\" id=\"z\(100 + index)\">\n\(item.text)\n</object>"
        }
        return """
            <?xml version="1.0" standalone="no"?>
            <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">
            <database><databaseInfo><version>1</version></databaseInfo>
            \(objects.joined(separator: "\n"))
            </database>
            """
    }

    /// Returns an archive as NSKeyedArchiver writes it.
    private func archive(_ objects: [Any]) throws -> String {
        // References have no public type, so dictionaries with one integer replace them, and become references in the
        // bytes.
        var bytes: [UInt8] = Array("bplist00".utf8)
        var offsets: [Int] = []
        func add(_ object: Any) -> Int {
            var content: [UInt8] = []
            switch object {
            case let text as String:
                content = [0x5F, 0x10, UInt8(text.utf8.count)] + Array(text.utf8)
            case let reference as Reference: content = [0x80, UInt8(reference.number)]
            case let list as [Any]:
                content = [0xA0 | UInt8(list.count)] + list.map { UInt8(add($0)) }
            case let fields as KeyValuePairs<String, Any>:
                let keys = fields.map { UInt8(add($0.key)) }
                content = [0xD0 | UInt8(fields.count)] + keys + fields.map { UInt8(add($0.value)) }
            default: content = [0]
            }
            offsets.append(bytes.count)
            bytes += content
            return offsets.count - 1
        }
        let list = objects.map { UInt8(add($0)) }
        offsets.append(bytes.count)
        bytes += [0xAF, 0x10, UInt8(list.count)] + list
        let all = offsets.count - 1
        let root: KeyValuePairs<String, Any> = ["root": Reference(number: 1)]
        let top = add(root)
        let (objectsKey, topKey) = (add("$objects"), add("$top"))
        offsets.append(bytes.count)
        bytes += [0xD2, UInt8(objectsKey), UInt8(topKey), UInt8(all), UInt8(top)]
        let table = bytes.count
        bytes += offsets.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        func number(_ value: Int) -> [UInt8] { (0..<8).reversed().map { UInt8(value >> ($0 * 8) & 0xFF) } }
        bytes += [0, 0, 0, 0, 0, 0, 2, 1] + number(offsets.count) + number(offsets.count - 1) + number(table)
        return Data(bytes).base64EncodedString()
    }

    private struct Reference { var number: Int }

    private func keyPath(_ path: String) throws -> String {
        let fields: [KeyValuePairs<String, Any>] = [
            [
                "NSOperand": Reference(number: 2), "NSSelectorName": Reference(number: 3),
                "NSArguments": Reference(number: 4), "$class": Reference(number: 5),
            ],
            ["NSVariable": Reference(number: 6), "$class": Reference(number: 7)],
            ["NS.objects": [Reference(number: 8)] as [Any]],
            ["$classname": Reference(number: 9)],
            ["$classname": Reference(number: 10)],
            ["NSKeyPath": Reference(number: 11), "$class": Reference(number: 12)],
            ["$classname": Reference(number: 13)],
        ]
        return try archive([
            "$null", fields[0], fields[1], "valueForKeyPath:", fields[2], fields[3], "source", fields[4], fields[5],
            "NSKeyPathExpression", "NSVariableExpression", path, fields[6], "NSKeyPathSpecifierExpression",
        ])
    }

    /// Returns an expression for the objects that a mapping has created from the source object.
    private func results(_ mappingName: String) throws -> String {
        let fields: [KeyValuePairs<String, Any>] = [
            [
                "NSOperand": Reference(number: 2), "NSSelectorName": Reference(number: 3),
                "NSArguments": Reference(number: 4), "$class": Reference(number: 5),
            ],
            ["NSVariable": Reference(number: 6), "$class": Reference(number: 7)],
            ["NS.objects": [Reference(number: 8), Reference(number: 9)] as [Any]],
            ["$classname": Reference(number: 10)],
            ["$classname": Reference(number: 11)],
            ["NSConstantValue": Reference(number: 12), "$class": Reference(number: 13)],
            ["NSVariable": Reference(number: 14), "$class": Reference(number: 7)],
            ["$classname": Reference(number: 15)],
        ]
        return try archive([
            "$null", fields[0], fields[1], "destinationInstancesForEntityMappingNamed:sourceInstances:", fields[2],
            fields[3], "manager", fields[4], fields[5], fields[6], "NSFunctionExpression", "NSVariableExpression",
            mappingName, fields[7], "source", "NSConstantValueExpression",
        ])
    }

    /// Returns a mapping model of shops: one attribute gets the value of another, one has an expression without a
    /// format, relics have a migration policy, and one entity is new.
    private func items() throws -> [Item] {
        [
            Item(
                type: "XDDEVMAPPINGMODEL",
                attributes: [
                    ("sourcemodelpath", "Shop/M.xcdatamodeld/M.xcdatamodel"),
                    ("destinationmodelpath", "Shop/M.xcdatamodeld/M 2.xcdatamodel"),
                ],
                references: [("entitymappings", "z101 z104 z106 z107")]
            ),
            Item(
                type: "XDDEVENTITYMAPPING",
                attributes: [
                    ("sourcename", "Person"), ("destinationname", "Person"), ("mappingnumber", "2"),
                    ("sourcefilterpredicatestring", "age &gt; 3"), ("migrationpolicyclassname", ""),
                ],
                references: [("attributemappings", "z102 z103"), ("relationshipmappings", "")]
            ),
            Item(
                type: "XDDEVATTRIBUTEMAPPING",
                attributes: [("name", "title"), ("valueexpressiondata", try keyPath("name"))]
            ),
            Item(
                type: "XDDEVATTRIBUTEMAPPING",
                attributes: [("name", "rank"), ("valueexpressiondata", "bm90aGluZw==")]
            ),
            Item(
                type: "XDDEVENTITYMAPPING",
                attributes: [
                    ("sourcename", "Relic"), ("destinationname", "Person"), ("mappingnumber", "1"),
                    ("migrationpolicyclassname", "Shop.RelicPolicy"),
                ],
                references: [("attributemappings", "z105")]
            ),
            Item(type: "XDDEVATTRIBUTEMAPPING", attributes: [("name", "title")]),
            Item(type: "XDDEVENTITYMAPPING", attributes: [("destinationname", "Tag"), ("mappingnumber", "3")]),
            Item(type: "XDDEVENTITYMAPPING", attributes: [("sourcename", "Dust"), ("mappingnumber", "4")]),
        ]
    }

    private func withMapping(_ body: (Workspace) async throws -> Void) async throws {
        try await withWorkspace { workspace in
            try workspace.write(mapping(try items()), to: "M to M 2.xcmappingmodel/xcmapping.xml")
            try workspace.writeModel(
                "M",
                old: modelFile(
                    entity("Person", attribute("name"), attribute("age", "Integer 16")),
                    entity("Relic", attribute("title")),
                    entity("Dust", attribute("name"))
                ),
                new: modelFile(
                    entity("Person", attribute("title"), attribute("rank"), attribute("age", "Integer 16")),
                    entity("Tag", attribute("name"))
                )
            )
            try await body(workspace)
        }
    }

    private func run(_ workspace: Workspace, _ arguments: String...) async throws -> Program.Result {
        try await Program.chordata.run(["migrate", "mapping"] + arguments, in: workspace.folder)
    }

    @Test func aReportInPlainEnglish() async throws {
        try await withMapping { workspace in
            let result = try await run(workspace, "M to M 2.xcmappingmodel")
            #expect(
                result.output == """
                    'M' to 'M 2'

                    For each object of 'Relic', an object of 'Person' is created:
                    - The NSEntityMigrationPolicy 'Shop.RelicPolicy' also runs code that is not in the mapping model.
                    - All other properties are mapped by name.

                    Objects of 'Person' are kept:
                    - Only objects where age > 3; other objects are handled by another entity mapping, or deleted.
                    - Attribute 'rank' is the value of an expression that only Xcode can display.
                    - Attribute 'title' is the value of 'name' of the source object.
                    - All other properties are mapped by name.

                    'Tag' is new, and has no objects.

                    Objects of 'Dust' are removed.

                    """
            )
            expectEqual(result.exitCode, 0)
            let json = try await run(workspace, "M to M 2.xcmappingmodel/xcmapping.xml", "--format", "json")
            #expect(json.output.contains("\"expression\":\"$source.name\""))
            _ = try JSONSerialization.jsonObject(with: Data(json.output.utf8))
        }
    }

    /// The text is in `MappedStage.swift` of the runtime's tests, where it compiles and runs.
    @Test func aStageThatDoesTheSame() async throws {
        try await withMapping { workspace in
            let result = try await run(
                workspace,
                "M to M 2.xcmappingmodel",
                "--swift",
                "--model",
                "M.xcdatamodeld"
            )
            #expect(
                result.errors.contains(
                    "All changes of the model are inferred, but these mappings are not"
                )
            )
            let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .appending(path: "ChordataTests/Migration/MappedStage.swift")
            if ProcessInfo.processInfo.environment["CHORDATA_RECORD"] != nil {
                try Data(result.output.utf8).write(to: file)
                Issue.record("recorded; read the diff, and run it again without")
            }
            expectEqual(try String(contentsOf: file, encoding: .utf8), result.output)
        }
    }

    /// A mapping that the model does not contain is a task, however the versions differ.
    @Test func tasksOfAStage() async throws {
        struct Report: Decodable { var tasksOfStage: [String] }
        try await withMapping { workspace in
            let arguments = ["M to M 2.xcmappingmodel", "--model", "M.xcdatamodeld", "--format", "json"]
            let json = try await Program.chordata.run(["migrate", "mapping"] + arguments, in: workspace.folder)
            let report = try JSONDecoder().decode(Report.self, from: Data(json.output.utf8))
            expectEqual(
                report.tasksOfStage,
                [
                    "objects of 'Person' are created from objects of 'Relic'",
                    "the migration policy 'Shop.RelicPolicy' of entity 'Person' runs code that is not in the mapping model; write "
                        + "the same code in this stage",
                    "of the source objects of 'Person', only those with age > 3 are migrated",
                    "'rank' of 'Person' is the value of an expression that only Xcode can display",
                    "'title' of 'Person' is the value of 'name' of the source object",
                ]
            )
            let text = try await run(workspace, "M to M 2.xcmappingmodel", "--model", "M.xcdatamodeld")
            #expect(text.output.contains("so a stage is needed:\n- objects of 'Person' are created from"))
            let both = try await run(workspace, "M to M 2.xcmappingmodel", "--swift", "--format", "json")
            #expect(both.errors.contains("--swift cannot be combined") && both.exitCode == 64)
        }
    }

    /// If the versions are listed in the opposite order, the mapping is from a newer version to an older one.
    @Test func aMappingAgainstTheOrder() async throws {
        try await withMapping { workspace in
            try workspace.write("{ \"versions\": [\"M 2\", \"M\"] }", to: "chordata.json")
            let result = try await run(workspace, "M to M 2.xcmappingmodel", "--model", "M.xcdatamodeld")
            #expect(
                result.errors.hasSuffix(
                    "Error: 'M' does not come before 'M 2': versions are ordered by 'versions' in chordata.json\n"
                ),
                "\(result)"
            )
            expectEqual(result.exitCode, 64)
        }
    }

    /// Mappings by name or by a renaming identifier do not need a stage.
    @Test func mappingsThatNeedNoStage() async throws {
        var items = try items()
        items[0].references = [("entitymappings", "z101")]
        items[1...] = [
            Item(
                type: "XDDEVENTITYMAPPING",
                attributes: [("sourcename", "Person"), ("destinationname", "Person")],
                references: [("attributemappings", "z102")]
            ),
            Item(
                type: "XDDEVATTRIBUTEMAPPING",
                attributes: [("name", "title"), ("valueexpressiondata", try keyPath("name"))]
            ),
        ]
        try await withMapping { workspace in
            try workspace.write(mapping(items), to: "M.xcmappingmodel/xcmapping.xml")
            try workspace.write(
                modelFile(entity("Person", attribute("title", was: "name"), attribute("age", "Integer 16"))),
                to: "M.xcdatamodeld/M 2.xcdatamodel/contents"
            )
            let result = try await run(workspace, "M.xcmappingmodel", "--model", "M.xcdatamodeld")
            #expect(result.output.hasSuffix("is inferred, so no stage is needed.\n"), "\(result)")
        }
    }

    /// If objects are divided among mappings, they are deleted after each mapping has used its own.
    @Test func dividedObjectsAreDeletedLast() async throws {
        func divided(_ destination: String, _ predicate: String) -> Item {
            Item(
                type: "XDDEVENTITYMAPPING",
                attributes: [
                    ("sourcename", "Person"), ("destinationname", destination),
                    ("sourcefilterpredicatestring", predicate),
                ]
            )
        }
        var items = try items()
        items[0].references = [("entitymappings", "z101 z102")]
        items[1...] = [divided("Person", "isEmployee == NO"), divided("Employee", "isEmployee == YES")]
        try await withWorkspace { workspace in
            try workspace.write(mapping(items), to: "M.xcmappingmodel/xcmapping.xml")
            let output = try await run(workspace, "M.xcmappingmodel", "--swift").output
            #expect(!output.contains("willMigrate"))
            let made = try #require(output.firstRange(of: "forEntityName: \"Employee\""))
            let deleted = try #require(output.firstRange(of: "try migration.discard(unwanted)"))
            #expect(made.upperBound < deleted.lowerBound)
            #expect(output.contains(#".where(format: "NOT (isEmployee == NO)")"#))
        }
    }

    /// An object is kept if any of the mappings carries it over.
    @Test func severalMappingsThatCarryObjectsOver() async throws {
        func carrying(_ predicate: String) -> Item {
            Item(
                type: "XDDEVENTITYMAPPING",
                attributes: [
                    ("sourcename", "Person"), ("destinationname", "Person"), ("sourcefilterpredicatestring", predicate),
                ]
            )
        }
        var items = try items()
        items[0].references = [("entitymappings", "z101 z102")]
        items[1...] = [carrying("kind == 1"), carrying("kind == 2")]
        try await withWorkspace { workspace in
            try workspace.write(mapping(items), to: "M.xcmappingmodel/xcmapping.xml")
            let output = try await run(workspace, "M.xcmappingmodel", "--swift").output
            #expect(output.contains(#".where(format: "NOT ((kind == 1) OR (kind == 2))")"#), "\(output)")
            expectEqual(output.split(separator: "migration.discard(").count, 2)
        }
    }

    /// For a mapping that keeps an object, its result is that object; results of other mappings cannot be found again.
    @Test func resultsOfOtherMappings() async throws {
        var items = try items()
        func mapping(_ destination: String, _ relationships: String) -> Item {
            Item(
                type: "XDDEVENTITYMAPPING",
                attributes: [("sourcename", "Person"), ("destinationname", destination)],
                references: [("relationshipmappings", relationships)]
            )
        }
        func relationship(_ name: String, _ mappingName: String) throws -> Item {
            Item(
                type: "XDDEVRELATIONSHIPMAPPING",
                attributes: [("name", name), ("valueexpressiondata", try results(mappingName))]
            )
        }
        items[0].references = [("entitymappings", "z101 z102 z103")]
        items[1...] = [
            mapping("Person", "z106"), mapping("Card", "z104 z105"), mapping("Badge", ""),
            try relationship("owner", "PersonToPerson"), try relationship("badge", "PersonToBadge"),
            try relationship("card", "PersonToCard"),
        ]
        try await withWorkspace { workspace in
            try workspace.write(self.mapping(items), to: "M.xcmappingmodel/xcmapping.xml")
            let output = try await run(workspace, "M.xcmappingmodel", "--swift").output
            #expect(output.contains("        object.setValue(old, forKey: \"owner\")\n"), "\(output)")
            #expect(output.contains("        // TODO: set 'badge' to the result of entity mapping 'PersonToBadge'"))
            // A loop over the objects that are kept would not use them.
            #expect(output.contains("        // TODO: set 'card' to the result of entity mapping 'PersonToCard'"))
            #expect(!output.contains("for object in"))
            // The created objects and their source objects would not be used either.
            #expect(output.contains("    for _ in "))
            #expect(output.contains("        _ = EntityDescription.insertNewObject(forEntityName: \"Badge\""))
        }
    }

    /// There is no step between versions that are not consecutive.
    @Test func aMappingOverSeveralVersionsIsSeveralStages() async throws {
        try await withMapping { workspace in
            try workspace.write(
                modelFile(entity("Person", attribute("name"))),
                to: "M.xcdatamodeld/M 1b.xcdatamodel/contents"
            )
            let result = try await run(workspace, "M to M 2.xcmappingmodel", "--model", "M.xcdatamodeld")
            #expect(result.output.contains("There are other versions between these two: 'M 1b'."), "\(result)")
        }
    }

    /// A part that is referenced several times is not read again for each path.
    @Test func selfReferencingExpressions() async throws {
        let fields: [KeyValuePairs<String, Any>] = [
            [
                "NSOperand": Reference(number: 1), "NSSelectorName": Reference(number: 2),
                "NSArguments": Reference(number: 3), "$class": Reference(number: 4),
            ],
            ["NS.objects": [Reference(number: 1), Reference(number: 1)] as [Any]],
            ["$classname": Reference(number: 5)],
        ]
        let archive = try archive(["$null", fields[0], "sum:", fields[1], fields[2], "NSFunctionExpression"])
        var items = try items()
        items[2].attributes[1].1 = archive
        try await withWorkspace { workspace in
            try workspace.write(mapping(items), to: "M.xcmappingmodel/xcmapping.xml")
            let result = try await run(workspace, "M.xcmappingmodel")
            #expect(
                result.output.contains(
                    "Attribute 'title' is the value of an expression that only Xcode can display."
                )
            )
        }
    }

    @Test func invalidMappingModelsAreReported() async throws {
        try await withMapping { workspace in
            try workspace.write("<database></database>", to: "Empty.xcmappingmodel/xcmapping.xml")
            try workspace.write("<database>", to: "Broken.xcmappingmodel/xcmapping.xml")
            for (path, message) in [
                ("Empty.xcmappingmodel", "is not a mapping model"), ("Broken.xcmappingmodel", "well-formed"),
                ("Missing.xcmappingmodel", "no mapping model here"), ("M.xcdatamodeld", "no mapping model here"),
            ] {
                let result = try await run(workspace, path)
                #expect(result.errors.contains(message), "\(result.errors)")
                expectEqual(result.exitCode, 1)
            }
            let validated = try await Program.chordata.run(
                ["validate", "M to M 2.xcmappingmodel"],
                in: workspace.folder
            )
            #expect(validated.errors.contains("'chordata migrate mapping' lists what it maps"), "\(validated.errors)")
            expectEqual(validated.exitCode, 1)
        }
    }

    /// Truncated archives, or archives with wrong bytes, are expressions that cannot be decoded.
    @Test func damagedExpressions() async throws {
        let whole = try #require(Data(base64Encoded: try keyPath("name")))
        var damaged = (0..<40).map { whole.prefix(whole.count * $0 / 40) }
        for place in whole.indices {
            var data = whole
            data[place] = UInt8(truncatingIfNeeded: (place &+ 7) &* 151)
            damaged.append(data)
        }
        var items = try items()
        let first = items.count
        for data in damaged {
            items.append(
                Item(
                    type: "XDDEVATTRIBUTEMAPPING",
                    attributes: [("name", "title"), ("valueexpressiondata", data.base64EncodedString())]
                )
            )
        }
        items[4].references = [
            ("attributemappings", items.indices[first...].map { "z\(100 + $0)" }.joined(separator: " "))
        ]
        try await withWorkspace { workspace in
            try workspace.write(mapping(items), to: "M.xcmappingmodel/xcmapping.xml")
            let result = try await run(workspace, "M.xcmappingmodel")
            expectEqual(result.exitCode, 0, "\(result.errors) \(damaged.map { $0.base64EncodedString() })")
            #expect(result.output.contains("that only Xcode can display"))
        }
    }
}
