import ChordataTestSupport
import Testing

@testable import Chordata

/// Random changes of relationships of every kind, compared with a list of pairs.
struct RelationshipGraphTests {
    /// A relationship from the entity `A` and its inverse.
    struct Kind: CustomStringConvertible {
        var name: String
        var isToMany: Bool
        var isOrdered = false
        var destination = "B"
        /// The name of the inverse, or `nil` if there is no inverse.
        var inverse: String?
        var isInverseToMany = false
        var isInverseOrdered = false

        var description: String { name }
    }

    static let kinds = [
        Kind(name: "oneToOne", isToMany: false, inverse: "oneToOneBack"),
        Kind(name: "manyToOne", isToMany: false, inverse: "manyToOneBack", isInverseToMany: true),
        Kind(name: "oneToMany", isToMany: true, inverse: "oneToManyBack"),
        Kind(name: "oneToOrdered", isToMany: true, isOrdered: true, inverse: "oneToOrderedBack"),
        Kind(name: "manyToMany", isToMany: true, inverse: "manyToManyBack", isInverseToMany: true),
        Kind(
            name: "manyToOrdered",
            isToMany: true,
            isOrdered: true,
            inverse: "manyToOrderedBack",
            isInverseToMany: true
        ),
        Kind(
            name: "orderedToOrdered",
            isToMany: true,
            isOrdered: true,
            inverse: "orderedToOrderedBack",
            isInverseToMany: true,
            isInverseOrdered: true
        ),
        Kind(name: "oneWay", isToMany: false),
        Kind(name: "oneWayToMany", isToMany: true),
        Kind(name: "oneWayOrdered", isToMany: true, isOrdered: true),
        Kind(name: "parent", isToMany: false, destination: "A", inverse: "children", isInverseToMany: true),
        Kind(name: "twin", isToMany: false, destination: "A", inverse: "twin"),
        Kind(name: "friends", isToMany: true, destination: "A", inverse: "friends", isInverseToMany: true),
        Kind(name: "follows", isToMany: true, destination: "A", inverse: "followers", isInverseToMany: true),
    ]

    static func definition() throws -> ModelDefinition {
        func relationship(
            _ name: String,
            to destination: String,
            isToMany: Bool,
            isOrdered: Bool,
            inverse: String?
        ) -> RelationshipDescription {
            RelationshipDescription(
                name: name,
                destinationEntityName: destination,
                inverseName: inverse,
                isToMany: isToMany,
                isOrdered: isOrdered
            )
        }
        var (ofA, ofB): ([RelationshipDescription], [RelationshipDescription]) = ([], [])
        for kind in kinds {
            ofA.append(
                relationship(
                    kind.name,
                    to: kind.destination,
                    isToMany: kind.isToMany,
                    isOrdered: kind.isOrdered,
                    inverse: kind.inverse
                )
            )
            guard let inverse = kind.inverse, inverse != kind.name else { continue }
            let back = relationship(
                inverse,
                to: "A",
                isToMany: kind.isInverseToMany,
                isOrdered: kind.isInverseOrdered,
                inverse: kind.name
            )
            if kind.destination == "A" { ofA.append(back) } else { ofB.append(back) }
        }
        let number = AttributeDescription(name: "number", attributeType: .integer64)
        return ModelDefinition(
            name: "Graph",
            versionName: "Graph",
            model: try ManagedObjectModel(entities: [
                EntityDescription(name: "A", attributes: [number], relationships: ofA),
                EntityDescription(name: "B", attributes: [number], relationships: ofB),
            ])
        )
    }

    /// The expected state: for each relationship, the members of each object, in their order.
    struct Oracle {
        /// The members, by relationship and then by the number of the object.
        var members: [String: [Int: [Int]]] = [:]

        private func list(_ name: String, _ owner: Int) -> [Int] { members[name]?[owner] ?? [] }

        private mutating func unlink(_ kind: Kind, _ a: Int, _ b: Int) {
            members[kind.name, default: [:]][a, default: []].removeAll { $0 == b }
            if let inverse = kind.inverse { members[inverse, default: [:]][b, default: []].removeAll { $0 == a } }
        }

        mutating func add(_ kind: Kind, _ a: Int, _ b: Int) {
            guard !list(kind.name, a).contains(b) else { return }
            if !kind.isToMany { for other in list(kind.name, a) { unlink(kind, a, other) } }
            if let inverse = kind.inverse, !kind.isInverseToMany {
                for other in list(inverse, b) { unlink(kind, other, b) }
            }
            members[kind.name, default: [:]][a, default: []].append(b)
            if let inverse = kind.inverse, inverse != kind.name || a != b {
                members[inverse, default: [:]][b, default: []].append(a)
            }
        }

        mutating func remove(_ kind: Kind, _ a: Int, _ b: Int) { unlink(kind, a, b) }

        mutating func set(_ kind: Kind, _ a: Int, _ all: [Int]) {
            for other in list(kind.name, a) where !all.contains(other) { unlink(kind, a, other) }
            for b in all { add(kind, a, b) }
            if kind.isOrdered { members[kind.name, default: [:]][a] = all }
        }

