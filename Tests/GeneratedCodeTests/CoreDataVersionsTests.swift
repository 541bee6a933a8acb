import Chordata
import ChordataTestSupport
import Foundation
import Testing

/// The generated code of a model with two versions and the types of Core Data, compiled and run.
struct CoreDataVersionsTests {
    @Test func olderVersionsCanBeOpenedAndMigrated() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "versions-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }  // The system deletes temporary files.
        let path = folder.appending(path: "s.sqlite").path
        expectEqual(FerriesModel.definition.availableVersions, ["Ferries", "Ferries 2"])
        let old = try #require(FerriesModel.definition.definition(ofVersion: "Ferries"))
        expectEqual(old.model.entities.map(\.name), ["Ferry"])
        do {
            let context = try PersistentContainer(model: old, path: path).newContext()
            EntityDescription.insertNewObject(forEntityName: "Ferry", into: context).setValue("Ada", forKey: "name")
            try context.save()
        }
        let ferries = try FerriesModel.container(at: path).newContext().fetch(Ferry.fetchRequest())
        expectEqual(ferries.map(\.name), ["Ada"])
        expectEqual(ferries.map(\.capacity), [0])
        expectEqual(ferries.map(\.harbor), [nil])
    }
}
