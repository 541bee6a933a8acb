import ChordataDiagnostics
import ChordataMigration
import ChordataModel
import ChordataTestSupport
import Testing

/// Lints of an inferable step that do not result from a single change.
struct PlanLintTests {
    private func diagnostics(_ source: [EntityDescription], _ destination: [EntityDescription]) throws -> [String] {
        planMigration(
            from: try ManagedObjectModel(entities: source),
            to: try ManagedObjectModel(entities: destination),
            sourceName: "1",
            destinationName: "2",
            locate: { _, _ in nil }
        ).diagnostics.map { "\($0.id.rawValue) \($0.message)" }
    }

    /// One of the two properties is inherited, so the model file does not show the problem.
    @Test func onePropertyCannotBecomeTwo() throws {
        let found = try diagnostics(
            [entity("Root", [attribute("a")]), entity("Sub", below: "Root")],
            [entity("Root", [attribute("a")]), entity("Sub", [attribute("c", was: "a")], below: "Root")]
        )
        #expect(
            found.contains {
                $0.hasPrefix(
                    "CD0401 'c' of 'Sub' is renamed from 'a' by its renaming identifier, but 'Sub' still has 'a', and only "
                        + "one of the two can receive the old values"
                )
            },
            "\(found)"
        )
    }

    @Test(arguments: [true, false])
    func aToOneInverseOfAToManyKeepsOne(_ wasToMany: Bool) throws {
        let found = try diagnostics(
            [entity("P", [], [to("Q", "qs", isToMany: wasToMany)]), entity("Q")],
            [
                entity("P", [], [to("Q", "qs", inverse: "p", isToMany: true)]),
                entity("Q", [], [to("P", "p", inverse: "qs")]),
            ]
        )
        #expect(found.contains { $0.hasPrefix("CD0410") && $0.contains("only the oldest keeps it") }, "\(found)")
        expectEqual(found.count { $0.hasPrefix("CD0412") }, 1, "\(found)")
    }

    @Test func referencesToEntitiesOutsideTheHierarchyAreLost() throws {
        let x = entity("X", [], [to("Root", "r")])
        let found = try diagnostics(
            [entity("Root", [attribute("n")]), entity("Sub", below: "Root"), x],
            [entity("Root", [attribute("n")]), entity("Sub", [attribute("n")]), x]
        )
        #expect(
            found.contains { $0.hasPrefix("CD0402 'r' of 'X' can no longer reference objects of 'Sub'") },
            "\(found)"
        )
        // 'Sub' now declares the attribute that it inherited before.
        #expect(!found.contains { $0.hasPrefix("CD0402") && $0.contains("'n'") }, "\(found)")
    }

    /// Two rows may have the same value if a row comes from another hierarchy, gets a default, or is converted.
    @Test func possibleDuplicatesOfUniqueValuesAreReported() throws {
        let root = entity("Root", [attribute("n")], unique: [["n"]])
        let joined = try diagnostics(
            [root, entity("Oth", [attribute("n")])],
            [root, entity("Oth", below: "Root")]
        )
        #expect(
            joined.contains {
                $0.hasPrefix("CD0410 'n' of 'Root' must be unique: a store in which two objects have the same")
            },
            "\(joined)"
        )
        #expect(!joined.contains { $0.hasPrefix("CD0402") }, "\(joined)")
        let filled = AttributeDescription(name: "n", attributeType: .string, defaultValue: .string("x"))
        let inherited = try diagnostics(
            [entity("Base", [attribute("n")]), entity("Sub", below: "Base", unique: [["n"]])],
            [entity("Base", [filled]), entity("Sub", below: "Base", unique: [["n"]])]
        )
        #expect(
            inherited.contains {
                $0.hasPrefix("CD0410 'n' of 'Sub' must be unique: a store in which two objects have no value")
            },
            "\(inherited)"
        )
        let constant = try diagnostics(
            [entity("Root", [filled], unique: [["n"]]), entity("Oth")],
            [entity("Root", [filled], unique: [["n"]]), entity("Oth", below: "Root")]
        )
        #expect(
            constant.contains {
                $0.hasPrefix("CD0410") && $0.contains("two or more objects of 'Oth', which all get the same")
            },
            "\(constant)"
        )
        expectEqual(
            try diagnostics([root], [entity("Root", [attribute("n"), attribute("o")], unique: [["n"]])]),
            []
        )
    }

    /// A new constraint depends on the data only where a store can have objects of the entity.
    @Test func constraintsOfNewEntitiesDependOnNothing() throws {
        let item = entity("Item", [attribute("n")])
        let new = entity("New", [attribute("n")], unique: [["n"]])
        expectEqual(try diagnostics([item], [item, new]), [])
        let below = entity("New", [attribute("m")], below: "Item", unique: [["m"]])
        expectEqual(try diagnostics([item], [item, below]), [])
        // The subentity may have existing objects.
        let found = try diagnostics(
            [item],
            [entity("Item", [attribute("n")], below: "New"), entity("New", [attribute("o")], unique: [["o"]])]
        )
        #expect(found.contains { $0.hasPrefix("CD0410") && $0.contains("'o' of 'New'") }, "\(found)")
    }

    @Test func columnsRenamedBecauseOfASiblingAreReported() throws {
        let found = try diagnostics(
            [entity("Base"), entity("M", [attribute("x")], below: "Base")],
            [
                entity("Base"), entity("M", [attribute("x")], below: "Base"),
                entity("D", [attribute("x")], below: "Base"),
            ]
        )
        #expect(
            found.contains {
                $0.hasPrefix("CD0412") && $0.contains("column 'x' of 'Base' is now called 'x_M' for objects of 'M'")
            },
            "\(found)"
        )
    }

    @Test func newlyRequiredRelationshipsAreReported() throws {
        func model(isOptional: Bool) -> [EntityDescription] {
            [
                entity(
                    "P",
                    [],
                    [
                        to("Q", "q", isOptional: isOptional),
                        to("Q", "qs", isToMany: true, isOptional: isOptional),
                    ]
                ),
                entity("Q"),
            ]
        }
        let found = try diagnostics(model(isOptional: true), model(isOptional: false))
        expectEqual(found.count { $0.hasPrefix("CD0403") && $0.contains("became required") }, 2, "\(found)")
        expectEqual(try diagnostics(model(isOptional: false), model(isOptional: true)), [])
    }

    @Test func newlyTransientAttributesAreNotReportedAsRounded() throws {
        let transient = AttributeDescription(
            name: "n",
            attributeType: .transformable,
            isOptional: true,
            isTransient: true
        )
        let found = try diagnostics([entity("P", [attribute("n")])], [entity("P", [transient])])
        #expect(!found.contains { $0.hasPrefix("CD0409") }, "\(found)")
        #expect(found.contains { $0.hasPrefix("CD0402") }, "\(found)")
    }
}
