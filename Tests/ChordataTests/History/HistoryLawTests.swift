import ChordataModel
import ChordataSQL
import ChordataTestStores
import ChordataTestSupport
import Foundation
import Testing

@testable import Chordata

/// The persistent history names all changes of a store (H3).
@Suite(.onlySQLite(.history))
struct HistoryLawTests {
    /// Replaying the transactions in order on an empty store reproduces the store; inserted objects get all values, and
    /// updated objects get only the values of the properties that the change names.
    ///
    /// `CHORDATA_HISTORIES` sets the number of histories for each model, and `CHORDATA_SEED` the first seed.
    @Test(arguments: ChangedModel.all) func replayedHistoriesGiveTheStore(_ model: ChangedModel) throws {
        let count = setting("CHORDATA_HISTORIES", small: 5)
        let first = setting("CHORDATA_SEED", small: UInt64(1))
        print("seed \(first), \(count) histories of model \(model.testDescription)")
        var performed: [RandomChanges.Operation: Int] = [:]
        for seed in first..<first + UInt64(count) {
            try withStorePath { path in
                var history = try RecordedHistory(model, seed: seed, path: path)
                for _ in 0..<40 {
                    if let operation = try history.performNext() { performed[operation, default: 0] += 1 }
                }
                try history.replay()
                try history.checkVersions()
            }
        }
        // Each kind of operation has succeeded.
        for operation in RandomChanges.Operation.allCases
        where operation != .insertValues || model.insertValues != nil {
            #expect(performed[operation, default: 0] > count / 4, "\(operation): \(performed)")
        }
    }
}

/// A store with random changes, and its replica.
private struct RecordedHistory {
    private let seed: UInt64
    private let container: PersistentContainer
    private let contexts: [ManagedObjectContext]
    private let replica: HistoryReplica
    private var changes: RandomChanges
    /// The contexts that have not merged a batch operation.
    private var outdated: Set<Int> = []
    private var token: PersistentHistoryToken?
    private var pending: [PersistentHistoryTransaction] = []

    init(_ model: ChangedModel, seed: UInt64, path: String) throws {
        self.seed = seed
        var random = SeededGenerator(seed: seed)
        let definition = try model.definition()
        container = try definition.testContainer(at: path, options: StoreOptions(tracksPersistentHistory: true))
        replica = try HistoryReplica(of: container.store, definition, at: path + ".replica")
        let policies: [MergePolicy] = [
            .mergeByPropertyObjectTrump, .overwrite, .mergeByPropertyStoreTrump, .rollback,
        ]
        contexts = (0..<2).map { [container] _ in
            let context = container.newContext()
            context.automaticallyMergesChangesFromParent = true
            return context
        }
        for context in contexts { context.mergePolicy = policies.randomElement(using: &random)! }
        changes = try model.changes(random)
    }

    /// Performs an operation, and compares its changes with the recorded changes.
    /// - Returns: The operation, unless it was refused.
    mutating func performNext() throws -> RandomChanges.Operation? {
        let index = contexts.indices.randomElement(using: &changes.random)!
        let context = contexts[index]
        context.processPendingChanges()
        if Bool.random(using: &changes.random) {
            context.refreshAllObjects()
            outdated.remove(index)
        }
        let before = try StoredObjects(container.store)
        let operation = changes.nextOperation()
        let hasSucceeded = try changes.perform(operation, in: context)
        let transactions = try context.execute(.fetchHistory(after: token))
        token = transactions.last?.token ?? token
        pending += transactions
        let after = try StoredObjects(container.store)
        #expect(transactions.count <= 1 && (hasSucceeded || transactions.isEmpty), "seed \(seed): \(operation)")
        try compare(before, after, transactions.last?.changes ?? [], operation, isOutdated: outdated.contains(index))
        if operation != .save, hasSucceeded { outdated = Set(contexts.indices) }
        // A reader of the history may lag behind.
        if Bool.random(using: &changes.random) { try replay() }
        return hasSucceeded ? operation : nil
    }

