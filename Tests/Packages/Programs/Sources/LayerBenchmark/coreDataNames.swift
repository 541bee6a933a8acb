import Contest
import CoreData
import Foundation

// The same work with Core Data's names.

private struct Stack {
    let container: NSPersistentContainer
    let context: NSManagedObjectContext

    init(_ path: String) throws {
        container = NSPersistentContainer(name: "Layer")
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: URL(fileURLWithPath: path))]
        var failure: Error?
        container.loadPersistentStores { failure = $1 }
        if let failure { throw failure }
        context = container.viewContext
    }
}

private final class Follower: NSObject, NSFetchedResultsControllerDelegate {
    var count = 0

    func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>,
        didChange anObject: Any,
        at indexPath: IndexPath?,
        for type: NSFetchedResultsChangeType,
        newIndexPath: IndexPath?
    ) {
        count += 1
    }
}

private func players() -> NSFetchRequest<Player> { NSFetchRequest<Player>(entityName: "Player") }

let coreDataWay = Way(
    name: "CoreData",
    insert: { path, count in
        let stack = try Stack(path)
        let context = stack.context
        return {
            var team: Team?
            for number in 0..<count {
                if number % 100 == 0 {
                    team = Team(context: context)
                    team?.name = "Team \(number / 100)"
                    team?.city = "City"
                }
                let player = Player(context: context)
                player.name = "Player \(number)"
                player.age = Int64(18 + number % 20)
                player.salary = Double(number)
                player.joined = Date(timeIntervalSinceReferenceDate: Double(number))
                player.active = number % 4 != 0
                player.uuid = UUID()
                player.score = Int64(number % 1_000)
                player.team = team
            }
            try context.save()
            return { try withExtendedLifetime(stack) { try context.count(for: players()) } }
        }
    },
    fetch: { path in
        let stack = try Stack(path)
        return {
            let players = try stack.context.fetch(players())
            var sum = 0
            for player in players { sum &+= Int(player.score) &+ player.name.utf8.count }
            return { withExtendedLifetime((players, stack)) { sum } }
        }
    },
    lookUp: { path in
        let stack = try Stack(path)
        let request = NSFetchRequest<NSManagedObjectID>(entityName: "Player")
        request.resultType = .managedObjectIDResultType
        let ids = try stack.context.fetch(request)
        return {
            var sum = 0
            for id in ids {
                guard let player = try stack.context.existingObject(with: id) as? Player else { continue }
                sum &+= Int(player.score)
            }
            return { withExtendedLifetime(stack) { sum } }
        }
    },
    change: { path in
        let stack = try Stack(path)
        let players = try stack.context.fetch(players())
        return {
            for player in players { player.score += 1 }
            try stack.context.save()
            return { withExtendedLifetime(stack) { players.reduce(0) { $0 &+ Int($1.score) } } }
        }
    },
    delete: { path in
        let stack = try Stack(path)
        let fetched = try stack.context.fetch(players())
        return {
            for player in fetched { stack.context.delete(player) }
            try stack.context.save()
            return { try withExtendedLifetime(fetched) { try stack.context.count(for: players()) } }
        }
    },
    traverse: { path in
        let stack = try Stack(path)
        return {
            let request = players()
            request.relationshipKeyPathsForPrefetching = ["team"]
            let players = try stack.context.fetch(request)
            var sum = 0
            for player in players { sum &+= player.team?.name.utf8.count ?? 0 }
            return { withExtendedLifetime((players, stack)) { sum } }
        }
    },
    filter: { path in
        let stack = try Stack(path)
        return {
            var sum = 0
            for number in 0..<1_000 {
                let request = players()
                request.predicate = NSPredicate(format: "score == %ld AND age > %ld", number, 30)
                sum += try stack.context.count(for: request)
            }
            return { withExtendedLifetime(stack) { sum } }
        }
    },
    follow: { path in
        let stack = try Stack(path)
        let request = players()
        request.predicate = NSPredicate(format: "score < 100")
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        let controller = NSFetchedResultsController(
            fetchRequest: request,
            managedObjectContext: stack.context,
            sectionNameKeyPath: nil,
            cacheName: nil
        )
        let follower = Follower()
        controller.delegate = follower
        try controller.performFetch()
        let players = Array((controller.fetchedObjects ?? []).prefix(100))
        return {
            for player in players {
                player.name += "!"
                stack.context.processPendingChanges()
            }
            return { withExtendedLifetime((controller, stack)) { follower.count } }
        }
    },
    saveOne: { path in
        let stack = try Stack(path)
        let request = players()
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        request.fetchLimit = 1_000
        let players = try stack.context.fetch(request)
        return {
            for player in players {
                player.score += 1
                try stack.context.save()
            }
            return { withExtendedLifetime(stack) { players.reduce(0) { $0 &+ Int($1.score) } } }
        }
    },
    updateInBatch: { path in
        let stack = try Stack(path)
        return {
            let request = NSBatchUpdateRequest(entityName: "Player")
            request.predicate = NSPredicate(format: "active == YES")
            request.propertiesToUpdate = ["score": 7]
            request.resultType = .updatedObjectsCountResultType
            let result = try stack.context.execute(request) as? NSBatchUpdateResult
            let count = result?.result as? Int ?? -1
            return { withExtendedLifetime(stack) { count } }
        }
    }
)
