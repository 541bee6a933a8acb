import ChordataTestStores
import ChordataTestSupport
import Foundation
import Testing

@testable import Chordata

/// A disk that fails at the commit of a save: the outcome is unknown, old or new, and all changes stay pending.
@Suite(.onlySQLite(.engine))
struct FailingDiskTests {
    /// A store, and a context with an unsaved change of each kind.
    private struct Pending {
        let path: String
        let container: PersistentContainer
        let context: ManagedObjectContext
        let disk: FailingDisk
        let (inserted, updated, deleted): (Team, Team, Team)

        static let old = ["Greys": nil, "Reds": "Ulm"] as [String: String?]
        static let new = ["Blues": "Bonn", "Reds": "Jena"] as [String: String?]

        init(_ path: String, onlyInserts: Bool = false) throws {
            self.path = path
            container = try LeagueModel.definition.testContainer(at: path)
            context = container.newContext()
            updated = Team(context: context, name: "Reds")
            updated.city = "Ulm"
            deleted = Team(context: context, name: "Greys")
            try context.save()
            disk = try #require(try FailingDisk(container))
            inserted = Team(context: context, name: "Blues")
            inserted.city = "Bonn"
            guard !onlyInserts else { return }
            updated.city = "Jena"
            context.delete(deleted)
        }

        /// The rows of a store by name; a name that appears twice has the value `twice`.
        func rows(at path: String? = nil) throws -> [String: String?] {
            let container = try path.map { try LeagueModel.definition.testContainer(at: $0) } ?? container
            let teams = try container.newContext().fetch(Team.fetchRequest())
            return Dictionary(teams.map { ($0.name, $0.city) }) { _, _ in "twice" }
        }

        /// The state that another program finds if this process is killed now, without the index of the log.
        func rowsAfterCrash() throws -> [String: String?] {
            let copy = path + ".crashed"
            for suffix in ["", "-wal"] {
                try Data(contentsOf: URL(fileURLWithPath: path + suffix)).write(
                    to: URL(fileURLWithPath: copy + suffix)
                )
            }
            defer {
                for suffix in ["", "-wal", "-shm"] { unlink(copy + suffix) }
            }
            return try rows(at: copy)
        }

        func checkPending() {
            #expect(context.insertedObjects == [inserted] && context.updatedObjects == [updated])
            expectEqual(context.deletedObjects, [deleted])
            #expect(inserted.name == "Blues" && inserted.city == "Bonn" && updated.city == "Jena")
            expectEqual(updated.changedValues().keys.sorted(), ["city"])
            #expect(updated.committedValues(forKeys: ["city"])["city"] as? String == "Ulm")
        }

        func expectUnknownOutcome(_ failure: DiskFailure) {
            let error = #expect(throws: StoreError.self) { try context.save() }
            #expect(error?.code == .outcomeUnknown && error?.sqliteCode == failure.sqliteCode)
            expectEqual(error?.path, path)
        }
    }

    @Test(arguments: DiskFailure.allCases)
    func failedSaveSucceedsAfterTheDiskIsRepaired(_ failure: DiskFailure) throws {
        try withStorePath { path in
            let identity: ManagedObjectID
            do {
                let pending = try Pending(path)
                identity = pending.inserted.objectID
                pending.disk.fail(failure)
                for _ in 0..<2 {
                    pending.expectUnknownOutcome(failure)
                    pending.checkPending()
                    expectEqual(pending.inserted.objectID, identity)
                    // While the program runs, changes that may have reached the disk are invisible.
                    expectEqual(try pending.rows(), Pending.old)
                    // A log that was written is read, although it was not synced.
                    expectEqual(try pending.rowsAfterCrash(), failure == .sync ? Pending.new : Pending.old)
                }
                pending.disk.remedy()
                // This save writes less than the log may contain; nothing of the failed save may remain after it.
                pending.updated.city = "Jena"
                try pending.context.save()
                #expect(!pending.context.hasChanges && pending.inserted.objectID == identity)
                expectEqual(try pending.rows(), Pending.new)
                expectEqual(try pending.rowsAfterCrash(), Pending.new)
                // The objects have the row versions of the store, so there is no conflict.
                pending.inserted.city = nil
                pending.updated.city = "Ulm"
                try pending.context.save()
            }
            let container = try LeagueModel.definition.testContainer(at: path)
            let teams = try container.newContext().fetch(Team.fetchRequest().sorted(by: \.name))
            #expect(teams.map(\.name) == ["Blues", "Reds"] && teams.map(\.city) == [nil, "Ulm"])
            expectEqual(teams.first?.objectID, identity)
        }
    }

