@_spi(Generated) import Chordata
import ChordataModel
import ChordataTestSupport
import Foundation
import Testing

/// Migrations on a disk without space for a copy: a small file system in memory, which only root can mount.
@Suite(.serialized, .enabled(if: SmallDisk.isAvailable, "no small disk can be mounted here"), .onlySQLite(.migrations))
struct SmallDiskTests {
    private static func attribute(_ name: String, _ type: AttributeType) -> AttributeDescription {
        AttributeDescription(name: name, attributeType: type, isOptional: true)
    }

    /// Adding a column needs no space; rebuilding a table needs the size of the table.
    @Test func diskSpaceIsCheckedBeforeTheMigration() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "small-disk-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try #require(SmallDisk.mount(folder))
        defer {
            #expect(SmallDisk.unmount(folder))
            try? FileManager.default.removeItem(atPath: folder)  // The system deletes temporary files.
        }
        let path = folder + "/store.sqlite"
        let text = Self.attribute("text", .string)
        let versions = try Versions([
            [EntityDescription(name: "Note", attributes: [text, Self.attribute("size", .integer32)])],
            [
                EntityDescription(
                    name: "Note",
                    attributes: [text, Self.attribute("size", .integer32), Self.attribute("more", .string)]
                )
            ],
            [
                EntityDescription(
                    name: "Note",
                    attributes: [text, Self.attribute("size", .double), Self.attribute("more", .string)]
                )
            ],
        ])
        try versions.makeStore(1, at: path) { context in
            let long = String(repeating: "0123456789", count: 100)
            for number in 0..<1_600 {
                let note = EntityDescription.insertNewObject(forEntityName: "Note", into: context)
                note.setValue(long, forKey: "text")
                note.setValue(number, forKey: "size")
            }
        }
        _ = try PersistentContainer(model: try versions.definition(upTo: 2), path: path)
        // Other files on the disk.
        try Data(count: 1 << 20).write(to: URL(fileURLWithPath: folder + "/other"))
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        let error = #expect(throws: StoreError.self) {
            try PersistentContainer(model: try versions.definition(), path: path)
        }
        expectEqual(error?.code, .full)
        let words = " free bytes when it is migrated, but only "
        #expect(error?.message.contains(words) == true, "\(String(describing: error))")
        expectEqual(try Data(contentsOf: URL(fileURLWithPath: path)), before)
    }
}

/// A file system of 4 MiB in memory.
private enum SmallDisk {
    static let isAvailable: Bool = {
        let folder = FileManager.default.temporaryDirectory.appending(path: "small-disk-\(UUID().uuidString)").path
        guard (try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)) != nil
        else {
            return false
        }
        defer { try? FileManager.default.removeItem(atPath: folder) }  // The system deletes temporary files.
        return mount(folder) && unmount(folder)
    }()

    static func mount(_ folder: String) -> Bool {
        run("mount", "-t", "tmpfs", "-o", "size=4M", "tmpfs", folder)
    }

    /// A process that another test starts has copies of the open files until it executes its program.
    static func unmount(_ folder: String) -> Bool {
        for _ in 0..<50 {
            if run("umount", folder) { return true }
            Thread.sleep(forTimeInterval: 0.1)
        }
        return false
    }

    private static func run(_ arguments: String...) -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = arguments
        process.standardError = nil
        process.standardOutput = nil
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}
