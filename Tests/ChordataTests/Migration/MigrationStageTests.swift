@_spi(Generated) import Chordata
import ChordataMigration
import ChordataModel
import ChordataTestSupport
import Foundation
import Synchronization
import Testing

/// Code of the program that runs in a step from one version to the next.
@Suite(.onlySQLite(.migrations))
struct MigrationStageTests {
    @Test func stagesReadDroppedProperties() throws {
        try withStorePath { path in
            let versions = try Self.versions()
            try versions.makeStore(1, at: path, Self.fill)
            let container = try PersistentContainer(
                model: try versions.definition(),
                path: path,
                options: Self.options(.custom(from: "Shelf 1", to: "Shelf 2", didMigrate: Self.didMigrate))
            )
            expectEqual(try Self.people(at: path), Self.expected)
            // Nothing of the old version is left, and the store can be used.
            expectEqual(try query("SELECT count(*) FROM sqlite_schema WHERE name LIKE '%old%'", at: path), ["0"])
            let context = container.newContext()
            let team = try #require(
                try context.fetch(FetchRequest<ManagedObject>(entityName: "Team").sorted(by: SortKey("title"))).first
            )
            #expect((team.value(forKey: "people") as? Set<ManagedObject>)?.count == 3)
            context.delete(team)
            try context.save()
            expectEqual(try query("SELECT count(*) FROM Person WHERE team IS NOT NULL", at: path), ["4"])
        }
    }

    @Test func willMigrateHasObjectsOfTheOldVersion() throws {
        try withStorePath { path in
            let versions = try Self.versions()
            try versions.makeStore(1, at: path, Self.fill)
            let stage = MigrationStage.custom(
                from: "Shelf 1",
                to: "Shelf 2",
                willMigrate: { migration in
                    let people = try migration.objects.fetch(
                        FetchRequest<ManagedObject>(entityName: "Person").sorted(by: SortKey("name"))
                    )
                    #expect(people[3].value(forKey: "age") as? String == "23")
                    for person in people.dropFirst(2) { migration.objects.delete(person) }
                    people[0].setValue("Zoe Zack", forKey: "name")
                    let rows = try migration.rows("SELECT count(*) AS n, max(age) AS age FROM Person")
                    #expect(rows.first?["n"] as? Int64 == 10)
                    #expect(throws: StoreError.self) { try migration.previousValue(forKey: "name", of: people[0]) }
                    #expect(throws: StoreError.self) { try migration.execute("COMMIT") }
                    try migration.execute("UPDATE Person SET age = '99' WHERE name = 'First1 Last1'; SELECT 1;")
                },
                didMigrate: Self.didMigrate
            )
            _ = try PersistentContainer(
                model: try versions.definition(),
                path: path,
                options: Self.options(stage)
            )
            expectEqual(try Self.people(at: path), ["Zoe Zack 20 -", "First1 Last1 99 team 0"])
            expectEqual(try query("SELECT count(*) FROM pragma_foreign_key_check", at: path), ["0"])
        }
    }

    /// Foreign keys are off in a migration, but their actions are performed nevertheless.
    @Test(arguments: [true, false])
    func referencesToRowsDeletedByAStageAreNullified(_ usesSQL: Bool) throws {
        try withStorePath { path in
            let versions = try Self.versions()
            try versions.makeStore(1, at: path, Self.fill)
            let stage = MigrationStage.custom(
                from: "Shelf 1",
                to: "Shelf 2",
                willMigrate: { migration in
                    let pairs = { try migration.rows("SELECT count(*) AS n FROM Person_teams")[0]["n"] as? Int64 }
                    expectEqual(try pairs(), 13)
                    if usesSQL {
                        try migration.execute("DELETE FROM Team")
                    } else {
                        for team in try migration.objects.fetch(FetchRequest<ManagedObject>(entityName: "Team")) {
                            migration.objects.delete(team)
                        }
                        try migration.objects.save()
                    }
                    expectEqual(try pairs(), 0)
                },
                didMigrate: Self.didMigrate
            )
            _ = try PersistentContainer(model: try versions.definition(), path: path, options: Self.options(stage))
            expectEqual(try query("SELECT count(*) FROM Person WHERE team IS NOT NULL", at: path), ["0"])
            expectEqual(try query("SELECT count(*) FROM Person", at: path), ["10"])
        }
    }

    /// Kept values, key paths, and objects of removed entities.
    @Test func allOfTheOlderVersionCanBeRead() throws {
        let old = [
            EntityDescription(
                name: "City",
                attributes: [Self.attribute("title"), Self.attribute("founded", .date)],
                relationships: [Self.toOne("country", "Country", "cities")]
            ),
            EntityDescription(
                name: "Country",
                attributes: [Self.attribute("code", .integer16), Self.attribute("colors", .binaryData)],
                relationships: [Self.toMany("cities", "City", "country"), Self.toOne("flag", "Flag", "country")]
            ),
            EntityDescription(
                name: "Flag",
                attributes: [Self.attribute("motto")],
                relationships: [Self.toOne("country", "Country", "flag")]
            ),
        ]
        var title = Self.attribute("name")
        title.renamingIdentifier = "title"
        let new = [
            EntityDescription(name: "City", attributes: [title, Self.attribute("note")]),
            EntityDescription(
                name: "Flag",
                attributes: [Self.attribute("motto"), Self.attribute("code", .integer16)]
            ),
        ]
        var versions = try Versions([old, new])
        versions.stages = [1]
        try withStorePath { path in
            try versions.makeStore(1, at: path) { context in
                for number in 0..<3 {
                    let city = EntityDescription.insertNewObject(forEntityName: "City", into: context)
                    city.setValue("City \(number)", forKey: "title")
                    city.setValue(Date(timeIntervalSinceReferenceDate: Double(number)), forKey: "founded")
                    if number == 2 { continue }
                    let country = EntityDescription.insertNewObject(forEntityName: "Country", into: context)
                    country.setValue(Int16(40 + number), forKey: "code")
                    country.setValue(Data([UInt8(number)]), forKey: "colors")
                    city.setValue(country, forKey: "country")
                    let flag = EntityDescription.insertNewObject(forEntityName: "Flag", into: context)
                    flag.setValue("Motto \(number)", forKey: "motto")
                    country.setValue(flag, forKey: "flag")
                }
            }
            let stage = MigrationStage.custom(
                from: "Shelf 1",
                to: "Shelf 2",
                didMigrate: { migration in
                    for city in try migration.objects.fetch(FetchRequest<ManagedObject>(entityName: "City")) {
                        func value(_ key: String) throws -> Any {
                            try migration.previousValue(forKey: key, of: city) ?? "-"
                        }
                        #expect(try migration.previousValue(forKey: "country", of: city) == nil)
                        let founded = try #require(try value("founded") as? Date).timeIntervalSinceReferenceDate
                        city.setValue(
                            try
                                "\(value("title")) \(founded) \(value("country.code")) \(value("country.flag.motto")) \(value("country.cities.title"))",
                            forKey: "note"
                        )
                    }
                    let countries = try migration.previousObjects(ofEntity: "Country")
                    #expect(countries.map { $0["code"] as? Int16 } == [40, 41])
                    #expect(countries.map { $0["colors"] as? Data } == [Data([0]), Data([1])])
                    for country in countries {
                        let id = try #require(country["flag"] as? ManagedObjectID)
                        try migration.objects.existingObject(with: id).setValue(country["code"], forKey: "code")
                    }
                    #expect(throws: StoreError.self) { try migration.previousObjects(ofEntity: "City") }
                    #expect(throws: StoreError.self) { try migration.previousObjects(ofEntity: "Town") }
                }
            )
            _ = try PersistentContainer(model: try versions.definition(), path: path, options: Self.options(stage))
            expectEqual(
                try query("SELECT note FROM City ORDER BY _id", at: path),
                [
                    "City 0 0.0 40 Motto 0 [\"City 0\"]", "City 1 1.0 41 Motto 1 [\"City 1\"]", "City 2 2.0 - - -",
                ]
            )
            expectEqual(try query("SELECT motto || code FROM Flag ORDER BY _id", at: path), ["Motto 040", "Motto 141"])
        }
    }

    /// The stage that `chordata migrate mapping --swift` generates from the mapping model of its test.
    @Test func aMappedStageRuns() throws {
        let source = try ManagedObjectModel(entities: [
            EntityDescription(name: "Dust", attributes: [Self.attribute("name")]),
            EntityDescription(name: "Person", attributes: [Self.attribute("name"), Self.attribute("age", .integer16)]),
            EntityDescription(name: "Relic", attributes: [Self.attribute("title")]),
        ])
        let destination = try ManagedObjectModel(entities: [
            EntityDescription(
                name: "Person",
                attributes: [Self.attribute("title"), Self.attribute("rank"), Self.attribute("age", .integer16)]
            ),
            EntityDescription(name: "Tag", attributes: [Self.attribute("name")]),
        ])
        let plan = planMigration(
            from: source,
            to: destination,
            sourceName: "M",
            destinationName: "M 2",
            isStage: true,
            locate: { _, _ in nil }
        ).plan
        let step = ModelDefinition.Migration(
            source: "M",
            sourceHash: source.versionHash,
            destination: "M 2",
            destinationHash: destination.versionHash,
            sql: renderMigration(try #require(plan)),
            stage: .init(
                serializedSource: source.serialized(),
                serializedDestination: destination.serialized()
            )
        )
        try withStorePath { path in
            do {
                let context = try PersistentContainer(
                    model: ModelDefinition(name: "M", versionName: "M", model: source),
                    path: path
                ).newContext()
                for (entity, key, value) in [
                    ("Person", "name", "Ann"), ("Person", "name", "Bob"), ("Relic", "title", "Urn"),
                ] {
                    let object = EntityDescription.insertNewObject(forEntityName: entity, into: context)
                    object.setValue(value, forKey: key)
                    if value == "Ann" { object.setValue(3, forKey: "age") }
                    if value == "Bob" { object.setValue(4, forKey: "age") }
                }
                try context.save()
            }
            _ = try PersistentContainer(
                model: ModelDefinition(
                    name: "M",
                    versionName: "M 2",
                    model: destination,
                    migrations: [step],
                    versionNames: [source.versionHash: "M"]
                ),
                path: path,
                options: Self.options(mToM2)
            )
            expectEqual(try query("SELECT title FROM Person ORDER BY title", at: path), ["Bob", "Urn"])
        }
    }

    struct Refusal: Error {}

    @Test func incompleteOrFailedStagesChangeNothing() throws {
        try withStorePath { path in
            let versions = try Self.versions()
            try versions.makeStore(1, at: path, Self.fill)
            let before = try Data(contentsOf: URL(fileURLWithPath: path))
            let definition = try versions.definition()
            let refused: [(String, StoreError.Code, [MigrationStage])] = [
                ("'firstName' of 'Person' is required", .migrationFailed, [.custom(from: "Shelf 1", to: "Shelf 2")]),
                ("Refusal()", .migrationFailed, [.custom(from: "Shelf 1", to: "Shelf 2") { _ in throw Refusal() }]),
                (
                    "no property 'tilte'", .migrationFailed,
                    [
                        .custom(
                            from: "Shelf 1",
                            to: "Shelf 2",
                            didMigrate: { migration in
                                let team = try migration.objects.fetch(FetchRequest<ManagedObject>(entityName: "Team"))[
                                    0
                                ]
                                _ = try migration.previousValue(forKey: "tilte", of: team)
                            }
                        )
                    ]
                ),
                ("from: \"Shelf 1\", to: \"Shelf 2\"", .missingStage, []),
                (
                    "has no step between these versions", .missingStage,
                    [
                        .custom(from: "Shelf 1", to: "Shelf 2", didMigrate: Self.didMigrate),
                        .custom(from: "Shelf", to: "Shelf 2"),
                    ]
                ),
            ]
            for (part, code, stages) in refused {
                let error = #expect(throws: StoreError.self) {
                    try PersistentContainer(
                        model: definition,
                        path: path,
                        options: StoreOptions(migrationStages: stages)
                    )
                }
                expectEqual(error?.code, code, "\(String(describing: error))")
                #expect(error?.message.contains(part) == true, "\(String(describing: error))")
                expectEqual(try Data(contentsOf: URL(fileURLWithPath: path)), before)
            }
            // The error is thrown even if there is no store at the path, because an existing store may be opened later.
            let error = #expect(throws: StoreError.self) {
                try PersistentContainer(model: definition, path: path + "2")
            }
            expectEqual(error?.code, .missingStage)
            // The stage is not required if stores are not migrated automatically.
            _ = try PersistentContainer(
                model: definition,
                path: path + "2",
                options: StoreOptions(shouldMigrateStoreAutomatically: false)
            )
        }
    }
}
