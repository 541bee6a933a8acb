@_spi(Generated) import Chordata
import ChordataTestStores
import ChordataTestSupport
import Foundation
import Testing

// The golden output itself, compiled and run.

struct SampleModelTests {
    @Test func valuesAndObjectsAgree() throws {
        let container = try DoneModel.definition.testContainer(at: ":memory:")
        let context = container.newContext()
        let list = TodoList(context: context, title: "Home")
        let item = TodoItem(context: context, name: "Bake", createdAt: Date(timeIntervalSinceReferenceDate: 0.1))
        item.list = list
        item.details = ""
        item.priority = .max
        try context.save()
        let values: [TodoItem.Values] = try context.fetchValues(TodoItem.fetchRequest())
        let value = try #require(values.first)
        expectEqual(values.count, 1)
        expectEqual(value.objectID.key, item.objectID.key)
        expectEqual(value.name, "Bake")
        expectEqual(value.createdAt, item.createdAt)
        #expect(value.done == false)
        expectEqual(value.details, "")
        expectEqual(value.priority, .max)
        expectEqual(value.list?.key, list.objectID.key)
    }

    @Test func keyPathsNameTheirProperties() throws {
        let container = try AddressBookModel.definition.testContainer(at: ":memory:")
        let context = container.newContext()
        for name in ["b", "a", "c"] { _ = Employee(context: context, firstName: name, surName: "x") }
        try context.save()
        // An inherited property, named through the subclass and through the superclass.
        expectEqual(
            try context.fetch(Employee.fetchRequest().sorted(by: \.firstName)).map(\.firstName),
            ["a", "b", "c"]
        )
        expectEqual(
            try context.fetch(Person.fetchRequest().sorted(by: \.firstName, .descending)).map(\.firstName),
            ["c", "b", "a"]
        )
    }

    @Test func schemaTextHasTheTablesOfAStore() throws {
        #expect(DoneModel.schema.contains("CREATE TABLE \"TodoItem\""))
        expectEqual(DoneModel.definition.model.entity(named: "TodoItem")?.attributes.map(\.name).first, "name")
    }

    @Test func migrationIsForTheVersionsOfTheModel() {
        let step = DoneModel.definition.migrations.first
        expectEqual(DoneModel.definition.migrations.count, 1)
        expectEqual(step?.source, "Done")
        expectEqual(step?.destinationHash, DoneModel.definition.model.versionHash)
    }
}
