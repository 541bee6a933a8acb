import Chordata
import ChordataTestStores
import ChordataTestSupport
import Testing

/// Each changed property that was read before is reported before its change, with random changes of relationships of
/// every kind.
struct ObservationLawTests {
    private typealias Property = (object: ManagedObject, name: String)

    /// The value or destination of a property, as text that is the same for equal values.
    private static func text(of property: Property) -> String {
        guard property.object.managedObjectContext != nil else { return "gone" }
        let value = property.object.value(forKey: property.name)
        if let object = value as? ManagedObject { return "\(object.objectID)" }
        guard let members = value as? any Sequence else { return "\(value ?? "nothing")" }
        let texts = texts(of: members)
        return (value is Set<ManagedObject> ? texts.sorted() : texts).joined(separator: " ")
    }

    private static func texts<Members: Sequence>(of members: Members) -> [String] {
        members.map { ($0 as? ManagedObject).map { "\($0.objectID)" } ?? "?" }
    }

    /// Makes a random change of a random object.
    private static func change(_ context: ManagedObjectContext, _ random: inout SeededGenerator) throws {
        func all(_ name: String) throws -> [ManagedObject] {
            try context.fetch(FetchRequest<ManagedObject>(entityName: name).sorted(by: "number"))
        }
        guard let kind = RelationshipGraphTests.kinds.randomElement(using: &random),
            let object = try all("A").randomElement(using: &random)
        else { return }
        let targets = try all(kind.destination)
        switch Int.random(in: 0..<10, using: &random) {
        case 0:
            let name = Bool.random(using: &random) ? "A" : "B"
            let new = EntityDescription.insertNewObject(forEntityName: name, into: context)
            new.setValue(Int.random(in: 100..<10_000, using: &random), forKey: "number")
        case 1: if try context.count(for: FetchRequest<ManagedObject>(entityName: "A")) > 3 { context.delete(object) }
        case 2:
            targets.randomElement(using: &random)?.setValue(Int.random(in: 0..<100, using: &random), forKey: "number")
        case 3...5 where kind.isToMany:
            let some = targets.filter { _ in Bool.random(using: &random) }.shuffled(using: &random)
            object.setValue(some, forKey: kind.name)
        case 6...7 where kind.isToMany:
            if let target = targets.randomElement(using: &random) {
                object.mutableSetValue(forKey: kind.name).remove(target)
            }
        default:
            guard let target = targets.randomElement(using: &random) else { return }
            if kind.isToMany {
                object.mutableSetValue(forKey: kind.name).add(target)
            } else {
                object.setValue(Bool.random(using: &random) ? target : nil, forKey: kind.name)
            }
        }
    }

    @Test(arguments: 1...setting("CHORDATA_OBSERVATION_SEEDS", small: UInt64(6)))
    func allChangesAreReported(seed: UInt64) throws {
        try withStorePath { path in
            var random = SeededGenerator(seed: seed)
            let container = try RelationshipGraphTests.definition().testContainer(at: path)
            let context = container.newContext()
            context.automaticallyMergesChangesFromParent = true
            context.isObservationEnabled = true
            for number in 0..<4 {
                for name in ["A", "B"] {
                    EntityDescription.insertNewObject(forEntityName: name, into: context)
                        .setValue(number, forKey: "number")
                }
            }
            try context.save()
            var (reportedCount, unreportedCount) = (0, 0)
            for step in 0..<150 {
                // In an order that depends only on the seed.
                let objects = context.registeredObjects.sorted {
                    ($0.objectID.entityName, $0.objectID.key) < ($1.objectID.entityName, $1.objectID.key)
                }
                let properties = objects.flatMap { object in
                    let entity = container.persistentStoreCoordinator.managedObjectModel.entity(
                        named: object.objectID.entityName
                    )
                    return (entity?.propertyNames ?? []).map { Property(object, $0) }
                }
                let tracker = Tracker()
                let before = properties.enumerated().map { index, property in
                    tracker.track("\(index)") { Self.text(of: property) }
                }
                let kind = Int.random(in: 0..<12, using: &random)
                switch kind {
                case 0: context.rollback()
                case 1: context.refreshAllObjects()
                case 2:
                    if let object = properties.randomElement(using: &random)?.object {
                        context.refresh(object, mergeChanges: Bool.random(using: &random))
                    }
                case 3...4:
                    do {
                        try context.save()
                    } catch {
                        #expect(error is SaveConflictError, "seed \(seed), step \(step): \(error)")
                        context.rollback()
                        context.refreshAllObjects()
                    }
                case 5...7:
                    let other = container.newContext()
                    for _ in 0..<3 { try Self.change(other, &random) }
                    try other.save()
                    context.processPendingChanges()
                default: try Self.change(context, &random)
                }
                let names = Set(tracker.take())
                for (index, property) in properties.enumerated() {
                    let after = Self.text(of: property)
                    if names.contains("\(index)") {
                        reportedCount += 1
                    } else {
                        unreportedCount += 1
                        expectEqual(
                            before[index],
                            after,
                            "seed \(seed), step \(step), action \(kind): '\(property.name)' of \(property.object.objectID)"
                        )
                    }
                }
            }
            #expect(
                reportedCount > 100 && unreportedCount > reportedCount,
                "seed \(seed): \(reportedCount) reported, \(unreportedCount) not"
            )
        }
    }
}
