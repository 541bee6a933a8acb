import Chordata
import Foundation
import Testing

/// A table that only believes the delegate.
private final class Table: FetchedResultsControllerDelegate {
    var rows: [[Int64]] = []
    var willCount = 0
    var didCount = 0
    private var deletes: [IndexPath] = []
    private var inserts: [(IndexPath, Int64)] = []
    private var sectionDeletes: [Int] = []
    private var sectionInserts: [Int] = []

    func controllerWillChangeContent<Object: ManagedObject>(_ controller: FetchedResultsController<Object>) {
        willCount += 1
        (deletes, inserts, sectionDeletes, sectionInserts) = ([], [], [], [])
    }

    func controller<Object: ManagedObject>(
        _ controller: FetchedResultsController<Object>,
        didChange object: Object,
        at indexPath: IndexPath?,
        for type: FetchedResultsChangeType,
        newIndexPath: IndexPath?
    ) {
        if type == .update { return }
        if let indexPath { deletes.append(indexPath) }
        if let newIndexPath { inserts.append((newIndexPath, object.objectID.key)) }
    }

    func controller<Object: ManagedObject>(
        _ controller: FetchedResultsController<Object>,
        didChange sectionInfo: FetchedResultsSectionInfo<Object>,
        atSectionIndex sectionIndex: Int,
        for type: FetchedResultsChangeType
    ) {
        if type == .delete { sectionDeletes.append(sectionIndex) } else { sectionInserts.append(sectionIndex) }
    }

    func controllerDidChangeContent<Object: ManagedObject>(_ controller: FetchedResultsController<Object>) {
        didCount += 1
        for path in deletes.sorted().reversed() { rows[path.section].remove(at: path.row) }
        for index in sectionDeletes.sorted().reversed() {
            #expect(rows[index].isEmpty)
            rows.remove(at: index)
        }
        for index in sectionInserts.sorted() { rows.insert([], at: index) }
        for (path, key) in inserts.sorted(by: { $0.0 < $1.0 }) { rows[path.section].insert(key, at: path.row) }
    }
}

