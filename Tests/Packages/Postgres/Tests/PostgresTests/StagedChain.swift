import Foundation
import Testing

@testable @_spi(Generated) import Chordata
@testable import ChordataMigration
@testable import ChordataModel

/// Three versions of a model: the first step has a custom stage, and the second one a batched stage.
enum StagedChain {
    static let models = [
        MigrationPair.item([MigrationPair.attribute("count", .string)]),
        MigrationPair.item([MigrationPair.attribute("count", .integer32)]),
        MigrationPair.item([
            MigrationPair.attribute("count", .integer32), MigrationPair.attribute("double", .integer64),
        ]),
    ].map { MigrationPair.model($0) }

    private static let names = ["M 1", "M 2", "M 3"]

    static func definition(_ version: Int) throws -> ModelDefinition {
        let steps = try (0..<2).map { index in
            let (source, destination) = (models[index], models[index + 1])
            let planned = planMigration(
                from: source,
                to: destination,
                sourceName: names[index],
                destinationName: names[index + 1],
                isStage: true,
                locate: { _, _ in nil }
            )
            let plan = try #require(planned.plan)
            return ModelDefinition.Migration(
                source: names[index],
                sourceHash: source.versionHash,
                destination: names[index + 1],
                destinationHash: destination.versionHash,
                sql: renderMigration(plan),
                postgresSQL: renderPostgresMigration(plan, from: source, to: destination),
                stage: .init(serializedSource: source.serialized(), serializedDestination: destination.serialized())
            )
        }
        return ModelDefinition(
            name: "M",
            versionName: names[version],
            model: models[version],
            migrations: steps,
            versionNames: Dictionary(uniqueKeysWithValues: zip(models.map(\.versionHash), names))
        )
    }

    static let stages: [MigrationStage] = [
        .custom(
            from: "M 1",
            to: "M 2",
            didMigrate: { migration in
                for item in try migration.objects.fetch(FetchRequest<ManagedObject>(entityName: "Item")) {
                    let count = try migration.previousValue(forKey: "count", of: item) as? String
                    item.setValue(count.flatMap { Int32($0) }, forKey: "count")
                }
            }
        ),
        .batched(from: "M 2", to: "M 3", entityName: "Item", attributeNames: ["double"], batchSize: 3) { item in
            ["double": Int64(item.value(forKey: "count") as? Int32 ?? 0) * 2]
        },
    ]
}