    /// Replays the transactions that were recorded since the last call.
    mutating func replay() throws {
        for transaction in pending {
            for change in transaction.changes { try replica.replay(change) }
        }
        pending = []
        let differences = try replica.differences()
        #expect(differences.isEmpty, "seed \(seed): \(differences)")
    }

    private func compare(
        _ before: StoredObjects,
        _ after: StoredObjects,
        _ recorded: [PersistentHistoryChange],
        _ operation: RandomChanges.Operation,
        isOutdated: Bool
    ) throws {
        var changes: [StoredObjects.Identity: PersistentHistoryChange] = [:]
        for change in recorded {
            let type = try #require(container.store.schema.runtimeEntity(named: change.changedObjectID.entityName))
            let identity = StoredObjects.Identity(rootIndex: type.rootIndex, key: change.changedObjectID.key)
            #expect(changes.updateValue(change, forKey: identity) == nil, "seed \(seed): changed twice")
        }
        for identity in Set(before.objects.keys).union(after.objects.keys) {
            let change = changes.removeValue(forKey: identity)
            guard let old = before.objects[identity] else {
                expectEqual(change?.changeType, .insert, "seed \(seed): \(operation)")
                continue
            }
            guard let new = after.objects[identity] else {
                expectEqual(change?.changeType, .delete, "seed \(seed): \(operation)")
                continue
            }
            let names = Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }
            let missing = names.subtracting(change?.updatedProperties ?? []).filter {
                isRecorded($0, of: old["entity"] ?? "", operation, isOutdated: isOutdated)
            }
            #expect(
                missing.isEmpty && change?.changeType != .insert && change?.changeType != .delete,
                "seed \(seed): \(operation) does not record \(missing.sorted()) of \(old["entity"] ?? "")"
            )
        }
        #expect(changes.isEmpty, "seed \(seed): \(operation)")
    }

    /// Returns a Boolean value that indicates whether a changed property is recorded.
    ///
    /// A save records both ends of a relationship. `insertValues`, batch updates and batch deletions record the rows
    /// that they write, not the to-many relationships that lose or get members as a result. An upsert, and a save of a
    /// context that has not merged a batch operation, can overwrite a to-one whose other end they do not know.
    private func isRecorded(
        _ name: String,
        of entityName: String,
        _ operation: RandomChanges.Operation,
        isOutdated: Bool
    ) -> Bool {
        let model = container.store.schema.model
        guard let relationship = model.entity(named: entityName)?.relationshipsByName[name], relationship.isToMany
        else { return true }
        let inverse = relationship.inverseName.flatMap {
            model.entity(named: relationship.destinationEntityName)?.relationshipsByName[$0]
        }
        let isOfToOne = inverse?.isToMany == false
        let hasUpserts = model.entities.contains { entity in
            !entity.uniquenessConstraints.isEmpty
                && model.entity(entity.name, isKindOf: relationship.destinationEntityName)
        }
        return switch operation {
        case .insertValues, .update, .delete: false
        // The temporary context does not read the former value of a to-one that an upsert overwrites.
        case .insertDictionaries, .insertObjects: !isOfToOne
        case .save: !isOfToOne || !isOutdated && !hasUpserts
        }
    }

    /// The last recorded version of each row is the row version in the store.
    func checkVersions() throws {
        var versions: [StoredObjects.Identity: Int64] = [:]
        let store = container.store
        try store.sqlite.read { connection in
            for row in try connection.readHistory(after: 0, nil, limit: 0, nil) {
                for change in try store.changes(of: row) {
                    let identity = StoredObjects.Identity(rootIndex: change.type.rootIndex, key: change.key)
                    versions[identity] = change.kind == .delete ? nil : change.version
                }
            }
            var stored: [StoredObjects.Identity: Int64] = [:]
            for type in store.schema.runtimeEntities {
                let statement = try connection.prepare("SELECT _id, _version FROM \"\(type.mapping.tableName)\"")
                while try statement.step() {
                    let identity = StoredObjects.Identity(rootIndex: type.rootIndex, key: statement.integer(at: 0))
                    stored[identity] = statement.integer(at: 1)
                }
            }
            expectEqual(versions, stored, "seed \(seed)")
        }
    }
}
