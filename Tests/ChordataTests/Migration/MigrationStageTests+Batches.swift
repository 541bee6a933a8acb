@_spi(Generated) import Chordata
import ChordataMigration
import ChordataModel
import ChordataTestSupport
import Foundation
import Synchronization
import Testing

// Stages that migrate in batches.
extension MigrationStageTests {
    static func batched(size: Int = 3, failsAt: Int? = nil, revision: Int = 1)
        -> MigrationStage
    {
        let seen = Mutex(0)
        return .batched(
            from: "Shelf 1",
            to: "Shelf 2",
            entityName: "Person",
            attributeNames: ["firstName", "lastName", "age"],
            batchSize: size,
            revision: revision
        ) { person in
            let count = seen.withLock { seen in
                seen += 1
                return seen
            }
            if count == failsAt { throw Refusal() }
            let parts = (person.value(forKey: "name") as? String ?? "").split(separator: " ").map(String.init)
            let age = (person.value(forKey: "age") as? String).flatMap { Int16($0) }
            return ["firstName": parts[0], "lastName": parts[1], "age": age]
        }
    }

    static let teams: MigrationStage = .custom(
        from: "Shelf 1",
        to: "Shelf 2",
        didMigrate: { migration in
            for person in try migration.objects.fetch(FetchRequest<ManagedObject>(entityName: "Person")) {
                let teams = try (try migration.previousValue(forKey: "teams", of: person) as? [ManagedObjectID] ?? [])
                    .map { try migration.objects.existingObject(with: $0) }
                let last = teams.max {
                    ($0.value(forKey: "title") as? String ?? "") < ($1.value(forKey: "title") as? String ?? "")
                }
                person.setValue(last, forKey: "team")
            }
        }
    )

