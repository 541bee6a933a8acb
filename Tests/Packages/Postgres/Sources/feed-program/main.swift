import Chordata
import ChordataModel
import ChordataPostgres
import Foundation

// usage: feed-program CONNECTION-STRING SCHEMA NAME NAMES ROUNDS SEED
//
// Changes the people of a store while other processes do the same, and follows the changes of all processes in a list.
// In each round, a process saves random changes, then a mark. When the marks of all other processes have arrived, all
// processes have paused: the list must equal a fresh fetch, and the list that results from its reported changes. A
// second mark indicates that the list was compared. The names are separated by commas. The last list is printed.

/// A problem with a list that follows several processes.
struct FollowingError: Error, CustomStringConvertible {
    let description: String
}

let arguments = CommandLine.arguments
guard arguments.count == 7, let rounds = Int(arguments[5]), let seed = UInt64(arguments[6]) else {
    FileHandle.standardError.write(Data("usage: feed-program STRING SCHEMA NAME NAMES ROUNDS SEED\n".utf8))
    exit(64)
}
do {
    let lines = try await follow(
        PostgresConfiguration(arguments[1], schema: arguments[2]),
        name: arguments[3],
        others: arguments[4].split(separator: ",").map(String.init).filter { $0 != arguments[3] },
        rounds: rounds,
        seed: seed
    )
    for line in lines { print(line) }
} catch {
    FileHandle.standardError.write(Data("\(error)\n".utf8))
    exit(1)
}

@MainActor
func follow(
    _ configuration: PostgresConfiguration,
    name: String,
    others: [String],
    rounds: Int,
    seed: UInt64
) async throws -> [String] {
    let model = try ManagedObjectModel(entities: [
        EntityDescription(
            name: "Person",
            attributes: [
                AttributeDescription(name: "name", attributeType: .string),
                AttributeDescription(name: "number", attributeType: .integer64),
            ]
        )
    ])
    let container = try PersistentContainer(
        model: ModelDefinition(name: "M", versionName: "1", model: model),
        postgres: configuration
    )
    let context = container.newContext()
    context.automaticallyMergesChangesFromParent = true
    context.mergePolicy = .mergeByPropertyObjectTrump
    let request = try FetchRequest<ManagedObject>(entityName: "Person").where(format: "number >= 0")
        .sorted(by: "number").sorted(by: "name")
    let list = FetchedResultsController(fetchRequest: request, managedObjectContext: context)
    let shown = ShownList()
    list.delegate = shown
    try list.performFetch()
    shown.rows = (list.fetchedObjects ?? []).map(\.objectID)
    var marks = Marks(context, container.remoteChanges)
    try await marks.set("start \(name)")
    try marks.readExisting()
    for other in others { try await marks.wait(for: "start \(other)") }
    var changes = PeopleChanges(seed: seed)
    for round in 1...rounds {
        for _ in 0..<20 { try await changes.performNext(in: context, people: list.fetchedObjects ?? []) }
        try await marks.set("changed \(name) \(round)")
        for other in others { try await marks.wait(for: "changed \(other) \(round)") }
        context.processPendingChanges()
        let other = container.newContext()
        let listed = texts(list.fetchedObjects ?? [])
        let fresh = texts(try other.fetch(request))
        let ids = (list.fetchedObjects ?? []).map(\.objectID)
        guard listed == fresh, shown.rows == ids else {
            throw FollowingError(
                description:
                    "seed \(seed), round \(round): the list of \(name) is \(listed), a fresh fetch is \(fresh), "
                    + "and the reported changes result in \(shown.rows)"
            )
        }
        try await marks.set("compared \(name) \(round)")
        for other in others { try await marks.wait(for: "compared \(other) \(round)") }
    }
    return texts(list.fetchedObjects ?? [])
}

@MainActor
private func texts(_ people: [ManagedObject]) -> [String] {
    people.map { person in
        let number = person.value(forKey: "number") as? Int64 ?? -1
        return "\(person.objectID.uriRepresentation) \(number) \(person.value(forKey: "name") as? String ?? "")"
    }
}

