@_spi(Generated) import Chordata
import ChordataTestStores
import ChordataTestSupport
import Foundation
import Testing

/// The apps of popular Core Data tutorials, item by item (S1–S20, S22).
@Suite(.onlySQLite(.files))
struct TutorialTests {
    /// The model of the to-do list, built in code.
    private static func doneDefinition() throws -> ModelDefinition {
        let item = EntityDescription(
            name: "TSPItem",
            attributes: [
                AttributeDescription(name: "name", attributeType: .string, isOptional: false),
                AttributeDescription(name: "createdAt", attributeType: .date, isOptional: false),
                AttributeDescription(
                    name: "done",
                    attributeType: .boolean,
                    isOptional: false,
                    defaultValue: .boolean(false)
                ),
            ]
        )
        return ModelDefinition(name: "Done", versionName: "Done", model: try ManagedObjectModel(entities: [item]))
    }

    /// The Core Data stack as tutorials build it, with lazily created parts.
    private final class CoreDataManager {
        let url: URL
        init(url: URL) { self.url = url }

        private(set) lazy var managedObjectContext: ManagedObjectContext = {
            let context = ManagedObjectContext()
            context.persistentStoreCoordinator = persistentStoreCoordinator
            return context
        }()

        private(set) lazy var persistentStoreCoordinator: PersistentStoreCoordinator = {
            let coordinator = PersistentStoreCoordinator(managedObjectModel: LeagueModel.definition)
            do {
                try coordinator.addPersistentStore(type: .sqlite, at: url)
            } catch {
                Issue.record(error)
            }
            return coordinator
        }()
    }

    private final class Screen: FetchedResultsControllerDelegate { typealias Object = Team }

    @Test func s1TheStackBuiltByHand() throws {
        try withStorePath { path in
            let manager = CoreDataManager(url: URL(fileURLWithPath: path))
            let team = Team(context: manager.managedObjectContext, name: "Reds")
            try manager.managedObjectContext.save()
            let other = ManagedObjectContext()
            other.persistentStoreCoordinator = manager.persistentStoreCoordinator
            expectEqual(try other.fetch(Team.fetchRequest()).map(\.objectID), [team.objectID])
        }
    }

    @Test func s2TheModelIsLoaded() throws {
        let fromCode = DoneModel.definition.model
        expectEqual(fromCode.entitiesByName.keys.sorted(), ["TodoItem", "TodoList"])
        let data = try JSONEncoder().encode(fromCode)
        let loaded = try JSONDecoder().decode(ManagedObjectModel.self, from: data)
        let coordinator = PersistentStoreCoordinator(
            managedObjectModel: ModelDefinition(name: "Done", versionName: "Done", model: loaded)
        )
        expectEqual(coordinator.managedObjectModel, fromCode)
        try coordinator.addPersistentStore(type: .inMemory, at: nil)
        let context = ManagedObjectContext()
        context.persistentStoreCoordinator = coordinator
        let list = EntityDescription.insertNewObject(forEntityName: "TodoList", into: context)
        list.setValue("Errands", forKey: "title")
        try context.save()
        context.refreshAllObjects()
        #expect(list.value(forKey: "title") as? String == "Errands")
    }

    @Test func s3AStoreIsAdded() throws {
        try withStorePath { path in
            let coordinator = PersistentStoreCoordinator(managedObjectModel: try Self.doneDefinition())
            let store = try coordinator.addPersistentStore(type: .sqlite, at: URL(fileURLWithPath: path))
            #expect(store.type == .sqlite && store.path == path)
            expectEqual(coordinator.persistentStores.map(\.identifier), [store.identifier])
            let missing = URL(fileURLWithPath: path).deletingLastPathComponent().appending(
                path: "no/such/folder.sqlite"
            )
            let second = PersistentStoreCoordinator(managedObjectModel: try Self.doneDefinition())
            #expect(throws: StoreError.self) { try second.addPersistentStore(type: .sqlite, at: missing) }
            #expect(throws: StoreError.self) { try second.addPersistentStore(type: .sqlite, at: nil) }
        }
    }