        /// Removes an object, and every pair that includes it.
        mutating func forget(_ number: Int) {
            for name in members.keys {
                members[name]?[number] = nil
                for owner in members[name, default: [:]].keys { members[name]?[owner]?.removeAll { $0 == number } }
            }
        }
    }

    private static func object(_ number: Int, in context: ManagedObjectContext) throws -> ManagedObject {
        let request = FetchRequest<ManagedObject>(entityName: number < 100 ? "A" : "B")
        return try #require(try context.fetch(try request.where(format: "number == %@", number)).first)
    }

    private static func numbers(_ value: Any?) -> [Int] {
        func number(_ object: Any) -> Int {
            (object as? ManagedObject).flatMap { $0.value(forKey: "number") as? Int64 }.map { Int($0) } ?? -1
        }
        guard let value else { return [] }
        guard let members = value as? any Sequence else { return [number(value)] }
        return members.map { number($0) }
    }

    private static func check(_ oracle: Oracle, _ alive: [Int], in context: ManagedObjectContext, _ comment: Comment)
        throws
    {
        for number in alive {
            let object = try object(number, in: context)
            for kind in kinds {
                if number < 100 {
                    expect(oracle.members[kind.name]?[number], object, kind.name, isOrdered: kind.isOrdered, comment)
                }
                let isInverseHere = (number < 100) == (kind.destination == "A")
                if let inverse = kind.inverse, inverse != kind.name, isInverseHere {
                    expect(oracle.members[inverse]?[number], object, inverse, isOrdered: kind.isInverseOrdered, comment)
                }
            }
        }
    }

    private static func expect(
        _ expected: [Int]?,
        _ object: ManagedObject,
        _ name: String,
        isOrdered: Bool,
        _ comment: Comment
    ) {
        var (expected, found) = (expected ?? [], numbers(object.value(forKey: name)))
        if !isOrdered { (expected, found) = (expected.sorted(), found.sorted()) }
        expectEqual(found, expected, "\(comment): '\(name)' of \(numbers(object))")
    }

    /// `CHORDATA_RELATIONSHIP_SEEDS` sets the number of seeds.
    @Test(arguments: 1...setting("CHORDATA_RELATIONSHIP_SEEDS", small: UInt64(4)))
    func everyCardinality(seed: UInt64) throws {
        try withStorePath { path in
            var random = SeededGenerator(seed: seed)
            let (container, engines) = try TwoEngines.container(
                try Self.definition(),
                path: path,
                hasCells: seed.isMultiple(of: 2)
            )
            var context = container.newContext()
            var oracle = Oracle()
            var alive: [Int] = []
            for number in [0, 1, 2, 3, 4, 5, 100, 101, 102, 103, 104] {
                let name = number < 100 ? "A" : "B"
                EntityDescription.insertNewObject(forEntityName: name, into: context).setValue(number, forKey: "number")
                alive.append(number)
            }
            try context.save()
            var saved = (oracle, alive)
            for step in 0..<300 {
                let kind = Self.kinds.randomElement(using: &random)!  // The array is not empty.
                let sources = alive.filter { $0 < 100 }
                let targets = alive.filter { ($0 < 100) == (kind.destination == "A") }
                guard let a = sources.randomElement(using: &random), let b = targets.randomElement(using: &random)
                else { break }
                let object = try Self.object(a, in: context)
                switch Int.random(in: 0..<12, using: &random) {
                case 0:
                    try context.save()
                    saved = (oracle, alive)
                    if Bool.random(using: &random) { context = container.newContext() }
                case 1:
                    context.rollback()
                    (oracle, alive) = saved
                case 2 where step % 40 == 39:
                    context.delete(object)
                    oracle.forget(a)
                    alive.removeAll { $0 == a }
                case 3...5 where kind.isToMany:
                    let all = targets.filter { _ in Bool.random(using: &random) }.shuffled(using: &random)
                    object.setValue(try all.map { try Self.object($0, in: context) }, forKey: kind.name)
                    oracle.set(kind, a, all)
                case 6 where !kind.isToMany:
                    object.setValue(nil, forKey: kind.name)
                    oracle.set(kind, a, [])
                default:
                    let other = try Self.object(b, in: context)
                    if kind.isToMany {
                        let isRemoval = Int.random(in: 0..<3, using: &random) == 0
                        // Changes the relationship without reading the other members.
                        let members = object.mutableSetValue(forKey: kind.name)
                        if isRemoval { members.remove(other) } else { members.add(other) }
                        if isRemoval { oracle.remove(kind, a, b) } else { oracle.add(kind, a, b) }
                    } else {
                        object.setValue(other, forKey: kind.name)
                        oracle.add(kind, a, b)
                    }
                }
                if step % 10 == 0 {
                    try Self.check(oracle, alive, in: context, "seed \(seed), step \(step)")
                }
            }
            try Self.check(oracle, alive, in: context, "seed \(seed), at the end")
            try context.save()
            try Self.check(oracle, alive, in: container.newContext(), "seed \(seed), saved")
            try engines?.check(context.schema, comparesOrders: true, "seed \(seed)")
        }
    }
}
