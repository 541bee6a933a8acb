import Chordata
import Foundation
import StagedWorkload

/// A store of albums that is used through the library, as in a program.
public final class AlbumStore {
    private let path: String
    private let options: StoreOptions
    private var container: PersistentContainer

    /// Opens or creates the store of a folder.
    public init(folder: String, waitsForDisk: Bool = true, statementLogger: StatementLogger? = nil) throws {
        path = AlbumStore.path(in: folder)
        options = StoreOptions(synchronous: waitsForDisk ? .full : .normal, statementLogger: statementLogger)
        container = try PersistentContainer(model: AlbumsModel.definition, path: path, options: options)
    }

    static func path(in folder: String) -> String { folder + "/albums.sqlite" }

    /// A Boolean value that indicates whether the store of a folder has yet to be migrated.
    public static func isOld(in folder: String) throws -> Bool {
        try MigrationManager(model: AlbumsModel.definition, path: path(in: folder)).pendingMigrations().isEmpty == false
    }

    /// Migrates the store of a folder with stages, in batches and for all objects at once.
    public static func migrateWithStages(in folder: String, waitsForDisk: Bool = true) throws {
        try StagedWorkload.migrateWithStages(storeAt: path(in: folder), synchronous: waitsForDisk ? .full : .normal)
    }

    /// The identifier of the store.
    public var identifier: UUID { container.persistentStoreCoordinator.persistentStores[0].identifier }

    /// The contents of the store.
    public func contents() throws -> StoreContents { try StoreContents(container.newContext()) }

    /// Performs one save of a plan, or, if requested, the save in two halves, which is a fault.
    public func perform(_ plan: Plan, _ number: Int, inHalves: Bool = false) throws {
        let save = plan.saves[number - 1]
        if save.opensAnew {
            container = try PersistentContainer(model: AlbumsModel.definition, path: ":memory:")  // Closes the store.
            container = try PersistentContainer(model: AlbumsModel.definition, path: path, options: options)
        }
        let half = inHalves ? save.changes.count / 2 : 0
        for changes in [save.changes[..<half], save.changes[half...]] where !changes.isEmpty {
            let editor = AlbumEditor(container.newContext(), writer: 0)
            switch save.means {
            case .objects:
                for change in changes { try editor.perform(change) }
                try editor.context.save()
            case .values: try editor.insertValues(changes)
            }
        }
    }

    // MARK: Several writers

    /// Inserts the counter that all writers share, unless it is stored.
    public func insertCounter() throws {
        let context = container.newContext()
        guard try context.count(for: Album.fetchRequest().where(\.number == StoreContents.counterNumber)) == 0 else {
            return
        }
        _ = Album(context: context, number: StoreContents.counterNumber, title: "0")
        try context.save()
    }

    /// Performs the remaining saves of all writers, each in a task of its own.
    /// - Parameters:
    ///   - counts: The number of saves of each writer that are stored.
    ///   - observer: The observer of the saves.
    public func saveTogether(_ plans: WriterPlans, after counts: [Int], _ observer: some SaveObserver) async throws {
        try await withThrowingTaskGroup { [container] group in
            for (writer, plan) in plans.enumerated() {
                let worker = SharedWriter(writer: writer, plan: plan, container: container, observer: observer)
                group.addTask { try await worker.perform(savesAfter: counts[writer]) }
            }
            try await group.waitForAll()
        }
    }

    /// Performs one save of one of several writers.
    public func perform(_ plans: WriterPlans, _ number: Int, of writer: Int) throws {
        let editor = AlbumEditor(container.newContext(), writer: writer)
        let save = plans[writer].saves[number - 1]
        guard save.means == .objects else { return try editor.insertValues(save.changes) }
        for change in save.changes { try editor.perform(change) }
        if plans[writer].increments(number) { try editor.increment() }
        try editor.context.save()
    }
}