    @Test func s4AStoreOfAnotherModelIsRefused() throws {
        try withStorePath { path in
            _ = try LeagueModel.definition.testContainer(at: path)
            let before = try Data(contentsOf: URL(fileURLWithPath: path))
            let coordinator = PersistentStoreCoordinator(managedObjectModel: try Self.doneDefinition())
            let error = #expect(throws: StoreError.self) {
                try coordinator.addPersistentStore(type: .sqlite, at: URL(fileURLWithPath: path))
            }
            expectEqual(error?.code, .incompatibleModel)
            expectEqual(
                error?.message,
                "is a store of model 'League', according to its metadata, but was opened with 'Done'; "
                    + "open it with its own model; or, " + Self.deletion
            )
            expectEqual(try Data(contentsOf: URL(fileURLWithPath: path)), before)
        }
    }

    private static let deletion =
        "if its data is not needed, delete the store with PersistentStoreCoordinator.destroyPersistentStore(at:)"

    /// A version of the model of the tutorial.
    private static func version(
        _ name: String,
        keys: [String],
        migrations: [ModelDefinition.Migration] = [],
        versionNames: [String: String] = [:]
    ) throws -> ModelDefinition {
        let attributes = keys.map { AttributeDescription(name: $0, attributeType: .string, isOptional: true) }
        return ModelDefinition(
            name: "Done",
            versionName: name,
            model: try ManagedObjectModel(entities: [EntityDescription(name: "Item", attributes: attributes)]),
            migrations: migrations,
            versionNames: versionNames
        )
    }

    /// The message names the versions, their differences and both remedies; the second remedy works.
    @Test func s4AStoreOfAnotherVersionIsRefused() throws {
        let first = try Self.version("Done", keys: ["name"])
        let changed = try Self.version("Done", keys: ["name", "createdAt"])
        let second = try Self.version("Done 2", keys: ["name", "createdAt"])
        let gap = try Self.version(
            "Done 2",
            keys: ["name", "createdAt"],
            versionNames: [first.model.versionHash: "Done"]
        )
        let differences =
            "entities changed: 'Item'; 'createdAt' of 'Item' (String, optional) only in the model; to keep its data, "
        func inspection(_ path: String) -> String {
            " ('chordata inspect \(path)' prints its version, object counts and schema drift)"
        }
        let cases: [(ModelDefinition, StoreError.Code, String, end: (String) -> String)] = [
            (
                changed, .incompatibleModel,
                "is at version 'Done' of 'Done', according to its metadata, but the program's model defines that "
                    + "version differently; \(differences)undo the change and make it in a new version, to which the "
                    + "store is migrated; or, ", inspection
            ),
            (
                second, .incompatibleModel,
                "is at version 'Done' of 'Done', according to its metadata, but the program's model does not "
                    + "have that version (its own is 'Done 2'); \(differences)add that version to the model, so that "
                    + "the store can be migrated from it; or, ",
                inspection
            ),
            (
                gap, .missingMigration,
                "is at version 'Done', from which there is no migration to 'Done 2', the version of the "
                    + "program's model; \(differences)write the migration ('chordata migrate new MODEL --gaps' "
                    + "creates its file; a build reports as CD0401 why it cannot be inferred); or, ", { _ in "" }
            ),
        ]
        for (definition, code, message, end) in cases {
            try withStorePath { path in
                _ = try first.testContainer(at: path)
                let before = try Data(contentsOf: URL(fileURLWithPath: path))
                let error = #expect(throws: StoreError.self) { try definition.testContainer(at: path) }
                expectEqual(error?.code, code)
                expectEqual(error?.message, message + Self.deletion + end(path))
                expectEqual(try Data(contentsOf: URL(fileURLWithPath: path)), before)
                try PersistentStoreCoordinator.destroyPersistentStore(at: path)
                _ = try definition.testContainer(at: path)
            }
        }
    }

    /// The first remedy works.
    @Test func s4AStoreOfAnotherVersionIsMigrated() throws {
        try withStorePath { path in
            let first = try Self.version("Done", keys: ["name"])
            let container = try first.testContainer(at: path)
            let context = container.newContext()
            EntityDescription.insertNewObject(forEntityName: "Item", into: context).setValue("Bake", forKey: "name")
            try context.save()
            let second = try Self.version("Done 2", keys: ["name", "createdAt"])
            let step = ModelDefinition.Migration(
                source: "Done",
                sourceHash: first.model.versionHash,
                destination: "Done 2",
                destinationHash: second.model.versionHash,
                sql: "ALTER TABLE \"Item\" ADD COLUMN \"createdAt\" TEXT"
            )
            let migrated = try Self.version(
                "Done 2",
                keys: ["name", "createdAt"],
                migrations: [step],
                versionNames: [first.model.versionHash: "Done"]
            ).testContainer(at: path)
            let found = try migrated.newContext().fetch(FetchRequest<ManagedObject>(entityName: "Item"))
            #expect(found.map { $0.value(forKey: "name") as? String } == ["Bake"])
        }
    }

    @Test func s5TwoScreensOnOneContext() throws {
        let context = try LeagueModel.definition.testContainer(at: ":memory:").newContext()
        let screen = Screen()
        func controller() throws -> FetchedResultsController<Team> {
            let controller = FetchedResultsController(
                fetchRequest: Team.fetchRequest().sorted(by: \.name),
                managedObjectContext: context
            )
            controller.delegate = screen
            try controller.performFetch()
            return controller
        }
        let (first, second) = (try controller(), try controller())
        _ = Team(context: context, name: "Reds")
        context.processPendingChanges()
        expectEqual(first.fetchedObjects?.map(\.name), ["Reds"])
        expectEqual(second.fetchedObjects?.map(\.name), ["Reds"])
    }

    @Test func s6SaveErrorsDescribeTheProblem() throws {
        let context = try LeagueModel.definition.testContainer(at: ":memory:").newContext()
        let team = Team(context: context)
        let error = #expect(throws: ValidationError.self) { try context.save() }
        let text = error.map { "\($0)" } ?? ""
        #expect(text.contains("'name' of 'Team'") && text.contains("(1570)"))
        expectEqual(error?.localizedDescription, text)
        expectEqual(error?.failures.map(\.objectID), [team.objectID])
        team.name = "Reds"
        try context.save()
    }

    /// The user info has the keys of Core Data.
    @Test func s6AnErrorOfSaveHasUserInfo() throws {
        struct Refusal: Error {}
        let context = try LeagueModel.definition.testContainer(at: ":memory:").newContext()
        let team = Team(context: context)
        let one = try #require(#expect(throws: ValidationError.self) { try context.save() }) as NSError
        #expect(one.domain == NSCocoaErrorDomain && one.code == 1_570)
        #expect(one.userInfo["NSValidationErrorKey"] as? String == "name")
        #expect(one.userInfo["NSValidationErrorObject"] as? ManagedObjectID == team.objectID)
        #expect(one.userInfo["NSDetailedErrors"] == nil && one.userInfo[NSUnderlyingErrorKey] == nil)
        #expect(one.localizedDescription.contains("'name' of 'Team'"))
        let other = Team(context: context)
        let error = try #require(#expect(throws: ValidationError.self) { try context.save() })
        let several = error as NSError
        #expect(several.code == 1_560 && several.localizedDescription == error.description)
        #expect(several.userInfo["NSValidationErrorKey"] == nil)
        let detailed = try #require(several.userInfo["NSDetailedErrors"] as? [NSError])
        let ids = detailed.map { $0.userInfo["NSValidationErrorObject"] as? ManagedObjectID }
        #expect(detailed.map(\.code) == [1_570, 1_570] && ids == [team.objectID, other.objectID])
        expectEqual(detailed.map(\.localizedDescription).joined(separator: "\n"), error.description)
        let refused = ValidationError.Failure(
            .managedObjectValidation,
            of: team,
            reason: "was refused",
            underlyingError: Refusal()
        )
        let userInfo = (ValidationError(failures: [refused]) as NSError).userInfo
        #expect(userInfo["NSValidationErrorKey"] == nil)
        #expect((userInfo[NSUnderlyingErrorKey] as? NSError).map { "\($0.domain)" }?.contains("Refusal") == true)
    }

    @Test func s6AConflictHasUserInfo() throws {
        let container = try LeagueModel.definition.testContainer(at: ":memory:")
        let (first, second) = (container.newContext(), container.newContext())
        let team = Team(context: first, name: "Reds")
        try first.save()
        let same = try #require(try second.existingObject(with: team.objectID) as? Team)
        team.name = "Blues"
        try first.save()
        same.name = "Greens"
        let error = try #require(#expect(throws: SaveConflictError.self) { try second.save() })
        let conflicts = (error as NSError).userInfo["conflictList"] as? [SaveConflictError.Conflict]
        #expect((error as NSError).domain == NSCocoaErrorDomain && (error as NSError).code == 133_020)
        expectEqual(conflicts?.map(\.objectID), [team.objectID])
        expectEqual(error.localizedDescription, error.description)
    }

    @Test func s7TheModelsAreGenerated() throws {
        let context = try LeagueModel.definition.testContainer(at: ":memory:").newContext()
        let player = Player(context: context, name: "Ann")
        player.age = 30
        player.team = Team(context: context, name: "Reds")
        let person = Person(
            context: try AddressBookModel.definition.testContainer(at: ":memory:").newContext(),
            firstName: "A",
            surName: "B"
        )
        expectEqual(player.team?.players, [player])
        expectEqual(person.firstName, "A")

        let tutorials = try TutorialsModel.definition.testContainer(at: ":memory:").newContext()
        let item = TSPItem(context: tutorials, createdAt: Date(timeIntervalSinceReferenceDate: 1), name: "Milk")
        let visitor = Visitor(context: tutorials, firstName: "Ada", lastName: "Lovelace")
        visitor.age = 36
        try tutorials.save()
        tutorials.refreshAllObjects()
        #expect(item.name == "Milk" && item.createdAt == Date(timeIntervalSinceReferenceDate: 1) && !item.done)
        #expect(visitor.firstName == "Ada" && visitor.lastName == "Lovelace" && visitor.age == 36)
        expectEqual(visitor.objectID.entityName, "Person")
    }

    @Test func s8InsertedObjectsHaveDefaults() throws {
        let context = try DoneModel.definition.testContainer(at: ":memory:").newContext()
        #expect(TodoItem(context: context).done == false)
        let generic = try container().newContext()
        let item = EntityDescription.insertNewObject(forEntityName: "TSPItem", into: generic)
        #expect(item.value(forKey: "done") as? Bool == false)
    }

    @Test func s9MissingRequiredValuesFail() throws {
        let context = try container().newContext()
        let item = EntityDescription.insertNewObject(forEntityName: "TSPItem", into: context)
        let error = #expect(throws: ValidationError.self) { try context.save() }
        expectEqual(error?.failures.map(\.propertyName), ["name", "createdAt"])
        item.setValue("Milk", forKey: "name")
        item.setValue(Date.now, forKey: "createdAt")
        try context.save()
        item.setValue(nil, forKey: "name")
        #expect(item.value(forKey: "name") == nil)
        #expect(throws: ValidationError.self) { try context.save() }
    }

    @Test func s10AnObjectIsInsertedByItsEntitysName() throws {
        let context = try LeagueModel.definition.testContainer(at: ":memory:").newContext()
        let team = EntityDescription.insertNewObject(forEntityName: "Team", into: context)
        #expect(team is Team)
        expectEqual(context.insertedObjects, [team])
    }

    @Test func s11TheEntityIsFoundByItsName() throws {
        let context = try LeagueModel.definition.testContainer(at: ":memory:").newContext()
        let entity = try #require(EntityDescription.entity(forEntityName: "Player", in: context))
        expectEqual(entity.attributesByName["age"]?.attributeType, .integer16)
        #expect(EntityDescription.entity(forEntityName: "Referee", in: context) == nil)
    }

    @Test func s12AnObjectWithoutAClass() throws {
        let container = try container()
        let context = container.newContext()
        let entity = try #require(EntityDescription.entity(forEntityName: "TSPItem", in: context))
        let item = ManagedObject(entity: entity, insertInto: context)
        item.setValue("Milk", forKey: "name")
        item.setValue(Date(timeIntervalSinceReferenceDate: 0.1), forKey: "createdAt")
        try context.save()
        let fresh = container.newContext()
        let request = FetchRequest<ManagedObject>(entityName: "TSPItem")
        let found = try fresh.fetch(try request.where(format: "name == %@", "Milk").sorted(by: "createdAt"))
        expectEqual(found.map(\.objectID), [item.objectID])
        #expect(found.first?.value(forKey: "createdAt") as? Date == Date(timeIntervalSinceReferenceDate: 0.1))
        // In a model with classes, the object has the class of its entity.
        let league = try LeagueModel.definition.testContainer(at: ":memory:").newContext()
        let team = try #require(EntityDescription.entity(forEntityName: "Team", in: league))
        #expect(ManagedObject(entity: team, insertInto: league) is Team)
        expectEqual(Team(entity: team, insertInto: league).name, "")
    }

    @Test func s13ValuesByKey() throws {
        let context = try container().newContext()
        let item = EntityDescription.insertNewObject(forEntityName: "TSPItem", into: context)
        item.setValue("Milk", forKey: "name")
        item.setValue(Date(timeIntervalSinceReferenceDate: 7), forKey: "createdAt")
        item.setValue(1, forKey: "done")
        #expect(item.value(forKey: "name") as? String == "Milk")
        #expect(item.value(forKey: "createdAt") as? Date == Date(timeIntervalSinceReferenceDate: 7))
        #expect(item.value(forKey: "done") as? Bool == true)
    }

    @Test func s14TypedProperties() throws {
        let context = try LeagueModel.definition.testContainer(at: ":memory:").newContext()
        let player = Player(context: context, name: "Ann")
        player.name = "Bea"
        player.age = 41
        #expect(player.name == "Bea" && String(player.age) == "41")
    }

    @Test func s15ADeletionIsSaved() throws {
        let container = try LeagueModel.definition.testContainer(at: ":memory:")
        let context = container.newContext()
        let team = Team(context: context, name: "Reds")
        try context.save()
        context.delete(team)
        try context.save()
        expectEqual(try container.newContext().count(for: Team.fetchRequest()), 0)
    }

    @Test func s16TheInverseFollows() throws {
        let context = try LeagueModel.definition.testContainer(at: ":memory:").newContext()
        let (reds, blues) = (Team(context: context, name: "Reds"), Team(context: context, name: "Blues"))
        let player = Player(context: context, name: "Ann")
        player.team = reds
        expectEqual(reds.players, [player])
        player.team = blues
        #expect(reds.players.isEmpty && blues.players == [player])
    }

    // MARK: Fetching

    /// Creates the players Ann, who is 30 and in the team Reds, Bob, who is 20, and al, who is 20.
    private func league() throws -> (context: ManagedObjectContext, reds: Team) {
        let context = try LeagueModel.definition.testContainer(at: ":memory:").newContext()
        let reds = Team(context: context, name: "Reds")
        for (name, age) in [("Ann", 30), ("Bob", 20), ("al", 20)] as [(String, Int16)] {
            Player(context: context, name: name).age = age
        }
        try context.fetchOne(Player.fetchRequest().where(\.name == "Ann"))?.team = reds
        try context.save()
        return (context, reds)
    }

    @Test func s17RequestsByNameByClassAndByEntity() throws {
        let context = try league().context
        var request = FetchRequest<ManagedObject>(entityName: "Player")
        request.entityName = "Team"
        #expect(try context.fetch(request).map { $0 is Team } == [true])
        #expect(throws: FetchError.self) { try context.fetch(FetchRequest<Player>(entityName: "Team")) }
        expectEqual(try context.fetch(FetchRequest<Player>(entityName: "Player")).count, 3)
        expectEqual(try context.fetch(Player.fetchRequest()).count, 3)
        let untyped = try container().newContext()
        untyped.performAndWait { _ = EntityDescription.insertNewObject(forEntityName: "TSPItem", into: untyped) }
        request.entityName = "TSPItem"
        expectEqual(try untyped.fetch(request).count, 1)
    }

    @Test func s18SortsByOneKeyBySeveralAndWithoutRegardToCase() throws {
        let context = try league().context
        let players = Player.fetchRequest()
        expectEqual(try context.fetch(players.sorted(by: "name")).map(\.name), ["Ann", "Bob", "al"])
        let byAgeAndName = players.sorted(by: "age").sorted(by: "name")
        expectEqual(try context.fetch(byAgeAndName).map(\.name), ["Bob", "al", "Ann"])
        let caseless = players.sorted(by: "name", comparing: .localizedCaseInsensitive)
        expectEqual(try context.fetch(caseless).map(\.name), ["al", "Ann", "Bob"])
    }

    @Test func s19AnObjectIsAnArgument() throws {
        let (context, reds) = try league()
        let request = try Player.fetchRequest().where(format: "team == %@", reds)
        expectEqual(try context.fetch(request).map(\.name), ["Ann"])
    }

    @Test func s20NotMatches() throws {
        let context = try league().context
        let request = try Player.fetchRequest().where(format: "NOT (name MATCHES %@)", "[A-Z].*")
        expectEqual(try context.fetch(request).map(\.name), ["al"])
    }

    @Test func s22BatchesOfTwenty() throws {
        let context = try league().context
        for index in 0..<50 { _ = Player(context: context, name: "\(index)") }
        try context.save()
        context.reset()
        let players = try context.fetch(Player.fetchRequest().batchSize(20))
        expectEqual(players.count, 53)
        expectEqual(players.filter(\.isFault).count, 53)
        expectEqual(players[25].name, "22")
        expectEqual(players.filter { !$0.isFault }.count, 20)
    }

    private func container() throws -> PersistentContainer {
        try Self.doneDefinition().testContainer(at: ":memory:")
    }
}
