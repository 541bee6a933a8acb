import ChordataModel
import ChordataTestSupport
import Foundation
import Testing

@_spi(Generated) @testable import Chordata

/// Possible errors with several stores of one coordinator.
@Suite(.onlySQLite(.severalStores))
struct SeveralStoresEdgeTests {
    private static func animals(_ configurations: [String: [String]]) throws -> ModelDefinition {
        let model = try ManagedObjectModel(
            entities: [
                EntityDescription(
                    name: "Animal",
                    attributes: [AttributeDescription(name: "name", attributeType: .string)],
                    uniquenessConstraints: [["name"]]
                ), EntityDescription(name: "Cat", superentityName: "Animal"),
                EntityDescription(name: "Dog", superentityName: "Animal"),
            ],
            configurations: configurations.ordered { $0.key < $1.key }.map {
                ManagedObjectModel.Configuration(name: $0.key, entityNames: $0.value)
            }
        )
        return ModelDefinition(name: "Animals", versionName: "Animals", model: model)
    }

    private static func open(_ model: ModelDefinition, _ stores: [(path: String, configuration: String?)]) throws
        -> PersistentContainer
    {
        try PersistentContainer(
            model: model,
            storeDescriptions: stores.map { PersistentStoreDescription(path: $0.path, configuration: $0.configuration) }
        )
    }

    @discardableResult
    private static func insert(_ entity: String, _ name: String, _ context: ManagedObjectContext) -> ManagedObject {
        let object = EntityDescription.insertNewObject(forEntityName: entity, into: context)
        object.setValue(name, forKey: "name")
        return object
    }

    private static func names(_ entity: String, _ context: ManagedObjectContext) throws -> [String] {
        let request = FetchRequest<ManagedObject>(entityName: entity).sorted(by: "name")
        return try context.fetch(request).compactMap { $0.value(forKey: "name") as? String }
    }

    private static func museum(_ path: String, isReadOnly: Bool = false) throws -> PersistentContainer {
        try PersistentContainer(
            model: MuseumModel.definition,
            storeDescriptions: [
                PersistentStoreDescription(
                    path: path + "-collection",
                    configuration: "Collection",
                    options: StoreOptions(isReadOnly: isReadOnly)
                ), PersistentStoreDescription(path: path + "-guests", configuration: "Guests"),
            ]
        )
    }

    // MARK: Hierarchies

    /// A store can have rows of entities that are not of its configuration.
    @Test func hiddenRowsOfASharedTable() throws {
        try withStorePath { path in
            let model = try Self.animals(["Cats": ["Cat"], "Dogs": ["Dog"]])
            do {
                let both = try Self.open(model, [(path + "b", nil)]).newContext()
                Self.insert("Dog", "hidden", both)
                Self.insert("Cat", "Tom", both)
                try both.save()
            }
            let container = try Self.open(model, [(path + "a", "Dogs"), (path + "b", "Cats")])
            let context = container.newContext()
            Self.insert("Dog", "Rex", context)
            Self.insert("Cat", "Rex", context)
            try context.save()
            expectEqual(try Self.names("Dog", context), ["Rex"])
            expectEqual(try Self.names("Cat", context), ["Rex", "Tom"])
            expectEqual(try Self.names("Animal", context), ["Rex", "Rex", "Tom"])
            // An object can conflict only with a row of its own store.
            let other = container.newContext()
            let cat = Self.insert("Cat", "Rex", other)
            other.mergePolicy = .mergeByPropertyObjectTrump
            try other.save()
            #expect(cat.entity.name == "Cat" || cat.managedObjectContext == nil)
            expectEqual(try Self.names("Animal", container.newContext()), ["Rex", "Rex", "Tom"])
        }
    }

