import ChordataTestStores
import ChordataTestSupport
import Foundation
import Testing

@testable import Chordata

/// N12: changes are undone and redone event by event; a rollback removes them from the undo manager.
struct UndoTests {
    private static func withContext(_ body: (ManagedObjectContext, ContextUndoManager) throws -> Void) throws {
        try withStorePath { path in
            let container = try Library.definition().testContainer(at: path)
            let context = container.newContext()
            let undoManager = ContextUndoManager()
            context.undoManager = undoManager
            try body(context, undoManager)
        }
    }

    private static func insert(_ title: String, into context: ManagedObjectContext) -> ManagedObject {
        let book = EntityDescription.insertNewObject(forEntityName: "Book", into: context)
        book.setValue(title, forKey: "title")
        return book
    }

    private static func titles(in context: ManagedObjectContext) throws -> [String] {
        try context.fetch(FetchRequest<ManagedObject>(entityName: "Book").sorted(by: "title")).map(title)
    }

    private static func title(_ book: ManagedObject) -> String { book.value(forKey: "title") as? String ?? "" }

    private static func books(of shelf: ManagedObject) -> [String] {
        (shelf.value(forKey: "books") as? any Sequence)?.map { ($0 as? ManagedObject).map(title) ?? "?" } ?? []
    }

    @Test func changesOfOneEventAreUndoneTogether() throws {
        try Self.withContext { context, undoManager in
            let book = Self.insert("A", into: context)
            try context.save()
            undoManager.removeAllActions()
            #expect(!undoManager.canUndo && !undoManager.canRedo)
            book.setValue("B", forKey: "title")
            book.setValue("C", forKey: "title")
            #expect(undoManager.canUndo)
            context.processPendingChanges()
            book.setValue("D", forKey: "title")
            context.undo()
            #expect(Self.title(book) == "C" && undoManager.canRedo)
            context.undo()
            #expect(Self.title(book) == "A" && !undoManager.canUndo)
            context.undo()
            context.redo()
            expectEqual(Self.title(book), "C")
            context.redo()
            #expect(Self.title(book) == "D" && !undoManager.canRedo)
            context.undo()
            book.setValue("E", forKey: "title")
            #expect(!undoManager.canRedo)
            try context.save()
            let titles = try Self.titles(in: context)
            expectEqual(titles, ["E"])
        }
    }

    /// A change outside of the objects, such as the selection of a list.
    private final class Selection {
        var title = ""

        func select(_ title: String, _ undoManager: ContextUndoManager) {
            let former = self.title
            undoManager.registerUndo(withTarget: self) { $0.select(former, undoManager) }
            self.title = title
        }
    }

    @Test func registeredClosuresAreUndoneAndRedoneWithTheirGroup() throws {
        try Self.withContext { context, undoManager in
            let selection = Selection()
            let book = Self.insert("A", into: context)
            selection.select("A", undoManager)
            context.processPendingChanges()
            book.setValue("B", forKey: "title")
            selection.select("B", undoManager)
            selection.select("C", undoManager)
            undoManager.setActionName("Rename")
            context.undo()
            #expect(Self.title(book) == "A" && selection.title == "A")
            expectEqual(undoManager.redoActionName, "Rename")
            context.redo()
            #expect(Self.title(book) == "B" && selection.title == "C")
            context.undo()
            context.undo()
            #expect(selection.title == "" && book.managedObjectContext == nil && !undoManager.canUndo)
            context.redo()
            expectEqual(selection.title, "A")
            // A new closure removes the actions that could be redone.
            selection.select("D", undoManager)
            #expect(!undoManager.canRedo)
        }
    }

    /// An event with closures only is a group, too.
    @Test func closuresOfTwoEventsAreTwoGroups() throws {
        try Self.withContext { context, undoManager in
            let selection = Selection()
            selection.select("A", undoManager)
            context.processPendingChanges()
            selection.select("B", undoManager)
            undoManager.undo()
            expectEqual(selection.title, "A")
            undoManager.undo()
            #expect(selection.title == "" && !undoManager.canUndo)
        }
    }

