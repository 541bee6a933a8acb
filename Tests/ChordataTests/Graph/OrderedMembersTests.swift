import ChordataTestStores
import ChordataTestSupport
import Testing

@testable import Chordata

/// The order of to-manys, as saves write it.
struct OrderedMembersTests {
    private static var seeds: Range<UInt64> {
        let first = setting("CHORDATA_ORDER_SEED", small: UInt64(1))
        return first..<first + setting("CHORDATA_ORDER_SEEDS", small: 12)
    }

    /// A model with one order in the members' table, and another in a join table.
    private static func makeContainer(path: String, options: StoreOptions = StoreOptions()) throws
        -> PersistentContainer
    {
        func relationship(_ name: String, _ destination: String, _ inverse: String, isOrdered: Bool? = nil)
            -> RelationshipDescription
        {
            RelationshipDescription(
                name: name,
                destinationEntityName: destination,
                inverseName: inverse,
                isToMany: isOrdered != nil,
                isOrdered: isOrdered == true
            )
        }
        let number = AttributeDescription(name: "number", attributeType: .integer64)
        let model = try ManagedObjectModel(entities: [
            EntityDescription(
                name: "List",
                attributes: [number],
                relationships: [
                    relationship("rows", "Entry", "list", isOrdered: true),
                    relationship("picks", "Entry", "pickers", isOrdered: true),
                ]
            ),
            EntityDescription(
                name: "Entry",
                attributes: [number],
                relationships: [
                    relationship("list", "List", "rows"), relationship("pickers", "List", "picks", isOrdered: false),
                ]
            ),
        ])
        let definition = ModelDefinition(name: "Lists", versionName: "Lists", model: model)
        return try definition.testContainer(at: path, options: options)
    }

    private static func insert(_ name: String, number: Int, into context: ManagedObjectContext) -> ManagedObject {
        let object = EntityDescription.insertNewObject(forEntityName: name, into: context)
        object.setValue(number, forKey: "number")
        return object
    }

    private static func members(_ key: String, of list: ManagedObject) -> [ManagedObject] {
        let members = list.value(forKey: key) as? OrderedSet<ManagedObject> ?? []
        return Array(members)
    }

    /// Two contexts change the order of two lists alternately, each based on the order that it read before.
    ///
    /// A new context reads the order of the last save.
    @Test(arguments: ["rows", "picks"])
    func aNewContextReadsTheOrderThatWasSaved(key: String) throws {
        for seed in Self.seeds {
            try withStorePath { path in
                let container = try Self.makeContainer(path: path)
                // Otherwise a context does not have the changes of the other context, and the order that it sets
                // replaces the other order.
                let isMerging = seed % 2 == 0
                // If there are unsaved changes, another context's deletion of a changed member makes the save fail.
                let deletes = seed % 4 == 0
                var random = SeededGenerator(seed: seed)
                func pick(_ count: Int) -> Int { Int(random.next() % UInt64(max(count, 1))) }
                let contexts = (0..<2).map { _ in container.newContext() }
                for context in contexts {
                    context.mergePolicy = .mergeByPropertyObjectTrump
                    context.automaticallyMergesChangesFromParent = isMerging
                }
                let lists = (0..<2).map { Self.insert("List", number: $0, into: contexts[0]) }
                var number = 0
                func newMember(_ context: ManagedObjectContext) -> ManagedObject {
                    number += 1
                    return Self.insert("Entry", number: number, into: context)
                }
                lists[0].setValue(OrderedSet((0..<8).map { _ in newMember(contexts[0]) }), forKey: key)
                try contexts[0].save()

                for step in 0..<40 {
                    let context = contexts[pick(4) == 0 ? 1 : 0]
                    let own = try context.fetch(FetchRequest<ManagedObject>(entityName: "List").sorted(by: "number"))
                    var reordered: Set<ManagedObject> = []
                    for _ in 0...pick(3) {
                        let list = own[pick(5) == 0 ? 1 : 0]
                        var members = Self.members(key, of: list)
                        let before = members
                        if pick(3) == 0, let field = list.runtimeEntity.fields.first(where: { $0.name == key }) {
                            let index = pick(members.count + 1)
                            context.editor.insert([newMember(context)], at: [index], of: list, field: field.index)
                            continue
                        }
                        switch pick(deletes ? 8 : 7) {
                        case 0: members.append(newMember(context))
                        case 1: members.insert(newMember(context), at: 0)
                        case 2: members.insert(newMember(context), at: pick(members.count + 1))
                        case 3: if !members.isEmpty { members.remove(at: pick(members.count)) }
                        case 4: if !members.isEmpty { members.append(members.remove(at: pick(members.count))) }
                        case 5:
                            if !members.isEmpty { members.insert(members.removeLast(), at: pick(members.count + 1)) }
                        case 6: members.shuffle(using: &random)
                        default:
                            if let member = members.randomElement(using: &random) {
                                context.delete(member)
                                members.removeAll { $0 === member }
                                context.processPendingChanges()
                            }
                        }
                        let kept = before.filter(members.contains)
                        if kept + members.filter({ !kept.contains($0) }) != members { reordered.insert(list) }
                        list.setValue(OrderedSet(members), forKey: key)
                    }
                    // In this case, the other context may save first.
                    if isMerging, !deletes, pick(3) == 0 { continue }
                    try context.save()
                    let fresh = container.newContext()
                    let request = FetchRequest<ManagedObject>(entityName: "List").sorted(by: "number")
                    for (list, stored) in zip(own, try fresh.fetch(request)) {
                        var found = Self.members(key, of: stored).map(\.objectID)
                        var wanted = Self.members(key, of: list).map(\.objectID)
                        if !isMerging {
                            guard reordered.contains(list) else { continue }
                            let both = Set(found).intersection(wanted)
                            found.removeAll { !both.contains($0) }
                            wanted.removeAll { !both.contains($0) }
                        }
                        expectEqual(
                            found,
                            wanted,
                            "\(key), CHORDATA_ORDER_SEED=\(seed), step \(step)"
                        )
                    }
                }
            }
        }
    }

