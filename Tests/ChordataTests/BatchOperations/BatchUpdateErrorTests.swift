import ChordataTestStores
import ChordataTestSupport
import Foundation
import Testing

@testable import Chordata
@testable import NaivePredicates

/// Batch updates that are refused, and then leave every row unchanged.
struct BatchUpdateErrorTests {
    /// - Returns: The first failure of a request, if it is the same for all unchanged rows.
    private func failure(
        _ request: BatchUpdateRequest<ManagedObject>,
        in model: ModelDefinition,
        _ rows: [(entity: String, values: [String: Any])]
    ) throws -> BatchUpdateError? {
        try withStorePath { path in
            let container = try model.testContainer(at: path)
            let context = container.newContext()
            for (entity, values) in rows {
                let object = EntityDescription.insertNewObject(forEntityName: entity, into: context)
                for (key, value) in values { object.setValue(value, forKey: key) }
            }
            try context.save()
            let before = try dump(container, request.entityName)
            let error = #expect(throws: BatchUpdateError.self) { try context.execute(request) }
            expectEqual(try dump(container, request.entityName), before)
            // Other contexts can still write to the store.
            let other = container.newContext()
            other.delete(try #require(try other.fetchOne(FetchRequest<ManagedObject>(entityName: rows[0].entity))))
            try other.save()
            return error
        }
    }

    private func dump(_ container: PersistentContainer, _ entityName: String) throws -> [[String: AnyHashable]] {
        let rows = try container.newContext().fetch(FetchRequest<ManagedObject>(entityName: entityName).dictionaries)
        return rows.map { $0.mapValues { AnyHashable($0) } }
    }

    private var animals: BatchUpdateRequest<ManagedObject> { BatchUpdateRequest(entityName: "Animal") }
    private let zoo = ModelDefinition(name: "Naive", versionName: "Naive", model: NaiveModel.model)

    @Test(
        arguments: [
            ("nam", nil), ("mood", "is transient"), ("tags", "is Transformable"), ("film", "allows external storage"),
            ("toys", "is a to-many"), ("pups", "is a to-many"), ("home", "is a composite"),
        ] as [(String, String?)]
    )
    func propertiesThatAreNotInTheRow(name: String, reason: String?) throws {
        let error = try failure(animals.setting(name, to: nil), in: zoo, [("Animal", ["name": "a"])])
        switch error {
        case .unknownProperty(name, "Animal", let suggestion): #expect(reason == nil && suggestion == "name")
        case .notUpdatable(name, "Animal", let given): #expect(given.hasPrefix(reason ?? "?"))
        default: Issue.record("\(String(describing: error))")
        }
    }

    @Test func nothing() throws {
        let error = try failure(animals, in: zoo, [("Animal", ["name": "a"])])
        expectEqual(error, .nothingToUpdate(entityName: "Animal"))
    }

    @Test(arguments: [
        ("age", 40_000 as any PredicateArgument & Sendable), ("age", 1.5), ("age", "12"), ("weight", Double.nan),
        ("name", 3), ("tame", 2),
        ("born", "today"), ("uuid", "x"), ("price", Decimal.nan), ("photo", "x"),
    ])
    func constantsThatDoNotFit(name: String, value: any PredicateArgument & Sendable) throws {
        let error = try failure(animals.setting(name, to: value), in: zoo, [("Animal", ["name": "a"])])
        guard case .invalidValue(name, "Animal", _, nil) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    /// The first rows have values that fit; the error reports the row whose value does not fit.
    @Test func computedValuesThatDoNotFit() throws {
        let rows = [1, 2, 20_000, 3].map { ("Animal", ["name": "a", "age": $0] as [String: Any]) }
        let twice = animals.setting("age", to: try FetchExpression(format: "age * 2"))
        let error = try failure(twice, in: zoo, rows)
        guard case .invalidValue("age", "Animal", _, let objectID?) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        expectEqual(objectID.key, 3)
        #expect("\(try #require(error))".contains("'age' of 'Animal' has type Integer 16, but its new value in "))
    }

    @Test func requiredValues() throws {
        let items: [(String, [String: Any])] = [("Item", ["id": 1, "a": 5]), ("Item", ["id": 2])]
        let model = try ConflictModel.definition()
        let request = BatchUpdateRequest<ManagedObject>(entityName: "Item")
        expectEqual(
            try failure(request.setting("id", to: nil), in: model, [("Tag", ["word": "w"])] + items),
            .missingValue("id", entityName: "Item", objectID: nil)
        )
        let error = try failure(
            request.setting("id", to: try FetchExpression(format: "a")),
            in: model,
            [("Text", [:])] + items
        )
        guard case .missingValue("id", "Item", let objectID?) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        expectEqual(objectID.key, 3)
    }

    @Test(arguments: ["partner", "place"]) func relationshipsWithAnotherEnd(name: String) throws {
        let request = BatchUpdateRequest<ManagedObject>(entityName: "Item").setting(name, to: nil)
        let error = try failure(request, in: try ConflictModel.definition(), [("Item", ["id": 1])])
        guard case .notUpdatable(name, "Item", _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func missingDestinations() throws {
        try withStorePath { path in
            let store = try ConflictStore(path: path)
            let context = store.here
            let item = store.insert("Item", ["id": 1])
            let doomed = store.insert("Owner", ["id": 1])
            try context.save()
            let gone = doomed.objectID
            context.delete(doomed)
            try context.save()
            let unsaved = store.insert("Owner", ["id": 2])
            let elsewhere = try ConflictStore(path: ":memory:")
            let foreign = elsewhere.insert("Owner", ["id": 3])
            try elsewhere.here.save()
            for value in [unsaved, foreign, gone, item, 5, "x"] as [any PredicateArgument] {
                let request = BatchUpdateRequest<ManagedObject>(entityName: "Item").setting("owner", to: value)
                let error = #expect(throws: BatchUpdateError.self) { try context.execute(request) }
                expectEqual(error, .unknownDestination("owner", entityName: "Item", destinationEntityName: "Owner"))
            }
            let computed = BatchUpdateRequest<ManagedObject>(entityName: "Item")
                .setting("link", to: try FetchExpression(format: "link.link"))
            #expect(throws: BatchUpdateError.self) { try context.execute(computed) }
            // A relationship without an inverse is stored in a column, and can be updated.
            let itself = BatchUpdateRequest<ManagedObject>(entityName: "Item").setting("link", to: item)
            context.mergeChanges(try context.execute(itself).changes)
            #expect(item.value(forKey: "link") as? ManagedObject === item)
            expectEqual(elsewhere.here.registeredObjects.count, 1)
        }
    }

    @Test func valuesThatMustBeUnique() throws {
        let rows: [(String, [String: Any])] = ["a", "b", "c"].map { ("Tag", ["word": $0, "other": "o" + $0]) }
        let model = try ConflictModel.definition()
        let tags = BatchUpdateRequest<ManagedObject>(entityName: "Tag")
        expectEqual(
            try failure(tags.setting("word", to: "x"), in: model, rows),
            .notUnique(["word"], entityName: "Tag")
        )
        let both = tags.setting("word", to: try FetchExpression(format: "uppercase:(word)")).setting("other", to: "x")
        let error = try #require(try failure(both, in: model, rows))
        expectEqual(error, .notUnique(["other"], entityName: "Tag"))
        #expect("\(error)".contains("several rows of 'Tag' equal values of 'other', which a uniqueness constraint"))
        let seats: [(String, [String: Any])] = [1, 2].map { ("Seat", ["row": $0, "side": "left"]) }
        let pair = try failure(
            BatchUpdateRequest(entityName: "Seat").setting("row", to: try FetchExpression(format: "row - row")),
            in: model,
            seats
        )
        expectEqual(pair, .notUnique(["row", "side"], entityName: "Seat"))
    }

    /// Each row is given a value that another row had.
    @Test func uniqueValuesThatMoveOn() throws {
        try withStorePath { path in
            let store = try ConflictStore(path: path)
            for row in 1...3 { store.insert("Seat", ["row": row, "side": "left"]) }
            try store.here.save()
            let seats = BatchUpdateRequest<ManagedObject>(entityName: "Seat")
            try store.here.execute(seats.setting("row", to: try FetchExpression(format: "row + 1")))
            let swap = try FetchExpression(format: "TERNARY(row == 2, 3, 2)")
            try store.here.execute(try seats.where(format: "row < 4").setting("row", to: swap))
            let rows = try store.there.fetch(FetchRequest<ManagedObject>(entityName: "Seat").dictionaries)
            #expect(rows.map { $0["row"] as? Int64 } == [3, 2, 4])
        }
    }

    @Test func expressionsWithoutSQL() throws {
        let container = try zoo.testContainer(at: ":memory:")
        let context = container.newContext()
        let index = try FetchExpression(format: "{name, nick}[age]")
        #expect(throws: FetchError.self) { try context.execute(animals.setting("name", to: index)) }
        let computed = try animals.where(format: "{name, nick}[age] == 'a'").setting("name", to: "b")
        #expect(throws: FetchError.self) { try context.execute(computed) }
        // An invalid name, an object, and a number for a string attribute, with and without rows.
        for (name, format) in [("name", "nam"), ("age", "SELF"), ("age", "owner"), ("name", "age + 1")] {
            #expect(throws: FetchPredicateError.self) {
                try context.execute(animals.setting(name, to: try FetchExpression(format: format)))
            }
        }
    }

    /// Values that another program wrote are neither misinterpreted nor lost.
    @Test(
        .onlySQLite(.mistypedValues),
        arguments: [
            ("price", "'12.5 EUR'", "price * 2"), ("uuid", "x'010203'", "uuid"),
            ("name", "CAST(x'ff61' AS TEXT)", "nick"), ("age", "70000", "chip + age"),
        ]
    )
    func valuesThatCannotBeRead(name: String, value: String, expression: String) throws {
        try withStorePath { path in
            let container = try zoo.testContainer(at: path)
            let context = container.newContext()
            let object = EntityDescription.insertNewObject(forEntityName: "Dog", into: context)
            object.setValue(5, forKey: "chip")
            try context.save()
            let column = name == "name" ? "nick" : name
            let store = try #require(container.persistentStoreCoordinator.persistentStores.first)
            try store.execute("UPDATE \"Animal\" SET \"\(column)\" = \(value)")
            let target = name == "age" ? "chip" : name
            let error = #expect(throws: UnreadableValueError.self) {
                try context.execute(animals.setting(target, to: try FetchExpression(format: expression)))
            }
            expectEqual(error?.attributeName, column)
            expectEqual(error?.objectID, object.objectID)
            expectEqual(error?.objectID.entityName, "Dog")
        }
    }

    @Test(.onlySQLite(.readOnly)) func readOnlyStores() throws {
        try withStorePath { path in
            _ = try zoo.testContainer(at: path)
            let container = try zoo.testContainer(at: path, options: StoreOptions(isReadOnly: true))
            let context = container.newContext()
            let error = #expect(throws: StoreError.self) { try context.execute(animals.setting("name", to: "b")) }
            expectEqual(error?.code, .readOnly)
        }
    }
}