/// A list as a view shows it.
@MainActor
private final class ShownList: @MainActor FetchedResultsControllerDelegate {
    var rows: [ManagedObjectID] = []
    private var deletions: [Int] = []
    private var insertions: [(Int, ManagedObjectID)] = []

    func controllerWillChangeContent(_ controller: FetchedResultsController<ManagedObject>) {
        (deletions, insertions) = ([], [])
    }

    func controller(
        _ controller: FetchedResultsController<ManagedObject>,
        didChange object: ManagedObject,
        at indexPath: IndexPath?,
        for type: FetchedResultsChangeType,
        newIndexPath: IndexPath?
    ) {
        if type == .update { return }
        if let indexPath { deletions.append(indexPath.row) }
        if let newIndexPath { insertions.append((newIndexPath.row, object.objectID)) }
    }

    func controllerDidChangeContent(_ controller: FetchedResultsController<ManagedObject>) {
        for row in deletions.sorted().reversed() { rows.remove(at: row) }
        for (row, id) in insertions.sorted(by: { $0.0 < $1.0 }) { rows.insert(id, at: row) }
    }
}

/// The marks by which processes wait for each other: people with a negative number.
@MainActor
private struct Marks {
    private let context: ManagedObjectContext
    private let remoteChanges: AsyncStream<RemoteChange>
    private var seen: Set<String> = []

    init(_ context: ManagedObjectContext, _ remoteChanges: AsyncStream<RemoteChange>) {
        self.context = context
        self.remoteChanges = remoteChanges
    }

    func set(_ text: String) async throws {
        let mark = EntityDescription.insertNewObject(forEntityName: "Person", into: context)
        mark.setValue(text, forKey: "name")
        mark.setValue(-1, forKey: "number")
        try await context.save()
    }

    /// Reads the marks that were set before this process opened the store.
    mutating func readExisting() throws {
        let request = try FetchRequest<ManagedObject>(entityName: "Person").where(format: "number < 0")
        for mark in try context.fetch(request) { add(mark) }
    }

    private mutating func add(_ person: ManagedObject) {
        guard let number = person.value(forKey: "number") as? Int64, number < 0 else { return }
        if let text = person.value(forKey: "name") as? String { seen.insert(text) }
    }

    /// Merges the transactions of the other processes up to the one with a mark.
    mutating func wait(for text: String) async throws {
        if seen.contains(text) { return }
        for await change in remoteChanges {
            context.processPendingChanges()
            for id in change.changes.inserted {
                do {
                    add(try context.existingObject(with: id))
                } catch is MissingObjectError {
                    // The person has been deleted in the meantime.
                }
            }
            if seen.contains(text) { return }
        }
        throw FollowingError(description: "the remote changes have ended before '\(text)'")
    }
}

/// Random changes of people.
@MainActor
private struct PeopleChanges {
    /// The state of a linear congruential generator.
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    private mutating func number(below limit: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % UInt64(limit))
    }

    mutating func performNext(in context: ManagedObjectContext, people: [ManagedObject]) async throws {
        for _ in 0...number(below: 2) {
            let choice = number(below: 5)
            if choice < 2 || people.isEmpty {
                let person = EntityDescription.insertNewObject(forEntityName: "Person", into: context)
                person.setValue("\(number(below: 9))", forKey: "name")
                person.setValue(number(below: 9), forKey: "number")
                continue
            }
            let person = people[number(below: people.count)]
            // Another process may have deleted it.
            guard person.managedObjectContext != nil, !person.isDeleted else { continue }
            switch choice {
            case 2: person.setValue(number(below: 9), forKey: "number")
            case 3: person.setValue("\(number(below: 9))", forKey: "name")
            default: context.delete(person)
            }
        }
        do {
            try await context.save()
        } catch is SaveConflictError {
            // Another process has deleted a changed person.
            context.rollback()
        }
    }
}