    @Test func closuresDoNotRetainTheirTargets() throws {
        try Self.withContext { context, undoManager in
            var calls = 0
            var target: Selection? = Selection()
            weak let reference = target
            undoManager.registerUndo(withTarget: try #require(target)) { _ in calls += 1 }
            target = nil
            #expect(reference == nil)
            undoManager.undo()
            expectEqual(calls, 0)
        }
    }

    @Test func closuresCanBeRemovedByTheirTargets() throws {
        try Self.withContext { context, undoManager in
            let (first, second) = (Selection(), Selection())
            first.select("A", undoManager)
            context.processPendingChanges()
            second.select("B", undoManager)
            context.processPendingChanges()
            undoManager.removeAllActions(withTarget: second)
            undoManager.undo()
            #expect(first.title == "" && second.title == "B" && !undoManager.canUndo)
            undoManager.disableUndoRegistration()
            second.select("C", undoManager)
            undoManager.enableUndoRegistration()
            #expect(!undoManager.canUndo)
        }
    }

    @Test func undoManagersWithoutContextsUndoClosures() {
        let undoManager = ContextUndoManager()
        let selection = Selection()
        for title in ["A", "B"] {
            undoManager.beginUndoGrouping()
            selection.select(title, undoManager)
            undoManager.endUndoGrouping()
        }
        undoManager.undo()
        expectEqual(selection.title, "A")
        undoManager.undo()
        expectEqual(selection.title, "")
        undoManager.redo()
        #expect(selection.title == "A" && undoManager.canRedo)
    }

    @Test func insertionsAreUndoneAndKeepTheirIdentity() throws {
        try Self.withContext { context, _ in
            let book = Self.insert("A", into: context)
            book.setValue(Data([1, 2, 3]), forKey: "cover")
            let objectID = book.objectID
            context.undo()
            #expect(!context.hasChanges && book.managedObjectContext == nil)
            context.redo()
            #expect(book.isInserted && book.objectID == objectID && Self.title(book) == "A")
            try context.save()
            #expect(book.value(forKey: "cover") as? Data == Data([1, 2, 3]))
            context.undo()  // The insertion is saved, so its undoing is a deletion.
            #expect(book.isDeleted)
            try context.save()
            let none = try Self.titles(in: context)
            #expect(none.isEmpty)
            context.redo()
            try context.save()
            let again = try Self.titles(in: context)
            #expect(again == ["A"] && book.objectID == objectID)
        }
    }

    @Test func deletionsAreUndoneWithCascadesOrdersAndExternalBytes() throws {
        for isSaved in [false, true] {
            try Self.withContext { context, _ in
                let shelf = EntityDescription.insertNewObject(forEntityName: "Shelf", into: context)
                let books = ["C", "A", "B"].map { Self.insert($0, into: context) }
                shelf.setValue(books, forKey: "books")
                books[1].setValue(Data(repeating: 7, count: 5_000), forKey: "cover")
                try context.save()
                context.refreshAllObjects()
                context.delete(shelf)
                context.processPendingChanges()
                expectEqual(context.deletedObjects.count, 4)
                if isSaved { try context.save() }
                context.undo()
                expectEqual(Self.books(of: shelf), ["C", "A", "B"])
                expectEqual(context.hasChanges, isSaved)
                context.redo()
                context.undo()
                expectEqual(Self.books(of: shelf), ["C", "A", "B"])
                try context.save()
                context.refreshAllObjects()
                expectEqual(Self.books(of: shelf), ["C", "A", "B"])
                #expect(books[1].value(forKey: "cover") as? Data == Data(repeating: 7, count: 5_000))
            }
        }
    }

    @Test func aMissingValueIsMissingAgain() throws {
        try Self.withContext { context, _ in
            let book = EntityDescription.insertNewObject(forEntityName: "Book", into: context)
            context.processPendingChanges()
            book.setValue("A", forKey: "title")
            context.undo()
            #expect(throws: ValidationError.self) { try context.save() }
        }
    }

    @Test func groupsSpanEventsAndSaves() throws {
        try Self.withContext { context, undoManager in
            undoManager.beginUndoGrouping()
            undoManager.setActionName("Add Books")
            _ = Self.insert("A", into: context)
            try context.save()
            _ = Self.insert("B", into: context)
            undoManager.endUndoGrouping()
            #expect(undoManager.undoActionName == "Add Books" && undoManager.redoActionName.isEmpty)
            context.undo()
            #expect(undoManager.undoActionName.isEmpty && undoManager.redoActionName == "Add Books")
            let none = try Self.titles(in: context)
            #expect(none.isEmpty && !undoManager.canUndo)
            context.redo()
            let both = try Self.titles(in: context)
            expectEqual(both, ["A", "B"])
        }
    }

    @Test func levelsAndRegistration() throws {
        try Self.withContext { context, undoManager in
            undoManager.levelsOfUndo = 2
            let book = Self.insert("A", into: context)
            for title in ["B", "C", "D"] {
                context.processPendingChanges()
                book.setValue(title, forKey: "title")
            }
            context.undo()
            context.undo()
            context.undo()
            expectEqual(Self.title(book), "B")
            undoManager.disableUndoRegistration()
            book.setValue("X", forKey: "title")
            #expect(!undoManager.isUndoRegistrationEnabled && !undoManager.canUndo)
            undoManager.enableUndoRegistration()
            book.setValue("Y", forKey: "title")
            context.undo()
            expectEqual(Self.title(book), "X")
            context.undoManager = nil
            #expect(!undoManager.canUndo && !undoManager.canRedo)
        }
    }

    @Test func rollbackAndResetClearTheUndoStack() throws {
        try Self.withContext { context, undoManager in
            let book = Self.insert("A", into: context)
            try context.save()
            context.delete(book)
            context.rollback()
            #expect(!undoManager.canUndo && !book.isDeleted && Self.title(book) == "A")
            book.setValue("B", forKey: "title")
            context.processPendingChanges()
            context.reset()
            #expect(!undoManager.canUndo)
        }
    }

    /// Objects that other contexts delete in the meantime cannot be restored by undo.
    @Test func changesOfRemotelyDeletedObjectsAreSkipped() throws {
        try withStorePath { path in
            let container = try Library.definition().testContainer(at: path)
            let (context, other) = (container.newContext(), container.newContext())
            context.undoManager = ContextUndoManager()
            let (kept, lost) = (Self.insert("A", into: context), Self.insert("B", into: context))
            try context.save()
            for book in [kept, lost] { book.setValue("X", forKey: "title") }
            try context.save()
            let theirs = try other.existingObject(with: lost.objectID)
            other.delete(theirs)
            try other.save()
            context.automaticallyMergesChangesFromParent = true
            context.processPendingChanges()
            context.undo()
            #expect(Self.title(kept) == "A" && lost.managedObjectContext == nil)
            try context.save()
            let titles = try Self.titles(in: container.newContext())
            expectEqual(titles, ["A"])
        }
    }

    /// An object that other contexts also delete is not restored; a restored object has unused row versions.
    @Test func deletionsAndOtherContexts() throws {
        try withStorePath { path in
            let container = try Library.definition().testContainer(at: path)
            let (context, other) = (container.newContext(), container.newContext())
            context.undoManager = ContextUndoManager()
            context.automaticallyMergesChangesFromParent = true
            let (both, mine) = (Self.insert("A", into: context), Self.insert("B", into: context))
            try context.save()
            context.undoManager?.removeAllActions()
            let theirs = try other.existingObject(with: mine.objectID)
            context.delete(both)
            other.delete(try other.existingObject(with: both.objectID))
            try other.save()
            context.processPendingChanges()
            context.undo()
            #expect(both.managedObjectContext == nil && !context.hasChanges)
            context.delete(mine)
            try context.save()
            context.undo()
            mine.setValue("C", forKey: "title")
            try context.save()
            theirs.setValue("D", forKey: "title")
            #expect(throws: SaveConflictError.self) { try other.save() }
            let titles = try Self.titles(in: container.newContext())
            expectEqual(titles, ["C"])
        }
    }

    /// Changes of derived attributes and changes without registration cannot be undone; changes of untyped attributes
    /// can.
    @Test func changesThatAreRegisteredForUndo() throws {
        try Self.withContext { context, undoManager in
            let book = Self.insert("a", into: context)
            try context.save()
            book.setValue("b", forKey: "title")
            context.processPendingChanges()
            try context.save()
            #expect(book.value(forKey: "shown") as? String == "B")
            context.undo()
            try context.save()
            #expect(Self.title(book) == "a" && book.value(forKey: "shown") as? String == "A" && undoManager.canRedo)
            context.redo()
            expectEqual(Self.title(book), "b")
            book.setValue([1, 2], forKey: "scratch")
            context.processPendingChanges()
            book.setValue("text", forKey: "scratch")
            context.undo()
            #expect(book.value(forKey: "scratch") as? [Int] == [1, 2])
            context.delete(book)
            context.processPendingChanges()
            undoManager.disableUndoRegistration()
            context.undo()
            #expect(!book.isDeleted && !undoManager.canRedo)
            undoManager.enableUndoRegistration()
        }
    }

    /// Changes that observers make during a save are undone with the saved changes.
    @Test func changesDuringASaveJoinItsUndoGroup() throws {
        try Self.withContext { context, undoManager in
            let book = Self.insert("a", into: context)
            try context.save()
            undoManager.removeAllActions()
            book.setValue("b", forKey: "title")
            context.processPendingChanges()
            let name = ManagedObjectContext.willSaveObjectsNotification
            // The closure is called in the isolation of the context.
            nonisolated(unsafe) let observed = book
            let token = NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) { _ in
                observed.setValue(Data([1]), forKey: "cover")
            }
            try context.save()
            NotificationCenter.default.removeObserver(token)
            #expect(book.value(forKey: "cover") as? Data == Data([1]))
            context.undo()
            #expect(Self.title(book) == "a" && book.value(forKey: "cover") == nil && !undoManager.canUndo)
        }
    }