    /// Changes that are rolled back are not written later.
    @Test(arguments: DiskFailure.allCases)
    func failedSaveCanBeRolledBack(_ failure: DiskFailure) throws {
        try withStorePath { path in
            do {
                let pending = try Pending(path)
                pending.disk.fail(failure)
                pending.expectUnknownOutcome(failure)
                pending.disk.remedy()
                pending.context.rollback()
                pending.updated.city = "Rome"
                try pending.context.save()
                expectEqual(try pending.rowsAfterCrash(), ["Greys": nil, "Reds": "Rome"])
            }
            let teams = try LeagueModel.definition.testContainer(at: path).newContext().fetch(
                Team.fetchRequest().sorted(by: \.name)
            )
            #expect(teams.map(\.name) == ["Greys", "Reds"] && teams.map(\.city) == [nil, "Rome"])
        }
    }

    // MARK: Changes that reached the disk nevertheless

    /// Another program that recovers the log may find the changes, for example after a kill during the write of the
    /// log's index.
    @Test(arguments: MergePolicyTests.all, [false, true])
    func recoveredChangesAreNotDuplicated(type: MergePolicyType, onlyInserts: Bool) throws {
        try withStorePath { path in
            let pending = try Pending(path, onlyInserts: onlyInserts)
            let context = pending.context
            context.mergePolicy = MergePolicy(merge: type)
            pending.disk.fail(.sync)
            pending.expectUnknownOutcome(.sync)
            pending.disk.remedy()
            try forgetLog(path)
            let new = onlyInserts ? ["Blues": "Bonn", "Greys": nil, "Reds": "Ulm"] : Pending.new
            expectEqual(try pending.rows(), new)
            if type == .error {
                let error = try #require(throws: SaveConflictError.self) { try context.save() }
                let conflict = try #require(error.conflicts.first { $0.objectID == pending.inserted.objectID })
                #expect(conflict.oldVersion == 0 && conflict.newVersion == 1 && !conflict.isDeleted)
                #expect(error.description.contains("\(conflict.objectID) already exists in the store"))
                expectEqual(error.conflicts.count, onlyInserts ? 1 : 3)
                #expect(pending.inserted.isInserted)
                context.rollback()
            }
            try context.save()
            #expect(!context.hasChanges)
            expectEqual(try pending.rows(), new)
            guard type != .error else { return }
            // From now on, the inserted object is the object of the row.
            context.mergePolicy = .error
            pending.inserted.city = "Rome"
            try context.save()
            expectEqual(try pending.rows()["Blues"], "Rome")
        }
    }

    /// Values set after the failed save are newer than those that reached the disk.
    @Test(arguments: MergePolicyTests.resolving)
    func changesAfterAFailedSaveFollowThePolicy(type: MergePolicyType) throws {
        try withStorePath { path in
            let store = try ConflictStore(path: path, policy: MergePolicy(merge: type))
            let friend = try store.save("Item", ["id": 1])
            let disk = try #require(try FailingDisk(store.container))
            let (item, owner) = (store.insert("Item", ["id": 2, "a": 1]), store.insert("Owner", ["id": 3]))
            item.setValue(owner, forKey: "owner")
            item.setValue([try store.here.existingObject(with: friend)], forKey: "friends")
            disk.fail(.sync)
            #expect(throws: StoreError.self) { try store.here.save() }
            disk.remedy()
            try forgetLog(path)
            item.setValue(5, forKey: "a")
            item.setValue(6, forKey: "b")
            try store.here.save()
            let takesStored = type == .mergeByPropertyStoreTrump || type == .rollback
            #expect(value(item, "a") == (takesStored ? 1 : 5) && value(item, "b") == (takesStored ? .nothing : 6))
            #expect(try store.count("Item") == 2 && store.count("Owner") == 1)
            expectEqual(try store.stored(item.objectID, "friends"), .keys([friend.key]))
            expectEqual(try store.stored(friend, "friends"), .keys([item.objectID.key]))
            expectEqual(try store.stored(owner.objectID, "items"), .keys([item.objectID.key]))
            try store.check()
        }
    }

    /// Invalidates the index of the log, so that the next program has to recover the log.
    private func forgetLog(_ path: String) throws {
        let index = try FileHandle(forUpdating: URL(fileURLWithPath: path + "-shm"))
        try index.write(contentsOf: Data(count: 136))
        try index.close()
    }
}
