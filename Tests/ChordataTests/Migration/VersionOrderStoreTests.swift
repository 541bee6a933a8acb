@_spi(Generated) import Chordata
import ChordataModel
import ChordataTestSupport
import Foundation
import Testing

/// Stores of versions whose names do not determine which version is older.
@Suite(.onlySQLite(.migrations))
struct VersionOrderStoreTests {
    /// The order of a program's versions is given by a list, or by their names.
    @Test(arguments: [
        (["Shop", "Alpha"], StoreError.Code.missingMigration), (["Alpha", "Shop"], .newerVersion), ([], .newerVersion),
        // A list without one of the two versions does not determine their order.
        (["Alpha"], .newerVersion),
    ])
    func aStoreOfAnotherVersion(_ order: [String], _ code: StoreError.Code) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "version-order-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }  // The system deletes temporary files.
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
        expectEqual(program.versionOrder, order)
        do throws(StoreError) {
            _ = try PersistentContainer(model: program, path: path)
            Issue.record("the store was opened")
        } catch {
            expectEqual(error.code, code)
        }
    }
}