    /// A results controller reports a restored object as inserted.
    @Test func resultsControllersFollow() throws {
        try Self.withContext { context, _ in
            let book = Self.insert("A", into: context)
            try context.save()
            let controller = FetchedResultsController(
                fetchRequest: FetchRequest<ManagedObject>(entityName: "Book").sorted(by: "title"),
                managedObjectContext: context
            )
            let delegate = SilentDelegate()
            controller.delegate = delegate
            try controller.performFetch()
            context.delete(book)
            context.processPendingChanges()
            expectEqual(controller.fetchedObjects, [])
            context.undo()
            expectEqual(controller.fetchedObjects, [book])
            context.redo()
            expectEqual(controller.fetchedObjects, [])
        }
    }

    @Test(arguments: ["endUndoGrouping", "enableUndoRegistration"])
    func unbalancedCallsTrap(call: String) async {
        await #expect(processExitsWith: .failure) { [call] in
            let undoManager = ContextUndoManager()
            if call == "endUndoGrouping" { undoManager.endUndoGrouping() } else { undoManager.enableUndoRegistration() }
        }
    }

    // MARK: The law

    /// A state of all objects, by their indexes in a list, with the destinations of each object.
    private struct ObjectStates {
        struct Record {
            var number: Int64?
            var members: [String: [Int]] = [:]
        }
        var records: [Int: Record] = [:]

        /// Returns descriptions of the differences between two states.
        func differences(from other: ObjectStates) -> [String] {
            var result: [String] = []
            for place in Set(records.keys).union(other.records.keys).sorted() {
                guard let (mine, theirs) = records[place].flatMap({ mine in other.records[place].map { (mine, $0) } })
                else {
                    result.append("\(place) is \(records[place] == nil ? "not " : "")there")
                    continue
                }
                if mine.number != theirs.number { result.append("number of \(place)") }
                for name in mine.members.keys.sorted() where mine.members[name] != theirs.members[name] {
                    result.append("\(name) of \(place): \(mine.members[name] ?? []), not \(theirs.members[name] ?? [])")
                }
            }
            return result
        }

        init(_ objects: [ManagedObject], _ relationships: [String: [(name: String, isOrdered: Bool)]]) {
            let places = Dictionary(uniqueKeysWithValues: objects.enumerated().map { (ObjectIdentifier($1), $0) })
            for (place, object) in objects.enumerated() where object.managedObjectContext != nil && !object.isDeleted {
                var record = Record(number: object.value(forKey: "number") as? Int64)
                for (name, isOrdered) in relationships[object.runtimeEntity.entity.name] ?? [] {
                    let value = object.value(forKey: name)
                    let members = (value as? any Sequence)?.map { $0 } ?? value.map { [$0] } ?? []
                    let numbers = members.map { places[ObjectIdentifier($0 as AnyObject)] ?? -1 }
                    record.members[name] = isOrdered ? numbers : numbers.sorted()
                }
                records[place] = record
            }
        }
    }

    private static func relationships(withOneWay: Bool) -> [String: [(name: String, isOrdered: Bool)]] {
        var result: [String: [(name: String, isOrdered: Bool)]] = [:]
        for kind in RelationshipGraphTests.kinds where withOneWay || kind.inverse != nil {
            result["A", default: []].append((kind.name, kind.isOrdered))
            guard let inverse = kind.inverse, inverse != kind.name else { continue }
            result[kind.destination, default: []].append((inverse, kind.isInverseOrdered))
        }
        return result
    }

    private static func insert(_ name: String, into context: ManagedObjectContext, _ random: inout SeededGenerator)
        -> ManagedObject
    {
        let object = EntityDescription.insertNewObject(forEntityName: name, into: context)
        object.setValue(Int64.random(in: 0..<100, using: &random), forKey: "number")
        return object
    }

    private static func change(
        _ objects: inout [ManagedObject],
        in context: ManagedObjectContext,
        _ random: inout SeededGenerator
    ) {
        let alive = objects.filter { $0.managedObjectContext != nil && !$0.isDeleted }
        guard let kind = RelationshipGraphTests.kinds.randomElement(using: &random),
            let object = alive.filter({ $0.runtimeEntity.entity.name == "A" }).randomElement(using: &random)
        else {
            objects.append(insert("A", into: context, &random))
            return
        }
        let targets = alive.filter { $0.runtimeEntity.entity.name == kind.destination }
        switch Int.random(in: 0..<12, using: &random) {
        case 0: context.delete(alive.randomElement(using: &random) ?? object)
        case 1, 2:
            let name = Bool.random(using: &random) ? "A" : "B"
            objects.append(insert(name, into: context, &random))
        case 3: object.setValue(Int64.random(in: 0..<100, using: &random), forKey: "number")
        case 4 where kind.isToMany, 5 where kind.isToMany:
            let all = targets.filter { _ in Bool.random(using: &random) }.shuffled(using: &random)
            object.setValue(all, forKey: kind.name)
        case 6 where !kind.isToMany: object.setValue(nil, forKey: kind.name)
        default:
            guard let other = targets.randomElement(using: &random) else { return }
            if kind.isToMany {
                let members = object.mutableSetValue(forKey: kind.name)
                if Int.random(in: 0..<3, using: &random) == 0 { members.remove(other) } else { members.add(other) }
            } else {
                object.setValue(other, forKey: kind.name)
            }
        }
    }

    /// An object whose insertion is undone keeps its attributes, which observers of the deletion show.
    @Test func undoneInsertionsKeepTheirAttributes() throws {
        let context = try LeagueModel.definition.testContainer(at: ":memory:").newContext()
        context.undoManager = ContextUndoManager()
        let team = Team(context: context, name: "Reds")
        team.city = "Ulm"
        let player = Player(context: context, name: "Ann")
        player.team = team
        context.processPendingChanges()
        context.undo()
        #expect(team.name == "Reds" && team.city == "Ulm" && player.name == "Ann" && !context.hasChanges)
        context.redo()
        #expect(team.name == "Reds" && team.city == "Ulm" && player.team === team)
        try context.save()
        expectEqual(try context.count(for: Player.fetchRequest().where(\.team == team)), 1)
    }

    /// After any events, undo returns through the earlier states, and redo goes forward again.
    @Test(arguments: 1...setting("CHORDATA_UNDO_SEEDS", small: UInt64(6)))
    func undoAndRedoRestoreAllStates(seed: UInt64) throws {
        try withStorePath { path in
            var random = SeededGenerator(seed: seed)
            let container = try RelationshipGraphTests.definition().testContainer(at: path)
            let context = container.newContext()
            let saves = seed % 2 == 0
            let relationships = Self.relationships(withOneWay: !saves)
            var objects = (0..<10).map { Self.insert($0 < 6 ? "A" : "B", into: context, &random) }
            for _ in 0..<40 { Self.change(&objects, in: context, &random) }
            try context.save()
            context.undoManager = ContextUndoManager()
            var (states, place) = ([ObjectStates(objects, relationships)], 0)
            for step in 0..<120 {
                switch Int.random(in: 0..<10, using: &random) {
                case 0...2 where place > 0:
                    context.undo()
                    place -= 1
                case 3 where place < states.count - 1, 4 where place < states.count - 1:
                    context.redo()
                    place += 1
                case 5 where saves: try context.save()
                case 6 where saves: context.refreshAllObjects()
                default:
                    states.removeLast(states.count - 1 - place)
                    // Not every random change has an effect, but this insertion is always recorded.
                    objects.append(Self.insert("B", into: context, &random))
                    for _ in 0..<Int.random(in: 1...5, using: &random) { Self.change(&objects, in: context, &random) }
                    context.processPendingChanges()
                    states.append(ObjectStates(objects, relationships))
                    place += 1
                }
                let objectStates = ObjectStates(objects, relationships)
                let differences = objectStates.differences(from: states[place])
                try #require(differences.isEmpty, "seed \(seed), step \(step)")
            }
            while place > 0 {
                context.undo()
                place -= 1
                let differences = ObjectStates(objects, relationships).differences(from: states[place])
                try #require(differences.isEmpty, "seed \(seed), back at \(place)")
            }
            try context.save()
            let other = container.newContext()
            let known = try objects.filter { $0.managedObjectContext != nil }.map {
                try other.existingObject(with: $0.objectID)
            }
            let here = ObjectStates(objects.filter { $0.managedObjectContext != nil }, relationships)
            let differences = ObjectStates(known, relationships).differences(from: here)
            #expect(differences.isEmpty, "seed \(seed), saved")
        }
    }
}