    @Test func rowKeysIdentifyTheObjectsOfATable() throws {
        try withStorePath { path in
            let model = try Self.animals(["Cats": ["Cat"], "Dogs": ["Dog"]])
            for name in ["a", "b"] { _ = try PersistentContainer(model: model, path: path + name) }
            let error = #expect(throws: StoreError.self) {
                try Self.open(model, [(path + "a", "Dogs"), (path + "b", "Cats")])
            }
            #expect(error?.message.contains("same row keys") == true)
        }
    }

    @Test func aSubentityDoesNotBringItsSuperentity() throws {
        try withStorePath { path in
            let model = try Self.animals(["All": ["Animal"], "Dogs": ["Dog"]])
            let container = try Self.open(model, [(path + "a", "Dogs"), (path + "b", "All")])
            let context = container.newContext()
            let animal = Self.insert("Animal", "it", context)
            let stores = container.persistentStoreCoordinator.persistentStores
            #expect(
                throws: StoreAssignmentError.entityNotInConfiguration(entityName: "Animal", configurationName: "Dogs")
            ) { try context.assign(animal, to: stores[0]) }
            let dog = Self.insert("Dog", "Rex", context)
            try context.save()
            let coordinator = container.persistentStoreCoordinator
            #expect(coordinator.persistentStore(for: animal.objectID) === stores[1])
            #expect(coordinator.persistentStore(for: dog.objectID) === stores[0])
        }
    }

    // MARK: Saves

    /// A reference to a row that another context has deleted is found before another store is committed.
    @Test func conflictsWriteNoStore() throws {
        // The order of the stores depends on random identifiers.
        for _ in 0..<6 {
            try withStorePath { path in
                let container = try Self.museum(path)
                let (context, other) = (container.newContext(), container.newContext())
                let exhibit = Exhibit(context: context, name: "Globe")
                let remark = Remark(context: context, text: "r")
                try context.save()
                let deleted = try #require(try other.existingObject(with: exhibit.objectID) as? Exhibit)
                other.delete(deleted)
                try other.save()
                remark.exhibit = exhibit
                _ = Visit(context: context, guest: "Ann")
                #expect(throws: SaveConflictError.self) { try context.save() }
                expectEqual(try container.newContext().count(for: Visit.fetchRequest()), 0)
                context.rollback()
                _ = Visit(context: context, guest: "Bob")
                try context.save()
                expectEqual(try container.newContext().fetch(Visit.fetchRequest()).map(\.guest), ["Bob"])
            }
        }
    }

    @Test func unsortedFetchesAreInTheOrderOfKeys() throws {
        for _ in 0..<4 {
            try withStorePath { path in
                let container = try Self.museum(path)
                let context = container.newContext()
                let stores = container.persistentStoreCoordinator.persistentStores
                for number in 0..<10 {
                    try context.assign(Remark(context: context, text: "\(number)"), to: stores[number % 2])
                }
                try context.save()
                let keys = try container.newContext().fetch(Remark.fetchRequest()).map(\.objectID.key)
                #expect(keys == keys.sorted() && keys.count == 10)
                let values: [Remark.Values] = try container.newContext().fetchValues(Remark.fetchRequest())
                expectEqual(values.map(\.objectID.key), keys)
                // Faults are read together.
                var request = Remark.fetchRequest()
                request.returnsObjectsAsFaults = true
                let reader = container.newContext()
                let faults = try reader.fetch(request)
                expectEqual(Set(faults.map(\.text)), Set((0..<10).map { "\($0)" }))
            }
        }
    }

    // MARK: Batches

    @Test func batchesOfSomeRowsOfAllStores() throws {
        try withStorePath { path in
            let container = try Self.museum(path)
            let context = container.newContext()
            let stores = container.persistentStoreCoordinator.persistentStores
            for number in 0..<10 {
                let remark = Remark(context: context, text: "\(number)")
                try context.assign(remark, to: stores[number % 2])
            }
            try context.save()
            var oldest = Remark.fetchRequest().sorted(by: \.text)
            oldest.fetchLimit = 3
            let deleted = try context.execute(BatchDeleteRequest(fetchRequest: oldest))
            expectEqual(deleted.deletedObjectsCount, 3)
            var rest = Remark.fetchRequest().sorted(by: \.text)
            rest.fetchOffset = 2
            expectEqual(try context.execute(BatchDeleteRequest(fetchRequest: rest)).deletedObjectsCount, 5)
            let left = try container.newContext().fetch(Remark.fetchRequest().sorted(by: \.text)).map(\.text)
            expectEqual(left, ["3", "4"])
        }
    }

    @Test func batchesBesideAReadOnlyStore() throws {
        try withStorePath { path in
            do {
                let context = try Self.museum(path).newContext()
                let exhibit = Exhibit(context: context, name: "Globe")
                Remark(context: context, text: "shipped").exhibit = exhibit
                try context.save()
            }
            let container = try Self.museum(path, isReadOnly: true)
            let context = container.newContext()
            _ = Remark(context: context, text: "mine")
            try context.save()
            let update = BatchUpdateRequest<Remark>().setting(\.rank, to: 3)
            expectEqual(try context.execute(update.where(\.text == "mine")).updatedObjectsCount, 1)
            let error = #expect(throws: StoreError.self) { try context.execute(update) }
            expectEqual(error?.code, .readOnly)
            expectEqual(
                try context.execute(
                    BatchDeleteRequest(fetchRequest: Remark.fetchRequest().where(\.text == "mine"))
                ).deletedObjectsCount,
                1
            )
        }
    }

    @Test func batchesThatSetARelationship() throws {
        try withStorePath { path in
            let container = try Self.museum(path)
            let context = container.newContext()
            let exhibit = Exhibit(context: context, name: "Globe")
            let stores = container.persistentStoreCoordinator.persistentStores
            for number in 0..<2 {
                try context.assign(Remark(context: context, text: "\(number)"), to: stores[number])
            }
            try context.save()
            let update = BatchUpdateRequest<Remark>().setting(\.exhibit, to: exhibit)
            expectEqual(try context.execute(update.where(\.text == "0")).updatedObjectsCount, 1)
            #expect(throws: BatchUpdateError.self) { try context.execute(update) }
            let reader = container.newContext()
            let found = try reader.fetch(Remark.fetchRequest().sorted(by: \.text))
            expectEqual(found.map { $0.exhibit?.name }, ["Globe", nil])
        }
    }

    // MARK: Stores

    @Test func copiesAreRefused() throws {
        try withStorePath { path in
            let coordinator = PersistentStoreCoordinator(managedObjectModel: MuseumModel.definition)
            let store = try coordinator.addPersistentStore(
                type: .sqlite,
                configuration: "Collection",
                at: URL(filePath: path)
            )
            try store.backUp(to: path + "-copy")
            let error = #expect(throws: StoreError.self) {
                try coordinator.addPersistentStore(
                    type: .sqlite,
                    configuration: "Guests",
                    at: URL(filePath: path + "-copy")
                )
            }
            #expect(error?.message.hasPrefix("is a copy of the store") == true)
        }
    }

    /// An object ID of a file that was opened alone, of an entity that the file's configuration here does not have.
    @Test func objectIDsOfHiddenRows() throws {
        try withStorePath { path in
            let exhibit: ManagedObjectID
            do {
                let context = try MuseumModel.container(at: path + "-guests").newContext()
                let hidden = Exhibit(context: context, name: "hidden")
                try context.save()
                exhibit = hidden.objectID
            }
            let container = try Self.museum(path)
            let context = container.newContext()
            _ = Exhibit(context: context, name: "Globe")
            try context.save()
            expectEqual(try context.fetch(Exhibit.fetchRequest()).map(\.name), ["Globe"])
            #expect(context.registeredObject(for: exhibit) == nil)
            #expect(
                container.persistentStoreCoordinator.managedObjectID(
                    forURIRepresentation: exhibit.uriRepresentation
                ) == nil
            )
            let predicate = try FetchPredicate(format: "SELF == %@", exhibit)
            #expect(throws: FetchPredicateError.self) { try context.fetch(Exhibit.fetchRequest().where(predicate)) }
        }
    }

    /// A reference to a row whose entity is not in the store's configuration is nil.
    @Test func referencesToHiddenRows() throws {
        try withStorePath { path in
            do {
                let context = try MuseumModel.container(at: path + "-guests").newContext()
                let hidden = Exhibit(context: context, name: "hidden")
                Remark(context: context, text: "r").exhibit = hidden
                try context.save()
            }
            let context = try Self.museum(path).newContext()
            let remark = try context.fetch(Remark.fetchRequest())[0]
            #expect(remark.exhibit == nil)
            remark.text = "changed"
            try context.save()
            // The reference in the file is kept.
            let alone = try MuseumModel.container(at: path + "-guests").newContext()
            expectEqual(try alone.fetch(Remark.fetchRequest())[0].exhibit?.name, "hidden")
        }
    }

    @Test func keysAreSearchedInEachStore() throws {
        try withStorePath { path in
            let container = try Self.museum(path)
            let type = try #require(container.store.schema.runtimeEntity(named: "Remark"))
            let projection = container.store.schema.projection(of: type)
            try container.store.sqlite.read { connection in
                for sql in [projection.selectMany, projection.selectByKey] {
                    let plan = try connection.prepare("EXPLAIN QUERY PLAN " + sql.sql)
                    var steps: [String] = []
                    while try plan.step() { steps.append(plan.text(at: 3) ?? "") }
                    #expect(!steps.contains { $0.hasPrefix("SCAN") && !$0.contains("json_each") }, "\(steps)")
                }
            }
        }
    }
}
