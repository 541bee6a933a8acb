import ChordataModel
import ChordataTestSupport
import Foundation
import Testing

@testable import ChordataMigration

/// Laws of the comparison, checked with random models; a failure reports the seed.
struct CompareModelsLawTests {
    static let seeds = Array(1...400) as [UInt64]

    /// Returns two models that differ by a few edits or are unrelated.
    private static func pair(_ seed: UInt64) throws -> (old: ManagedObjectModel, new: ManagedObjectModel) {
        var random = RandomModel(seed: seed)
        let entities = random.entities()
        let old = try random.model(entities)
        if random.below(4) == 0 {
            let others = random.entities()
            return (old, try random.model(others))
        }
        var edited = entities
        for _ in 0..<random.below(5) { random.edit(&edited) }
        let isRestKept = random.below(4) > 0
        guard isRestKept else { return (old, try random.model(edited)) }
        return (
            old,
            try ManagedObjectModel(
                versionIdentifier: old.versionIdentifier,
                entities: RandomModel.withoutRedeclarations(edited),
                fetchRequestTemplates: old.fetchRequestTemplates,
                configurations: old.configurations.map { configuration in
                    .init(
                        name: configuration.name,
                        entityNames: configuration.entityNames.filter { name in edited.contains { $0.name == name } }
                    )
                }
            )
        )
    }

    @Test func nothingChangedMeansEqual() throws {
        var equalCount = 0
        for seed in Self.seeds {
            let (old, new) = try Self.pair(seed)
            let isEqual = try old.sorted() == new.sorted()
            equalCount += isEqual ? 1 : 0
            expectEqual(compareModels(old, new).isEmpty, isEqual, "seed \(seed)")
            #expect(compareModels(old, try old.sorted()).isEmpty, "seed \(seed)")
        }
        #expect((20...200).contains(equalCount))
    }

    @Test func aStoreMigratesWhenHashesDiffer() throws {
        var migratingCount = 0
        for seed in Self.seeds {
            let (old, new) = try Self.pair(seed)
            let changes = compareModels(old, new)
            let isMigrating = old.versionHash != new.versionHash
            migratingCount += isMigrating ? 1 : 0
            expectEqual(changes.requireMigration, isMigrating, "seed \(seed)")
            #expect(isMigrating || !changes.contains(where: \.mayLoseData), "seed \(seed)")
        }
        #expect((100...350).contains(migratingCount))
    }

    /// An entity's hash covers the hashes of its superentities.
    @Test func entityHashDiffersIfAChangeAffectsIt() throws {
        for seed in Self.seeds {
            let (old, new) = try Self.pair(seed)
            let (oldHashes, newHashes) = (old.versionHashesByEntityName, new.versionHashesByEntityName)
            guard oldHashes != newHashes else { continue }
            let changes = compareModels(old, new).filter(\.changesVersionHash)
            let pairs = EntityPairs(old: old, new: new)
            for entity in new.entities {
                guard let earlier = pairs.old(of: entity.name) else { continue }
                var lineage: Set<String> = []
                var current: EntityDescription? = entity
                while let ancestor = current {
                    lineage.insert(ancestor.name)
                    current = ancestor.superentityName.flatMap { new.entity(named: $0) }
                }
                // A moved property is listed with its new entity.
                let oldNames = Set(lineage.compactMap { pairs.old(of: $0)?.name })
                let isChanged = changes.contains { change in
                    change.kind == .moved && oldNames.contains(change.oldEntityName ?? "")
                        || lineage.contains(change.entityName ?? "")
                }
                let isHashChanged = oldHashes[earlier.name] != newHashes[entity.name]
                #expect(!isHashChanged || isChanged, "seed \(seed), \(entity.name)")
                let own = changes.contains { $0.entityName == entity.name && $0.kind != .moved }
                #expect(!own || isHashChanged, "seed \(seed), \(entity.name)")
            }
        }
    }

