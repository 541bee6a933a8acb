@_spi(Generated) import Chordata
import ChordataModel
import Foundation
import Testing

/// Stores of versions whose names do not decide which is older.
@Suite(.onlySQLite(.migrations))
struct VersionOrderStoreTests {
    /// A program knows the order of its versions from a list, or takes that of their names.
    @Test(arguments: [
        (["Shop", "Alpha"], StoreError.Code.missingMigration), (["Alpha", "Shop"], .newerVersion), ([], .newerVersion),
        // A list without one of the two says nothing.
        (["Alpha"], .newerVersion),
    ])
    func aStoreOfAnotherVersion(_ order: [String], _ code: StoreError.Code) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "version-order-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }  // What is left of it is the system's to clear.
        let path = folder.appending(path: "s.sqlite").path
        func model(_ names: String...) throws -> ManagedObjectModel {
            let attributes = names.map { AttributeDescription(name: $0, attributeType: .string, isOptional: true) }
            return try ManagedObjectModel(entities: [EntityDescription(name: "Item", attributes: attributes)])
        }
        let (shop, alpha) = (try model("name"), try model("name", "price"))
        _ = try PersistentContainer(model: ModelDefinition(name: "M", versionName: "Shop", model: shop), path: path)
        let program = ModelDefinition(
            name: "M",
            versionName: "Alpha",
            model: alpha,
            versionNames: [shop.versionHash: "Shop"],
            versionOrder: order
        )
        #expect(program.versionOrder == order)
        do throws(StoreError) {
            _ = try PersistentContainer(model: program, path: path)
            Issue.record("the store was opened")
        } catch {
            #expect(error.code == code)
        }
    }
}
