import Chordata
import ChordataModelReader
import ChordataTestSupport
import Foundation
import Testing

/// Models are read at run time, and their stores are used without generated code.
struct ModelReaderTests {
    private func withFolder(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "chordata-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer {
            do {
                try FileManager.default.removeItem(at: folder)
            } catch {
                Issue.record("cannot remove \(folder.path): \(error)")
            }
        }
        try body(folder)
    }

    private func write(_ text: String, _ version: String, in bundle: URL, isCurrent: Bool = true) throws {
        let folder = bundle.appending(path: version + ".xcdatamodel")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: folder.appending(path: "contents"))
        guard isCurrent else { return }
        let list = """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict><key>_XCCurrentVersionName</key><string>\(version).xcdatamodel</string></dict></plist>
            """
        try Data(list.utf8).write(to: bundle.appending(path: ".xccurrentversion"))
    }

    private static let first = """
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
            <entity name="Item" representedClassName="Item" codeGenerationType="class">
                <attribute name="name" attributeType="String" defaultValueString="new"/>
                <relationship name="parts" optional="YES" toMany="YES" deletionRule="Cascade" destinationEntity="Item"
                    inverseName="whole" inverseEntity="Item"/>
                <relationship name="whole" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Item"
                    inverseName="parts" inverseEntity="Item"/>
            </entity>
        </model>
        """

    @Test func modelsAreReadAndTheirStoresUsed() throws {
        try withFolder { folder in
            let bundle = folder.appending(path: "Shop.xcdatamodeld")
            try write(Self.first, "Shop", in: bundle)
            let definition = try ModelDefinition(contentsOf: bundle)
            #expect(definition.name == "Shop" && definition.versionName == "Shop")
            expectEqual(try ManagedObjectModel(contentsOf: bundle), definition.model)
            let container = try PersistentContainer(model: definition, path: folder.appending(path: "s.sqlite").path)
            let context = container.newContext()
            let whole = EntityDescription.insertNewObject(forEntityName: "Item", into: context)
            let part = EntityDescription.insertNewObject(forEntityName: "Item", into: context)
            part.setValue("wheel", forKey: "name")
            part.setValue(whole, forKey: "whole")
            try context.save()
            let request = try FetchRequest<ManagedObject>(entityName: "Item").where(format: "whole.name == 'new'")
            #expect(try container.newContext().fetch(request).map { $0.value(forKey: "name") as? String } == ["wheel"])
        }
    }

    /// A store of an older version is migrated; a version can be named.
    @Test func storesAreMigrated() throws {
        try withFolder { folder in
            let bundle = folder.appending(path: "Shop.xcdatamodeld")
            let path = folder.appending(path: "s.sqlite").path
            try write(Self.first, "Shop", in: bundle)
            do {
                let container = try PersistentContainer(model: try ModelDefinition(contentsOf: bundle), path: path)
                let context = container.newContext()
                _ = EntityDescription.insertNewObject(forEntityName: "Item", into: context)
                try context.save()
            }
            let renamed = Self.first.replacing("name=\"name\"", with: "name=\"title\" elementID=\"name\"")
            try write(renamed, "Shop 2", in: bundle)
            expectEqual(try ModelDefinition(contentsOf: bundle, version: "Shop").versionName, "Shop")
            let definition = try ModelDefinition(contentsOf: bundle)
            #expect(definition.versionName == "Shop 2" && definition.migrations.count == 1)
            let container = try PersistentContainer(model: definition, path: path)
            let items = try container.newContext().fetch(FetchRequest<ManagedObject>(entityName: "Item"))
            #expect(items.map { $0.value(forKey: "title") as? String } == ["new"])
        }
    }

    /// The errors are those of a build, with their locations.
    @Test func errorsHavePlaces() throws {
        try withFolder { folder in
            let bundle = folder.appending(path: "Shop.xcdatamodeld")
            let wrong = Self.first.replacing("attributeType=\"String\"", with: "attributeType=\"Strin\"")
            try write(wrong, "Shop", in: bundle)
            let error = #expect(throws: ModelFileError.self) { try ModelDefinition(contentsOf: bundle) }
            #expect(error?.problems.first?.line == 3 && error?.problems.first?.column ?? 0 > 0)
            #expect(error?.problems.first?.path.hasSuffix("contents") == true)
            let text = error.map { "\($0)" } ?? ""
            #expect(text.contains("contents:3:") && text.contains("error:") && text.contains("'Strin'"), "\(text)")
            #expect(throws: ModelFileError.self) {
                try ManagedObjectModel(contentsOf: folder.appending(path: "None.xcdatamodeld"))
            }
            #expect(throws: ModelFileError.self) { try ModelDefinition(contentsOf: bundle, version: "Shop 9") }
        }
    }
}