    @Test func reversedComparisonSwapsAdditionsAndRemovals() throws {
        var uniqueCount = 0
        for seed in Self.seeds {
            let (old, new) = try Self.pair(seed)
            let (there, back) = (compareModels(old, new), compareModels(new, old))
            // Constraints are compared by the names of properties. The comparison is symmetric only if each name or
            // renaming identifier belongs to a single property.
            let isUnique = [old, new].allSatisfy { model in
                model.entities.allSatisfy { entity in
                    let identities =
                        entity.attributes.map { Set([$0.name, $0.renamingIdentifier]) }
                        + entity.relationships.map { Set([$0.name, $0.renamingIdentifier]) }
                    let names = identities.flatMap(\.self)
                    return Set(names).count == names.count
                }
            }
            uniqueCount += isUnique ? 1 : 0
            for subject in ModelChange.Subject.allCases where isUnique || subject != .uniquenessConstraint {
                func count(_ changes: [ModelChange], _ kind: ModelChange.Kind) -> Int {
                    changes.count { $0.subject == subject && $0.kind == kind }
                }
                expectEqual(count(there, .added), count(back, .removed), "seed \(seed), \(subject)")
                expectEqual(count(there, .removed), count(back, .added), "seed \(seed), \(subject)")
                expectEqual(count(there, .renamed), count(back, .renamed), "seed \(seed), \(subject)")
                expectEqual(count(there, .moved), count(back, .moved), "seed \(seed), \(subject)")
            }
        }
        #expect(uniqueCount > 100)
    }

    @Test func theOrderOfDeclarationsDoesNotCount() throws {
        for seed in Self.seeds {
            let (old, new) = try Self.pair(seed)
            let changes = compareModels(old, new)
            expectEqual(compareModels(try old.sorted(), new), changes, "seed \(seed)")
            expectEqual(compareModels(old, try new.sorted()), changes, "seed \(seed)")
        }
    }

    /// The planner migrates exactly the entities and properties for which the comparison says `isCarried`.
    @Test func matchesAgreeWithThePlanner() throws {
        var count = 0
        for seed in Self.seeds {
            let (old, new) = try Self.pair(seed)
            let match = ModelMatch(source: old, destination: new)
            let pairs = EntityPairs(old: old, new: new)
            for entity in new.entities {
                guard pairs.isCarried(entity.name), let earlier = pairs.old(of: entity.name) else { continue }
                expectEqual(match.sourceEntity(of: entity.name)?.name, earlier.name, "seed \(seed), \(entity.name)")
            }
            for pair in PropertyPairs(pairs).pairs where pair.isCarried && !pair.isMoved {
                guard case .attribute(let oldAttribute) = pair.old.property,
                    case .attribute(let attribute) = pair.new.property
                else { continue }
                // An inherited property may have the same renaming identifier.
                guard pair.old.entity.superentityName == nil, pair.new.entity.superentityName == nil else { continue }
                count += 1
                expectEqual(
                    match.sourceAttribute(named: attribute.name, of: pair.new.entity.name)?.name,
                    oldAttribute.name,
                    "seed \(seed)"
                )
            }
        }
        #expect(count > 500)
    }

    @Test func comparisonJSONIsDecodable() throws {
        struct Report: Decodable {
            var version: Int
            var from: String
            var to: String
            var requiresMigration: Bool
            var changes: [ModelChange]
        }
        for seed in Self.seeds.prefix(100) {
            let (old, new) = try Self.pair(seed)
            let changes = compareModels(old, new)
            let json = renderJSON(changes, oldName: "a\"\u{1}\\", newName: "é😀\n")
            let report = try JSONDecoder().decode(Report.self, from: Data(json.utf8))
            #expect(report.version == 1 && report.from == "a\"\u{1}\\" && report.to == "é😀\n")
            expectEqual(report.requiresMigration, changes.requireMigration)
            expectEqual(report.changes, changes, "seed \(seed)")
            expectEqual(json.utf8.count(where: { $0 == UInt8(ascii: "\n") }), 1)
        }
    }
}
