import Chordata
import ChordataModel
import ChordataTestSupport
import Foundation
import Synchronization
import Testing

/// The progress of a migration manager, which is created after the stage that uses it.
private final class ProgressBox: Sendable {
    private let progress = Mutex<Progress?>(nil)

    func keep(_ progress: Progress) { self.progress.withLock { $0 = progress } }
    func cancel() { progress.withLock { $0 }?.cancel() }
}

/// A cancelled progress always stops the migration, although Foundation calls its cancellation handler later and on
/// another thread.
extension MigrationStageTests {
    @Test(arguments: [false, true]) func aProgressCancelledBeforeTheMigrationStopsIt(throughParent: Bool) throws {
        try withStorePath { path in
            let versions = try Self.versions()
            try versions.makeStore(1, at: path, Self.fill)
            let before = try Data(contentsOf: URL(fileURLWithPath: path))
            let definition = try versions.definition()
            for _ in 0..<20 {
                let manager = MigrationManager(
                    model: definition,
                    path: path,
                    options: Self.options(.custom(from: "Shelf 1", to: "Shelf 2", didMigrate: Self.didMigrate))
                )
                let progress = manager.makeProgress()
                if throughParent {
                    let parent = Progress(totalUnitCount: 1)
                    parent.addChild(progress, withPendingUnitCount: 1)
                    parent.cancel()
                } else {
                    progress.cancel()
                }
                for _ in 0..<2 {
                    let error = #expect(throws: StoreError.self) { try manager.migrateStore() }
                    expectEqual(error?.code, .cancelled)
                }
            }
            expectEqual(try Data(contentsOf: URL(fileURLWithPath: path)), before)
        }
    }

    @Test func aProgressCancelledDuringTheMigrationStopsIt() throws {
        try withStorePath { path in
            let versions = try Self.versions()
            try versions.makeStore(1, at: path, Self.fill)
            let before = try Data(contentsOf: URL(fileURLWithPath: path))
            let definition = try versions.definition()
            for _ in 0..<20 {
                let box = ProgressBox()
                let stage = MigrationStage.custom(
                    from: "Shelf 1",
                    to: "Shelf 2",
                    didMigrate: { migration in
                        try Self.didMigrate(migration)
                        box.cancel()
                    }
                )
                let manager = MigrationManager(model: definition, path: path, options: Self.options(stage))
                box.keep(manager.makeProgress())
                let error = #expect(throws: StoreError.self) { try manager.migrateStore() }
                expectEqual(error?.code, .cancelled)
            }
            expectEqual(try Data(contentsOf: URL(fileURLWithPath: path)), before)
        }
    }

    /// The same holds if nothing is pending: a caller that cancels early gets the same result for every store.
    @Test func aCancelledManagerStopsWhereNothingIsPending() throws {
        try withStorePath { path in
            let versions = try Self.versions()
            let options = Self.options(.custom(from: "Shelf 1", to: "Shelf 2", didMigrate: Self.didMigrate))
            let definition = try versions.definition()
            _ = try PersistentContainer(model: definition, path: path, options: options)
            let manager = MigrationManager(model: definition, path: path, options: options)
            #expect(try manager.pendingMigrations().isEmpty)
            manager.cancelMigration()
            let error = #expect(throws: StoreError.self) { try manager.migrateStore() }
            expectEqual(error?.code, .cancelled)
        }
    }
}
