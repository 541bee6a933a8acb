import Chordata
import Foundation
import Testing

/// The apps that people learn Core Data with, item by item (S1–S16).
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

    /// The stack as the tutorials build it, each part made when it is asked for.
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

    private final class Screen: FetchedResultsControllerDelegate {}

    @Test func s1TheStackBuiltByHand() throws {
        try withStorePath { path in
            let manager = CoreDataManager(url: URL(fileURLWithPath: path))
            let team = Team(context: manager.managedObjectContext, name: "Reds")
            try manager.managedObjectContext.save()
            let other = ManagedObjectContext()
            other.persistentStoreCoordinator = manager.persistentStoreCoordinator
            #expect(try other.fetch(Team.fetchRequest()).map(\.objectID) == [team.objectID])
        }
    }

    @Test func s2TheModelIsLoaded() throws {
        let fromCode = DoneModel.definition.model
        #expect(fromCode.entitiesByName.keys.sorted() == ["TodoItem", "TodoList"])
        let data = try JSONEncoder().encode(fromCode)
        let loaded = try JSONDecoder().decode(ManagedObjectModel.self, from: data)
        let coordinator = PersistentStoreCoordinator(
            managedObjectModel: ModelDefinition(name: "Done", versionName: "Done", model: loaded)
        )
        #expect(coordinator.managedObjectModel == fromCode)
    }

    @Test func s3AStoreIsAdded() throws {
        try withStorePath { path in
            let coordinator = PersistentStoreCoordinator(managedObjectModel: try Self.doneDefinition())
            let store = try coordinator.addPersistentStore(type: .sqlite, at: URL(fileURLWithPath: path))
            #expect(store.type == .sqlite && store.path == path)
            #expect(coordinator.persistentStores.map(\.identifier) == [store.identifier])
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
            _ = try LeagueModel.container(at: path)
            let before = try Data(contentsOf: URL(fileURLWithPath: path))
            let coordinator = PersistentStoreCoordinator(managedObjectModel: try Self.doneDefinition())
            let error = #expect(throws: StoreError.self) {
                try coordinator.addPersistentStore(type: .sqlite, at: URL(fileURLWithPath: path))
            }
            #expect(error?.code == .incompatibleModel)
            #expect(error?.message == "belongs to model 'League', not to 'Done'; open it with its own model")
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
        }
    }

    @Test func s5TwoScreensOnOneContext() throws {
        let context = try LeagueModel.container(at: ":memory:").newContext()
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
        #expect(first.fetchedObjects?.map(\.name) == ["Reds"])
        #expect(second.fetchedObjects?.map(\.name) == ["Reds"])
    }

    @Test func s6AnErrorOfSaveSaysWhatIsWrong() throws {
        let context = try LeagueModel.container(at: ":memory:").newContext()
        let team = Team(context: context)
        let error = #expect(throws: ValidationError.self) { try context.save() }
        let text = error.map { "\($0)" } ?? ""
        #expect(text.contains("'name' of 'Team'") && text.contains("(1570)"))
        #expect(error?.localizedDescription == text)
        #expect(error?.failures.map(\.objectID) == [team.objectID])
        team.name = "Reds"
        try context.save()
    }

    @Test func s7TheModelsAreGenerated() throws {
        let context = try LeagueModel.container(at: ":memory:").newContext()
        let player = Player(context: context, name: "Ann")
        player.age = 30
        player.team = Team(context: context, name: "Reds")
        let person = Person(
            context: try AddressBookModel.container(at: ":memory:").newContext(),
            firstName: "A",
            surName: "B"
        )
        #expect(player.team?.players == [player])
        #expect(person.firstName == "A")
    }

    @Test func s8TheDefaultIsThereAtInsertion() throws {
        let context = try DoneModel.container(at: ":memory:").newContext()
        #expect(TodoItem(context: context).done == false)
        let generic = try container().newContext()
        let item = EntityDescription.insertNewObject(forEntityName: "TSPItem", into: generic)
        #expect(item.value(forKey: "done") as? Bool == false)
    }

    @Test func s9WhatIsRequiredAndMissingFails() throws {
        let context = try container().newContext()
        let item = EntityDescription.insertNewObject(forEntityName: "TSPItem", into: context)
        let error = #expect(throws: ValidationError.self) { try context.save() }
        #expect(error?.failures.map(\.propertyName) == ["name", "createdAt"])
        item.setValue("Milk", forKey: "name")
        item.setValue(Date.now, forKey: "createdAt")
        try context.save()
        item.setValue(nil, forKey: "name")
        #expect(item.value(forKey: "name") == nil)
        #expect(throws: ValidationError.self) { try context.save() }
    }

    @Test func s10AnObjectIsInsertedByItsEntitysName() throws {
        let context = try LeagueModel.container(at: ":memory:").newContext()
        let team = EntityDescription.insertNewObject(forEntityName: "Team", into: context)
        #expect(team is Team)
        #expect(context.insertedObjects == [team])
    }

    @Test func s11TheEntityIsFoundByItsName() throws {
        let context = try LeagueModel.container(at: ":memory:").newContext()
        let entity = try #require(EntityDescription.entity(forEntityName: "Player", in: context))
        #expect(entity.attributesByName["age"]?.attributeType == .integer16)
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
        #expect(found.map(\.objectID) == [item.objectID])
        #expect(found.first?.value(forKey: "createdAt") as? Date == Date(timeIntervalSinceReferenceDate: 0.1))
        // Of a model with classes the object has its class.
        let league = try LeagueModel.container(at: ":memory:").newContext()
        let team = try #require(EntityDescription.entity(forEntityName: "Team", in: league))
        #expect(ManagedObject(entity: team, insertInto: league) is Team)
        #expect(Team(entity: team, insertInto: league).name == "")
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
        let context = try LeagueModel.container(at: ":memory:").newContext()
        let player = Player(context: context, name: "Ann")
        player.name = "Bea"
        player.age = 41
        #expect(player.name == "Bea" && String(player.age) == "41")
    }

    @Test func s15ADeletionIsSaved() throws {
        let container = try LeagueModel.container(at: ":memory:")
        let context = container.newContext()
        let team = Team(context: context, name: "Reds")
        try context.save()
        context.delete(team)
        try context.save()
        #expect(try container.newContext().count(for: Team.fetchRequest()) == 0)
    }

    @Test func s16TheInverseFollows() throws {
        let context = try LeagueModel.container(at: ":memory:").newContext()
        let (reds, blues) = (Team(context: context, name: "Reds"), Team(context: context, name: "Blues"))
        let player = Player(context: context, name: "Ann")
        player.team = reds
        #expect(reds.players == [player])
        player.team = blues
        #expect(reds.players.isEmpty && blues.players == [player])
    }

    private func container() throws -> PersistentContainer {
        try PersistentContainer(model: try Self.doneDefinition(), path: ":memory:")
    }
}
