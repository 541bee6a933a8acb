@_spi(Generated) import Chordata
import ChordataTestStores
import ChordataTestSupport
import Foundation
import Testing

/// The generated code of a model whose configuration lists its versions, compiled and run.
struct ListedVersionsTests {
    @Test func aStoreOfTheOlderVersionIsMigrated() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "listed-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }  // The system deletes temporary files.
        let path = folder.appending(path: "s.sqlite").path
        let name = AttributeDescription(name: "name", attributeType: .string, isOptional: true)
        let shop = ModelDefinition(
            name: "Depot",
            versionName: "Shop",
            model: try ManagedObjectModel(entities: [EntityDescription(name: "DepotItem", attributes: [name])])
        )
        do {
            let context = try shop.testContainer(at: path).newContext()
            EntityDescription.insertNewObject(forEntityName: "DepotItem", into: context).setValue("a", forKey: "name")
            try context.save()
        }
        expectEqual(DepotModel.definition.versionOrder, ["Shop", "Alpha"])
        let items = try DepotModel.definition.testContainer(at: path).newContext().fetch(DepotItem.fetchRequest())
        expectEqual(items.map(\.name), ["a"])
        expectEqual(items.map(\.price), [nil])
    }
}
