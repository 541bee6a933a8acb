import ChordataTestStores
import ChordataTestSupport
import Foundation
import OrderedCollections
import Testing

@testable import Chordata

/// Lists whose sections are parents: the same law as for other lists, for every kind of to-many.
struct HierarchicalResultsControllerTests {
    /// A table that uses only the delegate's calls.
    private final class Table<Parent: ManagedObject, Object: ManagedObject>: HierarchicalResultsControllerDelegate {
        var rows: [[ManagedObjectID]] = []
        private(set) var bracketCount = 0
        private(set) var sectionUpdates: [Int] = []
        private(set) var types: [FetchedResultsChangeType] = []
        private var deletes: [IndexPath] = []
        private var inserts: [(IndexPath, ManagedObjectID)] = []
        private var sectionDeletes: [Int] = []
        private var sectionInserts: [Int] = []

        func show(
            _ controller: HierarchicalResultsController<Parent, Object>
        ) {
            rows = controller.sections?.map { $0.objects.map(\.objectID) } ?? []
        }

        func controllerWillChangeContent(
            _ controller: HierarchicalResultsController<Parent, Object>
        ) {
            (deletes, inserts, sectionDeletes, sectionInserts) = ([], [], [], [])
            (sectionUpdates, types) = ([], [])
        }

        func controller(
            _ controller: HierarchicalResultsController<Parent, Object>,
            didChange object: Object,
            at indexPath: IndexPath?,
            for type: FetchedResultsChangeType,
            newIndexPath: IndexPath?
        ) {
            types.append(type)
            #expect((indexPath == nil) == (type == .insert) && (newIndexPath == nil) == (type == .delete))
            if let newIndexPath { #expect(controller.object(at: newIndexPath) === object) }
            if type == .update { return }
            if let indexPath { deletes.append(indexPath) }
            if let newIndexPath { inserts.append((newIndexPath, object.objectID)) }
        }

        func controller(
            _ controller: HierarchicalResultsController<Parent, Object>,
            didChange section: HierarchicalResultsSection<Parent, Object>,
            atSectionIndex sectionIndex: Int,
            for type: FetchedResultsChangeType
        ) {
            #expect(types.isEmpty)
            switch type {
            case .delete: sectionDeletes.append(sectionIndex)
            case .insert: sectionInserts.append(sectionIndex)
            case .update: sectionUpdates.append(sectionIndex)
            case .move: Issue.record("sections do not move")
            }
        }

        func controllerDidChangeContent(
            _ controller: HierarchicalResultsController<Parent, Object>
        ) {
            bracketCount += 1
            for path in deletes.sorted().reversed() { rows[path.section].remove(at: path.row) }
            for index in sectionDeletes.sorted().reversed() {
                #expect(rows[index].isEmpty)
                rows.remove(at: index)
            }
            for index in sectionInserts.sorted() { rows.insert([], at: index) }
            for (path, id) in inserts.sorted(by: { $0.0 < $1.0 }) { rows[path.section].insert(id, at: path.row) }
        }
    }

    private static let kinds: [(parent: String, relationship: String, object: String, sortKey: String?)] = [
        ("Owner", "items", "Item", "b"), ("Owner", "items", "Item", nil), ("Owner", "line", "Item", nil),
        ("Owner", "line", "Item", "a"), ("Text", "tags", "Tag", "weight"), ("Text", "shelf", "Tag", nil),
        ("Text", "stars", "Tag", "weight"), ("Text", "row", "Tag", nil), ("Item", "friends", "Item", "b"),
        ("Owner", "items", "Item", "place.id"),
    ]

