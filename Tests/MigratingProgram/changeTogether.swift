import Chordata
import ChordataModel
import Foundation

/// A problem with a list that follows two processes.
struct FollowingError: Error, CustomStringConvertible {
    let description: String
}

/// Changes the people of a store while another process does the same, and follows the changes of both in a list.
///
/// In each round, the process saves random changes, then a mark. When the mark of the other process has arrived, both
/// processes have paused, and the list must equal a fresh fetch. A second mark indicates that the list was compared.
/// People with a negative number are marks, which the list does not have.
/// - Parameters:
///   - name: The name of the process.
///   - other: The name of the other process.
/// - Returns: The people of the list after the last round.
@MainActor
func changeTogether(
    at path: String,
    _ model: ModelDefinition,
    name: String,
    with other: String,
    rounds: Int,
    seed: UInt64
) async throws -> [String] {
    let container = try PersistentContainer(
        model: model,
        path: path,
        options: StoreOptions(reportsRemoteChanges: true)
    )
    let context = container.newContext()
    context.automaticallyMergesChangesFromParent = true
    context.mergePolicy = .mergeByPropertyObjectTrump
    let people = FetchRequest<ManagedObject>(entityName: "Person")
    let request = try people.where(format: "number >= 0").sorted(by: "number").sorted(by: "name")
    let list = FetchedResultsController(fetchRequest: request, managedObjectContext: context)
    // The list follows the context because it has an observer.
    let listChanges = list.changes
    defer { withExtendedLifetime(listChanges) {} }
    try list.performFetch()
    var marks = Marks(context, container.remoteChanges)
    try marks.set("start \(name)")
    try marks.readExisting()
    try await marks.wait(for: "start \(other)")
    var changes = PeopleChanges(seed: seed)
    for round in 1...rounds {
        for _ in 0..<20 { try changes.performNext(in: context, people: list.fetchedObjects ?? []) }
        try marks.set("changed \(name) \(round)")
        try await marks.wait(for: "changed \(other) \(round)")
        context.processPendingChanges()
        let listed = texts(list.fetchedObjects ?? [])
        let fresh = texts(try container.newContext().fetch(request))
        guard listed == fresh else {
            throw FollowingError(
                description: "seed \(seed), round \(round): the list of \(name) is \(listed), a fresh fetch is \(fresh)"
            )
        }
        try marks.set("compared \(name) \(round)")
        try await marks.wait(for: "compared \(other) \(round)")
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

/// The marks by which two processes wait for each other.
@MainActor
private struct Marks {
    private let context: ManagedObjectContext
    private let remoteChanges: AsyncStream<RemoteChange>
    private var seen: Set<String> = []

    init(_ context: ManagedObjectContext, _ remoteChanges: AsyncStream<RemoteChange>) {
        self.context = context
        self.remoteChanges = remoteChanges
    }

    func set(_ text: String) throws {
        let mark = EntityDescription.insertNewObject(forEntityName: "Person", into: context)
        mark.setValue(text, forKey: "name")
        mark.setValue(-1, forKey: "number")
        try context.save()
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

    /// Merges the transactions of the other process up to the one with its mark.
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

    mutating func performNext(in context: ManagedObjectContext, people: [ManagedObject]) throws {
        for _ in 0...number(below: 2) {
            let choice = number(below: 5)
            if choice < 2 || people.isEmpty {
                let person = EntityDescription.insertNewObject(forEntityName: "Person", into: context)
                person.setValue("\(number(below: 9))", forKey: "name")
                person.setValue(number(below: 9), forKey: "number")
                continue
            }
            let person = people[number(below: people.count)]
            // The other process may have deleted it.
            guard person.managedObjectContext != nil, !person.isDeleted else { continue }
            switch choice {
            case 2: person.setValue(number(below: 9), forKey: "number")
            case 3: person.setValue("\(number(below: 9))", forKey: "name")
            default: context.delete(person)
            }
        }
        do {
            try context.save()
        } catch is SaveConflictError {
            // The other process has deleted a changed person.
            context.rollback()
        }
    }
}