    /// An order with unsaved changes completely replaces an order that another context saved in the meantime.
    @Test(arguments: ["rows", "picks"])
    func theOrderWithUnsavedChangesReplacesAnother(key: String) throws {
        try withStorePath { path in
            let container = try Self.makeContainer(path: path)
            let (here, there) = (container.newContext(), container.newContext())
            here.automaticallyMergesChangesFromParent = true
            let list = Self.insert("List", number: 0, into: here)
            let entries = (0..<6).map { Self.insert("Entry", number: $0, into: here) }
            list.setValue(OrderedSet(entries), forKey: key)
            try here.save()
            let added = Self.insert("Entry", number: 6, into: here)
            list.setValue(OrderedSet(entries + [added]), forKey: key)
            let other = try #require(try there.fetch(FetchRequest<ManagedObject>(entityName: "List")).first)
            other.setValue(OrderedSet(Self.members(key, of: other).reversed()), forKey: key)
            try there.save()
            here.processPendingChanges()
            try here.save()
            expectEqual(Self.members(key, of: list), entries + [added])
        }
    }

    /// A change of a list of 50 members, and the number of positions that a save may write for it.
    struct Change: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let positions: Int
        let make: @Sendable (inout [ManagedObject], ManagedObject) -> Void

        static let all = [
            Change(testDescription: "append", positions: 1) { $0.append($1) },
            Change(testDescription: "insert at the front", positions: 1) { $0.insert($1, at: 0) },
            Change(testDescription: "remove the first", positions: 0) { members, _ in members.removeFirst() },
            Change(testDescription: "remove one in the middle", positions: 0) { members, _ in members.remove(at: 20) },
            Change(testDescription: "replace one in the middle", positions: 1) { $0[20] = $1 },
            Change(testDescription: "move the first to the end", positions: 1) { members, _ in
                members.append(members.removeFirst())
            },
            Change(testDescription: "move the last to the front", positions: 1) { members, _ in
                members.insert(members.removeLast(), at: 0)
            },
            Change(testDescription: "insert near the front", positions: 4) { $0.insert($1, at: 3) },
            Change(testDescription: "insert near the end", positions: 4) { $0.insert($1, at: 47) },
            Change(testDescription: "exchange two neighbors", positions: 2) { members, _ in members.swapAt(47, 48) },
            Change(testDescription: "reverse", positions: 49) { members, _ in members.reverse() },
        ]
    }

    /// The same holds after the save that created the order, without reading the order again.
    @Test(.onlySQLite(.statements), arguments: ["rows", "picks"], Change.all)
    func aSaveWritesThePositionsThatChanged(key: String, change: Change) throws {
        for readsAgain in [false, true] {
            try withStorePath { path in
                let log = StatementLog()
                let container = try Self.makeContainer(
                    path: path,
                    options: StoreOptions(statementLogger: StatementLogger { log.add($0) })
                )
                let context = container.newContext()
                let new = Self.insert("List", number: 0, into: context)
                let entries = (0..<50).map { Self.insert("Entry", number: $0, into: context) }
                new.setValue(OrderedSet(entries), forKey: key)
                _ = Self.insert("Entry", number: 50, into: context)
                try context.save()
                if readsAgain { context.reset() }

                let list = try #require(try context.fetch(FetchRequest<ManagedObject>(entityName: "List")).first)
                let all = try context.fetch(FetchRequest<ManagedObject>(entityName: "Entry").sorted(by: "number"))
                var members = Self.members(key, of: list)
                change.make(&members, all[50])
                list.setValue(OrderedSet(members), forKey: key)
                _ = log.take()
                try context.save()
                let updates = log.take().map(\.sql).filter { $0.contains("order") && $0.hasPrefix("UPDATE") }
                expectEqual(updates.count, change.positions, "\(updates.first ?? "")")

                let fresh = container.newContext()
                let stored = try #require(try fresh.fetch(FetchRequest<ManagedObject>(entityName: "List")).first)
                expectEqual(Self.members(key, of: stored).map(\.objectID), members.map(\.objectID))
            }
        }
    }

    /// A program that ignores positions may have written other positions, equal ones, or none.
    @Test(
        .onlySQLite(.files),
        arguments: [
            "NULL", "7", "9223372036854775807", "-9223372036854775808",
            "CASE WHEN \"number\" = 0 THEN -4611686018427387904 ELSE 4611686018427387904 END",
            "CASE WHEN \"number\" = 0 THEN -9223372036854775808 ELSE 9223372036854775807 END",
        ]
    )
    func placesOfOtherProgramsAreReplaced(value: String) throws {
        try withStorePath { path in
            let container = try Self.makeContainer(path: path)
            let context = container.newContext()
            let list = Self.insert("List", number: 0, into: context)
            let entries = (0..<5).map { Self.insert("Entry", number: $0, into: context) }
            list.setValue(OrderedSet(entries), forKey: "rows")
            try context.save()
            context.reset()
            let connection = try SQLiteConnection(path: path, mode: .readWriteCreate)
            try connection.execute("UPDATE \"Entry\" SET \"_order_list\" = \(value)")
            for index in [1, 0, 3, 5] {
                let own = try #require(try context.fetch(FetchRequest<ManagedObject>(entityName: "List")).first)
                var members = Self.members("rows", of: own)
                members.insert(Self.insert("Entry", number: 9, into: context), at: index)
                own.setValue(OrderedSet(members), forKey: "rows")
                try context.save()
                context.reset()
                let again = try #require(try context.fetch(FetchRequest<ManagedObject>(entityName: "List")).first)
                expectEqual(Self.members("rows", of: again).map(\.objectID), members.map(\.objectID))
            }
        }
    }

    @Test(arguments: [([], []), ([1], [0]), ([3, 1, 2], [1, 2]), ([0, 1, 2], [0, 1, 2]), ([2, 1, 0], [2])])
    func longestAscentIsFound(numbers: [Int64], indexes: [Int]) {
        expectEqual(indexesOfLongestAscent(in: numbers), indexes)
    }

    /// Q17: one statement reads the members, in their order.
    @Test(.onlySQLite(.statements), arguments: ["rows", "picks"])
    func oneStatementReadsTheMembersInTheirOrder(key: String) throws {
        try withStorePath { path in
            let log = StatementLog()
            let options = StoreOptions(statementLogger: StatementLogger { log.add($0) })
            let container = try Self.makeContainer(path: path, options: options)
            let context = container.newContext()
            let list = Self.insert("List", number: 0, into: context)
            let entries = [3, 1, 4, 2, 5].map { Self.insert("Entry", number: $0, into: context) }
            list.setValue(OrderedSet(entries), forKey: key)
            try context.save()
            context.reset()
            let own = try #require(try context.fetch(FetchRequest<ManagedObject>(entityName: "List")).first)
            _ = log.take()
            #expect(Self.members(key, of: own).map { $0.value(forKey: "number") as? Int64 } == [3, 1, 4, 2, 5])
            let reads = log.take().filter { $0.sql.hasPrefix("SELECT") && $0.sql.contains("\"Entry\"") }
            expectEqual(reads.count, 1, "\(reads)")
        }
    }
}