/// A delegate for which a controller follows changes.
private final class SilentDelegate: FetchedResultsControllerDelegate { typealias Object = ManagedObject }

/// A model of shelves with ordered books.
private enum Library {
    static func definition() throws -> ModelDefinition {
        let title = AttributeDescription(name: "title", attributeType: .string, isOptional: false)
        var cover = AttributeDescription(name: "cover", attributeType: .binaryData)
        (cover.isOptional, cover.allowsExternalBinaryDataStorage) = (true, true)
        var shown = AttributeDescription(name: "shown", attributeType: .string, isOptional: true)
        shown.derivationExpression = "uppercase:(title)"
        let scratch = AttributeDescription(
            name: "scratch",
            attributeType: .undefined,
            isOptional: true,
            isTransient: true
        )
        let books = RelationshipDescription(
            name: "books",
            destinationEntityName: "Book",
            inverseName: "shelf",
            isToMany: true,
            isOrdered: true,
            deleteRule: .cascade
        )
        let shelf = RelationshipDescription(name: "shelf", destinationEntityName: "Shelf", inverseName: "books")
        return ModelDefinition(
            name: "Library",
            versionName: "Library",
            model: try ManagedObjectModel(entities: [
                EntityDescription(name: "Book", attributes: [title, cover, shown, scratch], relationships: [shelf]),
                EntityDescription(name: "Shelf", attributes: [], relationships: [books]),
            ])
        )
    }
}