struct FetchedResultsControllerTests {
    /// The law: old arrangement + reported changes = new arrangement = fresh fetch.
    @Test(arguments: [UInt64(1), 2, 3, 4])
    func reportedChangesGiveTheNewArrangement(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let container = try LeagueModel.container(at: ":memory:")
        let context = container.newContext()
        let teams = ["A", "B", "C"].map { Team(context: context, name: $0) }
        for index in 0..<20 {
            let player = Player(context: context, name: "P\(index)")
            player.team = teams[Int.random(in: 0..<3, using: &random)]
            player.age = .random(in: 0..<10, using: &random)
        }
        try context.save()
        let request = try Player.fetchRequest().where(format: "age < 8").sorted(by: "team.name").sorted(by: \.age)
        let controller = FetchedResultsController(
            fetchRequest: request,
            managedObjectContext: context,
            sectionNameKeyPath: "team.name"
        )
        let table = Table()
        controller.delegate = table
        try controller.performFetch()
        func arrangement() -> [[Int64]] { controller.sections?.map { $0.objects.map(\.objectID.key) } ?? [] }
        table.rows = arrangement()
        for step in 0..<200 {
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let all = try context.fetch(Player.fetchRequest())
                switch Int.random(in: 0..<6, using: &random) {
                case 0:
                    let player = Player(context: context, name: "N\(step)")
                    player.team = teams[Int.random(in: 0..<3, using: &random)]
                    player.age = .random(in: 0..<10, using: &random)
                case 1: if let victim = all.randomElement(using: &random), all.count > 5 { context.delete(victim) }
                case 2: all.randomElement(using: &random)?.team = teams[Int.random(in: 0..<3, using: &random)]
                case 3: all.randomElement(using: &random)?.name += "!"
                default: all.randomElement(using: &random)?.age = .random(in: 0..<10, using: &random)
                }
            }
            if Bool.random(using: &random) { try context.save() } else { context.processPendingChanges() }
            #expect(table.rows == arrangement(), "seed \(seed), step \(step)")
            #expect(
                try context.fetch(request).map(\.objectID.key) == table.rows.flatMap { $0 },
                "seed \(seed), step \(step)"
            )
            #expect(table.willCount == table.didCount)
        }
    }

    @Test func nothingIsReportedForOtherObjects() throws {
        let context = try LeagueModel.container(at: ":memory:").newContext()
        let controller = FetchedResultsController(
            fetchRequest: try Player.fetchRequest().where(format: "age > 5").sorted(by: \.name),
            managedObjectContext: context
        )
        let table = Table()
        controller.delegate = table
        try controller.performFetch()
        #expect(controller.sections?.count == 1)
        _ = Player(context: context, name: "young")
        _ = Team(context: context, name: "Reds")
        try context.save()
        #expect(table.willCount == 0)
    }

    /// A request that was set since counts from the next `performFetch()` on, also where the store has to be asked.
    @Test(arguments: [0, 10]) func anotherRequestWaitsForItsFetch(limit: Int) throws {
        let context = try LeagueModel.container(at: ":memory:").newContext()
        for index in 0..<4 { Team(context: context, name: "T\(index)").city = index < 2 ? "Ulm" : "Jena" }
        var request = try Team.fetchRequest().where(format: "city == 'Ulm'").sorted(by: \.name)
        request.fetchLimit = limit
        let controller = FetchedResultsController(fetchRequest: request, managedObjectContext: context)
        let table = Table()
        controller.delegate = table
        try controller.performFetch()
        table.rows = controller.sections?.map { $0.objects.map(\.objectID.key) } ?? []
        controller.fetchRequest = try Team.fetchRequest().where(format: "city == 'Jena'").sorted(by: \.name)
        controller.fetchRequest.fetchLimit = limit
        Team(context: context, name: "T9").city = "Ulm"
        context.processPendingChanges()
        #expect(controller.fetchedObjects?.map(\.name) == ["T0", "T1", "T9"])
        #expect(table.rows.flatMap { $0 } == controller.fetchedObjects?.map(\.objectID.key))
        try controller.performFetch()
        #expect(controller.fetchedObjects?.map(\.name) == ["T2", "T3"])
    }

    @Test func aListThatCannotFollowSaysWhy() throws {
        let context = try LeagueModel.container(at: ":memory:").newContext()
        for (name, city) in [("1", "A"), ("2", "B")] { Team(context: context, name: name).city = city }
        let controller = FetchedResultsController(
            fetchRequest: Team.fetchRequest().sorted(by: \.name),
            managedObjectContext: context,
            sectionNameKeyPath: "city"
        )
        let table = Table()
        controller.delegate = table
        try controller.performFetch()
        Team(context: context, name: "3").city = "A"
        context.processPendingChanges()
        #expect(controller.changeError is FetchError)
        #expect(table.willCount == 0)
        #expect(controller.fetchedObjects?.map(\.name) == ["1", "2"])
        // What comes next is no reason to show a list without what came before.
        Team(context: context, name: "4").city = "B"
        context.processPendingChanges()
        #expect(table.willCount == 0 && controller.changeError is FetchError)
        #expect(controller.fetchedObjects?.map(\.name) == ["1", "2"])
    }

    @Test func sectionsThatDoNotGroupAreAnError() throws {
        let context = try LeagueModel.container(at: ":memory:").newContext()
        for (name, city) in [("1", "A"), ("2", "B"), ("3", "A")] { Team(context: context, name: name).city = city }
        let controller = FetchedResultsController(
            fetchRequest: Team.fetchRequest().sorted(by: \.name),
            managedObjectContext: context,
            sectionNameKeyPath: "city"
        )
        let error = #expect(throws: FetchError.self) { try controller.performFetch() }
        #expect(error?.description.contains("'city'") == true)
    }
}
