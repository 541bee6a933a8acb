import ChordataDiagnostics
import ChordataMigration
import ChordataModel
import Testing

/// What an author is told of a step that can be made, beyond what one change alone tells.
struct PlanLintTests {
    private static func text(_ name: String, isOptional: Bool = true, was: String? = nil) -> AttributeDescription {
        AttributeDescription(name: name, attributeType: .string, isOptional: isOptional, renamingIdentifier: was)
    }

    private static func to(
        _ destination: String,
        _ name: String,
        inverse: String? = nil,
        isToMany: Bool = false,
        isOptional: Bool = true
    ) -> RelationshipDescription {
        RelationshipDescription(
            name: name,
            destinationEntityName: destination,
            inverseName: inverse,
            isToMany: isToMany,
            isOptional: isOptional
        )
    }

    private static func entity(
        _ name: String,
        _ attributes: [AttributeDescription] = [],
        _ relationships: [RelationshipDescription] = [],
        below superentityName: String? = nil,
        unique: [[String]] = []
    ) -> EntityDescription {
        EntityDescription(
            name: name,
            superentityName: superentityName,
            attributes: attributes,
            relationships: relationships,
            uniquenessConstraints: unique
        )
    }

    private func diagnostics(_ source: [EntityDescription], _ destination: [EntityDescription]) throws -> [String] {
        planMigration(
            from: try ManagedObjectModel(entities: source),
            to: try ManagedObjectModel(entities: destination),
            sourceName: "1",
            destinationName: "2",
            locate: { _, _ in nil }
        ).diagnostics.map { "\($0.id.rawValue) \($0.message)" }
    }

    /// One of them is inherited, so the file of the model does not tell.
    @Test func twoPropertiesCannotHaveBeenOne() throws {
        let found = try diagnostics(
            [Self.entity("Root", [Self.text("a")]), Self.entity("Sub", below: "Root")],
            [Self.entity("Root", [Self.text("a")]), Self.entity("Sub", [Self.text("c", was: "a")], below: "Root")]
        )
        #expect(
            found.contains {
                $0.hasPrefix(
                    "CD0401 'c' of 'Sub' has the renaming identifier of 'a', which 'Sub' still has, and only one can have been it"
                )
            },
            "\(found)"
        )
    }

    @Test(arguments: [true, false])
    func aToOneInverseOfAToManyKeepsOne(_ wasToMany: Bool) throws {
        let found = try diagnostics(
            [Self.entity("P", [], [Self.to("Q", "qs", isToMany: wasToMany)]), Self.entity("Q")],
            [
                Self.entity("P", [], [Self.to("Q", "qs", inverse: "p", isToMany: true)]),
                Self.entity("Q", [], [Self.to("P", "p", inverse: "qs")]),
            ]
        )
        #expect(found.contains { $0.hasPrefix("CD0410") && $0.contains("only the oldest keeps it") }, "\(found)")
        #expect(found.count { $0.hasPrefix("CD0412") } == 1, "\(found)")
    }

    @Test func linksToWhatLeftItsHierarchyAreLost() throws {
        let x = Self.entity("X", [], [Self.to("Root", "r")])
        let found = try diagnostics(
            [Self.entity("Root", [Self.text("n")]), Self.entity("Sub", below: "Root"), x],
            [Self.entity("Root", [Self.text("n")]), Self.entity("Sub", [Self.text("n")]), x]
        )
        #expect(
            found.contains { $0.hasPrefix("CD0402 'Sub' are no 'Root' any more") && $0.contains("'r' of 'X'") },
            "\(found)"
        )
        // What it inherited it has itself now.
        #expect(!found.contains { $0.hasPrefix("CD0402") && $0.contains("'n'") }, "\(found)")
    }

    /// Values that two rows may have: of a row that comes from elsewhere, that has none, that is converted.
    @Test func valuesThatMayBeAlikeAreTold() throws {
        let root = Self.entity("Root", [Self.text("n")], unique: [["n"]])
        let joined = try diagnostics(
            [root, Self.entity("Oth", [Self.text("n")])],
            [root, Self.entity("Oth", below: "Root")]
        )
        #expect(
            joined.contains {
                $0.hasPrefix("CD0410 'n' of 'Root' is unique: a store in which two objects have the same")
            },
            "\(joined)"
        )
        #expect(!joined.contains { $0.hasPrefix("CD0402") }, "\(joined)")
        let filled = AttributeDescription(name: "n", attributeType: .string, defaultValue: .string("x"))
        let inherited = try diagnostics(
            [Self.entity("Base", [Self.text("n")]), Self.entity("Sub", below: "Base", unique: [["n"]])],
            [Self.entity("Base", [filled]), Self.entity("Sub", below: "Base", unique: [["n"]])]
        )
        #expect(
            inherited.contains {
                $0.hasPrefix("CD0410 'n' of 'Sub' is unique: a store in which two objects have no value")
            },
            "\(inherited)"
        )
        let constant = try diagnostics(
            [Self.entity("Root", [filled], unique: [["n"]]), Self.entity("Oth")],
            [Self.entity("Root", [filled], unique: [["n"]]), Self.entity("Oth", below: "Root")]
        )
        #expect(
            constant.contains { $0.hasPrefix("CD0410") && $0.contains("two objects of 'Oth', which get the same") },
            "\(constant)"
        )
        #expect(
            try diagnostics([root], [Self.entity("Root", [Self.text("n"), Self.text("o")], unique: [["n"]])]) == []
        )
    }

    @Test func aColumnWhoseNameASiblingTakesIsTold() throws {
        let found = try diagnostics(
            [Self.entity("Base"), Self.entity("M", [Self.text("x")], below: "Base")],
            [
                Self.entity("Base"), Self.entity("M", [Self.text("x")], below: "Base"),
                Self.entity("D", [Self.text("x")], below: "Base"),
            ]
        )
        #expect(
            found.contains { $0.hasPrefix("CD0412") && $0.contains("column 'x' of 'Base' is 'x_M' for 'M'") },
            "\(found)"
        )
    }

    @Test func whatBecameRequiredIsTold() throws {
        func model(isOptional: Bool) -> [EntityDescription] {
            [
                Self.entity(
                    "P",
                    [],
                    [
                        Self.to("Q", "q", isOptional: isOptional),
                        Self.to("Q", "qs", isToMany: true, isOptional: isOptional),
                    ]
                ),
                Self.entity("Q"),
            ]
        }
        let found = try diagnostics(model(isOptional: true), model(isOptional: false))
        #expect(found.count { $0.hasPrefix("CD0403") && $0.contains("became required") } == 2, "\(found)")
        #expect(try diagnostics(model(isOptional: false), model(isOptional: true)) == [])
    }

    @Test func whatIsNotStoredAnyMoreIsNotRounded() throws {
        let transient = AttributeDescription(
            name: "n",
            attributeType: .transformable,
            isOptional: true,
            isTransient: true
        )
        let found = try diagnostics([Self.entity("P", [Self.text("n")])], [Self.entity("P", [transient])])
        #expect(!found.contains { $0.hasPrefix("CD0409") }, "\(found)")
        #expect(found.contains { $0.hasPrefix("CD0402") }, "\(found)")
    }
}
