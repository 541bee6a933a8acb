import Chordata
import ChordataApple
import ChordataMigration
import ChordataModel
import ChordataSQL
import ChordataTestSupport
import ChordataVerification
import Foundation
import Testing

/// Imports random stores in Core Data's format, migrates them to another version and exports them again.
///
/// The results have the objects that the rules of migration require, in the tables of the newer version.
///
/// `CHORDATA_APPLE_MIGRATION_PAIRS` is the number of pairs of models, and `CHORDATA_APPLE_MIGRATION_SEED` is the first
/// seed, which must be odd.
struct ConvertedMigrationTests {
    private struct Tally {
        var converted = 0
        var migrated = 0
        /// The reasons why a model or its objects cannot be stored in a new Core Data store, with their counts.
        var refused: [String: Int] = [:]
    }

    private static let reasons = [
        "composite", "its own inverse", "between the entity and itself", "for more than one object",
    ]

    @Test func importedStoresMigrateAndAreExported() async throws {
        let count = setting("CHORDATA_APPLE_MIGRATION_PAIRS", small: UInt64(60))
        let first = setting("CHORDATA_APPLE_MIGRATION_SEED", small: UInt64(1))
        // The models of even seeds have derived attributes, which new stores cannot have.
        let seeds = stride(from: first, to: first + count * 2, by: 2)
        print("ConvertedMigrationTests.importedStoresMigrateAndAreExported: \(count) odd seeds from \(first)")
        var tally = Tally()
        for seed in seeds {
            let folder = FileManager.default.temporaryDirectory.appending(path: "converted-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }  // The system deletes temporary files.
            do {
                try await check(RandomPair(seed: seed), folder, &tally)
            } catch {
                Issue.record("seed \(seed): \(error)")
            }
        }
        print("\(tally.converted) converted, \(tally.migrated) of them after a migration; refused: \(tally.refused)")
        // About a quarter of the pairs can be converted and migrated, and all reasons for a refusal are known.
        #expect(count < 40 || tally.migrated >= Int(count) / 6)
        #expect(Set(tally.refused.keys).isSubset(of: Self.reasons))
    }

    private func check(_ pair: RandomPair, _ folder: URL, _ tally: inout Tally) async throws {
        guard let plan = pair.planned.plan, !pair.after.stops else { return }
        func path(_ name: String) -> String { folder.appending(path: name).path }
        let first = ModelDefinition(name: "M", versionName: "1", model: pair.source)
        let last = oneStep(from: pair.source, to: pair.destination, renderMigration(plan))
        let uuid = UUID()
        try pair.before.contents.write(
            to: createStore(of: first, at: path("native"), storeUUID: uuid),
            makeSchemaMapping(of: pair.source)
        )
        guard try await export(path("native"), to: path("apple"), pair.source, &tally) else { return }
        // The store does not have the migrated version, so it is imported at its own version.
        let imported = try await importStore(at: path("apple"), to: path("migrated"), model: last)
        // Core Data does not distinguish versions with equal hashes: a transient attribute is not a part of them.
        let isSeen =
            pair.source.versionHash != pair.destination.versionHash
            && VersionHashes(of: pair.source) != VersionHashes(of: pair.destination)
        #expect(imported.sourceVersionName == (isSeen ? "1" : "2") && imported.storeUUID == uuid, "\(pair.story)")
        let migrated = try differences(of: path("migrated"), pair.destination, from: pair.after.contents)
        expectEqual(migrated, [], "\(pair.story), imported")
        guard try await export(path("migrated"), to: path("newer"), pair.destination, &tally) else { return }
        let inspection = try inspectCoreDataStore(
            at: path("newer"),
            versions: [.init(name: "2", model: pair.destination)]
        )
        #expect(inspection.brokenInvariants == [] && inspection.comparisons[0].differences == [], "\(pair.story)")
        let second = ModelDefinition(name: "M", versionName: "2", model: pair.destination)
        let again = try await importStore(at: path("newer"), to: path("again"), model: second)
        #expect(again.storeUUID == uuid && again.sourceVersionName == "2", "\(pair.story)")
        let returned = try differences(of: path("again"), pair.destination, from: pair.after.contents)
        expectEqual(returned, [], "\(pair.story), exported")
        tally.converted += 1
        if isSeen { tally.migrated += 1 }
    }

    private func differences(
        of path: String,
        _ model: ManagedObjectModel,
        from expected: StoreContents
    ) throws -> [String] {
        let connection = try SQLiteConnection(path: path, mode: .readOnly)
        let read = try StoreContents.read(from: connection, makeSchemaMapping(of: model))
        return read.unexpectedValues + read.contents.differences(from: expected)
    }

    /// Exports to a new store.
    ///
    /// Returns `false` if Core Data cannot represent the model or the values.
    private func export(
        _ source: String,
        to target: String,
        _ model: ManagedObjectModel,
        _ tally: inout Tally
    ) async throws -> Bool {
        do {
            _ = try await exportStore(at: source, toNewStoreAt: target, model: model)
            return true
        } catch let error as CoreDataStoreError where error.code == .unrepresentableValues {
            let reason = Self.reasons.first { error.message.contains($0) } ?? error.message
            tally.refused[reason, default: 0] += 1
            return false
        }
    }
}