    @Test func batchesResumeAfterAFailure() throws {
        try withStorePath { path in
            let versions = try Self.versions()
            try versions.makeStore(1, at: path, Self.fill)
            let definition = try versions.definition()
            #expect(throws: StoreError.self) {
                try PersistentContainer(
                    model: definition,
                    path: path,
                    options: Self.options(Self.batched(failsAt: 8), Self.teams)
                )
            }
            // Two batches are done, and nothing has changed for programs of the store's version.
            expectEqual(try query("SELECT count(*) FROM _stage_0_Person", at: path), ["6"])
            let old = try PersistentContainer(model: try versions.definition(upTo: 1), path: path)
            let context = old.newContext()
            let people = try context.fetch(
                FetchRequest<ManagedObject>(entityName: "Person").sorted(by: SortKey("name"))
            )
            people[0].setValue("Changed Since", forKey: "name")
            context.delete(people[1])
            try context.save()
            // Four objects were not computed yet, and one was changed since then.
            let stage = Self.batched(failsAt: 6)
            _ = try PersistentContainer(model: definition, path: path, options: Self.options(stage, Self.teams))
            var expected = Self.expected
            expected[0] = "Changed Since 20 -"
            expected.remove(at: 1)
            expectEqual(try Self.people(at: path), expected)
            expectEqual(try query("SELECT count(*) FROM sqlite_schema WHERE name LIKE '%stage%'", at: path), ["0"])
            expectEqual(try query("SELECT count(*) FROM _metadata WHERE key LIKE 'stage%'", at: path), ["0"])
        }
    }

    @Test func anotherRevisionRecomputesValues() throws {
        try withStorePath { path in
            let versions = try Self.versions()
            try versions.makeStore(1, at: path, Self.fill)
            let definition = try versions.definition()
            func run(_ failsAt: Int, revision: Int) {
                #expect(throws: StoreError.self) {
                    try PersistentContainer(
                        model: definition,
                        path: path,
                        options: Self.options(Self.batched(failsAt: failsAt, revision: revision))
                    )
                }
            }
            run(8, revision: 1)
            expectEqual(try query("SELECT count(*) FROM _stage_0_Person", at: path), ["6"])
            run(5, revision: 2)
            expectEqual(try query("SELECT count(*) FROM _stage_0_Person", at: path), ["3"])
        }
    }

    /// A store of an older version is first migrated to the version at which the batches begin.
    @Test func batchesWaitAtTheirVersion() async throws {
        try await withStorePath { path in
            let last = try Self.versions()
            let first: [EntityDescription] = last.models[0].entities.map { entity in
                var entity = entity
                entity.declaredAttributes.removeAll { $0.name == "age" }
                return entity
            }
            var versions = try Versions([first, last.models[0].entities, last.models[1].entities])
            versions.stages = [2]
            try versions.makeStore(1, at: path) { context in
                for number in 0..<5 {
                    let person = EntityDescription.insertNewObject(forEntityName: "Person", into: context)
                    person.setValue("First\(number) Last", forKey: "name")
                }
            }
            let definition = try versions.definition()
            func stage(_ failsAt: Int?) -> MigrationStage {
                let seen = Mutex(0)
                return .batched(
                    from: "Shelf 2",
                    to: "Shelf 3",
                    entityName: "Person",
                    attributeNames: ["firstName", "lastName"],
                    batchSize: 2
                ) { person in
                    let count = seen.withLock { seen in
                        seen += 1
                        return seen
                    }
                    if count == failsAt { throw Refusal() }
                    let parts = (person.value(forKey: "name") as? String ?? "").split(separator: " ").map(String.init)
                    return ["firstName": parts[0], "lastName": parts[1]]
                }
            }
            let options = Self.options(stage(4))
            #expect(throws: StoreError.self) {
                try PersistentContainer(model: definition, path: path, options: options)
            }
            expectEqual(try query("SELECT value FROM _metadata WHERE key = 'versionName'", at: path), ["Shelf 2"])
            let manager = MigrationManager(model: definition, path: path, options: Self.options(stage(nil)))
            let updates = manager.updates
            let looking = Task { await updates.reduce(into: []) { $0.append($1) } }
            try await manager.migrateStore()
            expectEqual(await looking.value.last?.fractionCompleted, 1)
            expectEqual(
                try query("SELECT firstName || lastName FROM Person ORDER BY _id", at: path),
                (0..<5).map { "First\($0)Last" }
            )
        }
    }

    @Test func invalidBatchesAreRejected() throws {
        try withStorePath { path in
            let versions = try Self.versions()
            try versions.makeStore(1, at: path, Self.fill)
            let definition = try versions.definition()
            func stage(_ entity: String, _ names: [String], _ values: [String: any Sendable]) -> MigrationStage {
                .batched(
                    from: "Shelf 1",
                    to: "Shelf 2",
                    entityName: entity,
                    attributeNames: names
                ) { _ in values }
            }
            let stages: [(String, MigrationStage)] = [
                ("names entity 'Persn', which version 'Shelf 1' does not have", stage("Persn", [], [:])),
                (
                    "'name', which a batched stage sets, is not an attribute of 'Person' in version 'Shelf 2'; correct",
                    stage("Person", ["name"], [:])
                ),
                ("cannot set 'team' of 'Person' in version 'Shelf 2': it must be", stage("Person", ["team"], [:])),
                ("'age' of", stage("Person", ["age"], ["age": 70_000])),
                ("'age' of", stage("Person", ["age"], ["age": "old"])),
                ("returns a value of 'firstName'", stage("Person", ["age"], ["firstName": "A"])),
                ("is required", stage("Person", ["age"], ["age": 7])),
            ]
            for (part, stage) in stages {
                let error = #expect(throws: StoreError.self) {
                    try PersistentContainer(model: definition, path: path, options: Self.options(stage))
                }
                expectEqual(error?.code, .migrationFailed)
                #expect(error?.message.contains(part) == true, "\(String(describing: error))")
                expectEqual(try query("SELECT count(*) FROM Person WHERE name IS NOT NULL", at: path), ["10"])
            }
        }
    }
}