    /// After every event, the reports, the sequence, the list, and the parents and members that are read agree.
    @Test(arguments: kinds.indices, 1...setting("CHORDATA_HIERARCHY_SEEDS", small: UInt64(2)))
    func law(number: Int, seed: UInt64) async throws {
        let kind = Self.kinds[number]
        let store = try ConflictStore(path: ":memory:", policy: .mergeByPropertyObjectTrump)
        let context = store.here
        context.automaticallyMergesChangesFromParent = true
        store.there.mergePolicy = .mergeByPropertyStoreTrump
        var events = Events(store: store, kind: kind, seed: seed)
        try events.fill()
        let sortKeys = kind.sortKey.map { [SortKey($0)] } ?? []
        let controller = HierarchicalResultsController<ManagedObject, ManagedObject>(
            fetchRequest: FetchRequest(entityName: kind.parent).sorted(by: "id"),
            relationshipName: kind.relationship,
            sortedBy: sortKeys,
            managedObjectContext: context
        )
        let table = Table<ManagedObject, ManagedObject>()
        controller.delegate = table
        var changes = controller.changes.makeAsyncIterator()
        try controller.performFetch()
        table.show(controller)
        var replayed = FetchedResultsSnapshot(sections: [])
        replayed.apply(try #require(await changes.next()))
        var told = 0
        for step in 0..<200 {
            try events.next()
            let place = "\(kind), seed \(seed), step \(step)"
            while told < table.bracketCount {
                replayed.apply(try #require(await changes.next()))
                told += 1
            }
            let parents = try context.fetch(FetchRequest<ManagedObject>(entityName: kind.parent).sorted(by: "id"))
            let expected = parents.map { parent in events.members(of: parent).map(\.objectID) }
            #expect(controller.changeError == nil)
            expectEqual(controller.sections?.map(\.parent), parents, "\(place)")
            expectEqual(controller.sections?.map { $0.objects.map(\.objectID) }, expected, "\(place)")
            expectEqual(table.rows, expected, "\(place)")
            expectEqual(replayed.sections.map(\.itemIdentifiers), expected, "\(place)")
            expectEqual(replayed.sectionIdentifiers, parents.map(\.objectID.uriRepresentation), "\(place)")
            events.checkEnds(place)
            for section in controller.sections ?? [] {
                for object in section.objects {
                    let path = try #require(controller.indexPath(forObject: object))
                    #expect(controller.object(at: path) === object)
                }
            }
            if events.random.next() % 2 == 0 { context.graph.sweep() }
        }
        #expect(table.bracketCount > 50)
    }

    /// Random changes, most of them of members.
    private struct Events {
        let store: ConflictStore
        let kind: (parent: String, relationship: String, object: String, sortKey: String?)
        var random: SeededGenerator
        private var number: Int64 = 0

        init(
            store: ConflictStore,
            kind: (parent: String, relationship: String, object: String, sortKey: String?),
            seed: UInt64
        ) {
            (self.store, self.kind) = (store, kind)
            random = SeededGenerator(seed: seed)
        }

        /// The members that are read, in the expected order.
        func members(of parent: ManagedObject) -> [ManagedObject] {
            let value = parent.value(forKey: kind.relationship)
            let members =
                (value as? OrderedSet<ManagedObject>).map(Array.init) ?? Array(value as? Set<ManagedObject> ?? [])
            let present = members.filter { !$0.isDeleted }
            guard let sortKey = kind.sortKey else {
                return value is OrderedSet<ManagedObject>
                    ? present : present.sorted { $0.objectID.key < $1.objectID.key }
            }
            return present.sorted { left, right in
                let (first, second) = (number(left, sortKey), number(right, sortKey))
                return first == second ? left.objectID.key < right.objectID.key : first < second
            }
        }

        /// Checks that both ends of an unordered relationship with an inverse agree.
        func checkEnds(_ place: String) {
            let type = store.here.schema.runtimeEntity(named: kind.parent)
            guard let relationship = type?.field(named: kind.relationship).flatMap({ type?.relationships[$0.index] }),
                let inverse = relationship.description.inverseName, !relationship.description.isOrdered
            else { return }
            for parent in store.here.registeredObjects
            where parent.runtimeEntity === type && !parent.isDeleted && !parent.isFault {
                for member in members(of: parent) {
                    let back = member.value(forKey: inverse)
                    #expect(
                        (back as? Set<ManagedObject>)?.contains(parent) ?? (back as? ManagedObject === parent),
                        "\(place)"
                    )
                }
            }
        }

        private func number(_ object: ManagedObject, _ path: String) -> Int64 {
            var current: ManagedObject? = object
            let names = path.split(separator: ".").map(String.init)
            for name in names.dropLast() { current = current?.value(forKey: name) as? ManagedObject }
            return current?.value(forKey: names[names.count - 1]) as? Int64 ?? .min
        }

        private func all(_ name: String, _ context: ManagedObjectContext) throws -> [ManagedObject] {
            try context.fetch(FetchRequest<ManagedObject>(entityName: name)).filter { !$0.isDeleted }
        }

        private mutating func insert(_ name: String, _ context: ManagedObjectContext) {
            number += 1
            let key = name == "Tag" ? "weight" : "id"
            let object = store.insert(name, [key: Int64.random(in: 0..<9, using: &random)], into: context)
            if name == "Tag" { object.setValue("w\(number)", forKey: "word") }
        }

        mutating func fill() throws {
            for _ in 0..<4 { insert(kind.parent, store.here) }
            for _ in 0..<8 { insert(kind.object, store.here) }
            if kind.sortKey == "place.id" { for _ in 0..<3 { insert("Owner", store.here) } }
            try store.here.save()
        }

        mutating func next() throws {
            let isMerged = Int.random(in: 0..<4, using: &random) == 0
            let context = isMerged ? store.there : store.here
            if isMerged { context.refreshAllObjects() }
            for _ in 0..<Int.random(in: 1...3, using: &random) { try change(context) }
            if isMerged || Int.random(in: 0..<3, using: &random) == 0 {
                do {
                    try context.save()
                } catch is SaveConflictError {
                    context.rollback()
                }
            }
            store.here.processPendingChanges()
        }

        private mutating func change(_ context: ManagedObjectContext) throws {
            let parents = try all(kind.parent, context)
            let objects = try all(kind.object, context)
            guard let parent = parents.randomElement(using: &random), let object = objects.randomElement(using: &random)
            else { return insert(kind.parent, context) }
            switch Int.random(in: 0..<12, using: &random) {
            case 0: if parents.count < 7 { insert(kind.parent, context) }
            case 1: if objects.count < 12 { insert(kind.object, context) }
            case 2: if parents.count > 3 { context.delete(parent) }
            case 3: if objects.count > 5 { context.delete(object) }
            case 4: parent.setValue(Int64.random(in: 0..<9, using: &random), forKey: "id")
            case 5, 6:
                let names = kind.object == "Tag" ? ["weight"] : ["a", "b"]
                for name in names { object.setValue(Int64.random(in: 0..<9, using: &random), forKey: name) }
            case 7:
                if kind.sortKey == "place.id", let place = try all("Owner", context).randomElement(using: &random) {
                    object.setValue(place, forKey: "place")
                }
            case 8: if Int.random(in: 0..<4, using: &random) == 0 { context.rollback() }
            default:
                var members = members(of: parent)
                if let place = members.firstIndex(of: object), Bool.random(using: &random) {
                    members.remove(at: place)
                } else {
                    members.removeAll { $0 === object }
                    members.insert(object, at: Int.random(in: 0...members.count, using: &random))
                }
                parent.setValue(members, forKey: kind.relationship)
            }
        }
    }

    private func controller(_ context: ManagedObjectContext) -> HierarchicalResultsController<Team, Player> {
        HierarchicalResultsController(
            fetchRequest: Team.fetchRequest().sorted(by: \.name),
            relationship: \.players,
            sortedBy: [SortKey(\Player.name)],
            managedObjectContext: context
        )
    }

    /// A member that changes its parent moves; a parent that changes and stays is reported as an updated section;
    /// unrelated changes are not reported.
    @Test func reportedChanges() throws {
        let context = try LeagueModel.definition.testContainer(at: ":memory:").newContext()
        let teams = ["A", "B", "C"].map { Team(context: context, name: $0) }
        let ann = Player(context: context, name: "Ann")
        let bob = Player(context: context, name: "Bob")
        (ann.team, bob.team) = (teams[0], teams[1])
        let controller = controller(context)
        let table = Table<Team, Player>()
        controller.delegate = table
        #expect(controller.sections == nil)
        try controller.performFetch()
        table.show(controller)
        expectEqual(controller.sections?.map(\.numberOfObjects), [1, 1, 0])
        ann.team = teams[1]
        context.processPendingChanges()
        #expect(table.types == [.move] && table.rows == [[], [ann.objectID, bob.objectID], []])
        teams[2].city = "Ulm"
        context.processPendingChanges()
        #expect(table.types == [] && table.sectionUpdates == [2])
        teams[0].name = "D"
        context.processPendingChanges()
        expectEqual(controller.sections?.map(\.parent.name), ["B", "C", "D"])
        let count = table.bracketCount
        _ = Player(context: context, name: "Cem")
        context.processPendingChanges()
        expectEqual(table.bracketCount, count)
        expectEqual(controller.indexPath(forObject: bob), IndexPath(row: 1, section: 0))
    }

    @Test func mistakes() throws {
        let context = try LeagueModel.definition.testContainer(at: ":memory:").newContext()
        func error(_ name: String) -> (any Error)? {
            #expect(throws: FetchError.self) {
                try HierarchicalResultsController<Team, Player>(
                    fetchRequest: Team.fetchRequest(),
                    relationshipName: name,
                    managedObjectContext: context
                ).performFetch()
            }
        }
        #expect("\(try #require(error("player")))".contains("'player'"))
        _ = error("name")
        #expect(throws: FetchError.self) {
            try HierarchicalResultsController<Team, Team>(
                fetchRequest: Team.fetchRequest(),
                relationshipName: "players",
                managedObjectContext: context
            ).performFetch()
        }
    }
}
