import Chordata
import ChordataModel
import ChordataSQL
import ChordataTestSupport
import Foundation
import Testing

@testable import ChordataApple

/// Opens Core Data stores for reading.
struct OpeningTests {
    @Test func eachKindOfValue() throws {
        let library = try Library()
        let before = try library.bytes()
        do {
            let container = try PersistentContainer(model: Library.definition, appleStore: library.path)
            try ImportTests.checkContents(container.newContext())
            expectEqual(container.persistentStoreCoordinator.persistentStores[0].identifier, Library.storeUUID)
            expectEqual(try container.persistentStoreCoordinator.persistentStores[0].metadata().modelName, "Library")
        }
        expectEqual(try library.bytes().filter { before.keys.contains($0.key) }, before)
    }

    @Test func writesNameTheRemedy() throws {
        let library = try Library()
        let context = try PersistentContainer(model: Library.definition, appleStore: library.path).newContext()
        let book = EntityDescription.insertNewObject(forEntityName: "Book", into: context)
        book.setValue("new", forKey: "title")
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.code == .readOnly && error?.message.contains("importStore") == true)
        #expect(error?.message.contains("exportStore") == true)
        #expect(context.hasChanges)
        expectEqual(try library.rows("SELECT count(*) FROM ZBOOK"), [[.integer(3)]])
    }

    @Test func resultsControllers() throws {
        let library = try Library()
        let context = try PersistentContainer(model: Library.definition, appleStore: library.path).newContext()
        let request = FetchRequest<ManagedObject>(entityName: "Book").sorted(by: "title")
        let controller = FetchedResultsController(fetchRequest: request, managedObjectContext: context)
        try controller.performFetch()
        #expect(controller.fetchedObjects?.compactMap { $0.value(forKey: "title") as? String } == ["A", "B"])
        expectEqual(controller.fetchedObjects?.count, 3)
    }

    @Test func otherVersionsAreRefused() throws {
        var entities = Library.model.entities
        entities[1].declaredAttributes[0].name = "alias"
        let other = ModelDefinition(
            name: "Library",
            versionName: "other",
            model: try ManagedObjectModel(entities: entities)
        )
        for hasCache in [true, false] {
            let library = try Library(hasCache: hasCache)
            let error = #expect(throws: CoreDataStoreError.self) {
                try PersistentContainer(model: other, appleStore: library.path)
            }
            expectEqual(error?.code, hasCache ? .incompatibleModel : .unknownModel)
        }
    }

    /// Another process may write to the store while it is open.
    @Test func changesOfOtherProcessesAreRead() throws {
        let library = try Library()
        try library.execute("PRAGMA journal_mode=WAL")
        let container = try PersistentContainer(model: Library.definition, appleStore: library.path)
        let context = container.newContext()
        let request = FetchRequest<ManagedObject>(entityName: "Book")
        expectEqual(try context.count(for: request), 3)
        try library.execute("INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZTITLE) VALUES (10, 1, 1, 'other')")
        expectEqual(try context.count(for: request), 4)
        // A migration by the app is detected.
        try library.execute("UPDATE Z_METADATA SET Z_PLIST = x'00'")
        let error = #expect(throws: StoreError.self) { try context.count(for: request) }
        expectEqual(error?.code, .incompatibleModel)
    }

    /// Queries find keys and values with the indexes of Core Data's tables.
    @Test func queriesUseIndexes() throws {
        let library = try Library()
        let store = try CoreDataStore(at: library.path)
        let views = StoreViews(CoreDataSchema(of: Library.model), makeSchemaMapping(of: Library.model))
        let connection = store.snapshot.connection
        try addImportFunctions(to: connection, externalFolder: "")
        try connection.addFunction(named: StoreViews.Function.versionHash) { _ in .null }
        for statement in views.statements { try connection.execute(statement) }
        func plan(_ sql: String) throws -> String {
            try connection.rows("EXPLAIN QUERY PLAN " + sql).compactMap { $0.last?.text }.joined(separator: "; ")
        }
        #expect(try plan("SELECT title FROM \"Book\" WHERE _id = 3").hasSuffix(" USING INTEGER PRIMARY KEY (rowid=?)"))
        #expect(try plan("SELECT title FROM \"Book\" WHERE title = 'A'").contains("Z_Book_byTitle"))
        #expect(try plan("SELECT _id FROM \"Book\" WHERE author = 1").contains("ZBOOK_ZAUTHOR_INDEX"))
        #expect(try plan("SELECT destination FROM \"Book_tags\" WHERE source = 3").contains("Z_1BOOKS=?"))
    }
}
