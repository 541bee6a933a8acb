import ChordataTestStores
import ChordataTestSupport
import Testing

@testable import Chordata

/// The code that all results controllers share, which determines when a list is updated, and when its updates stop.
struct ListFollowerTests {
    private struct Changes: ListChanges {
        var number = 0
        var isEmpty: Bool { number == 0 }
    }

    private struct UpdateError: Error {}

    /// A list without rows that records events.
    private final class List: FollowedList {
        /// For each event, a Boolean value that indicates whether earlier events were missed.
        var events: [Bool] = []
        var keys: [Int64] = []
        var fails = false
        var reported = 1
        let sectionCount = 0
        let snapshot = FetchedResultsSnapshot(sections: [])

        func rows(ofSection index: Int) -> OrderStatisticTree<ResultsRow> { OrderStatisticTree([]) }

        func follow(_ change: ContextChange, afterMissedEvents hasMissedEvents: Bool) throws -> Changes {
            events.append(hasMissedEvents)
            if fails { throw UpdateError() }
            return Changes(number: reported)
        }

        func changeKey(_ old: Int64, of object: ManagedObject) { keys.append(old) }
    }

    private final class Controller: ListController {
        var hasDelegate = true
        var numbers: [Int] = []
        func listDidChange(_ changes: Changes) { numbers.append(changes.number) }
    }

    private let context: ManagedObjectContext
    private let follower: ListFollower<List>
    private let controller = Controller()
    private let list = List()

    init() throws {
        context = try LeagueModel.definition.testContainer(at: ":memory:").newContext()
        follower = ListFollower(context)
        follower.controller = controller
    }

    private func change() {
        _ = Team(context: context, name: "T")
        context.processPendingChanges()
    }

    @Test func eachEventIsReportedOnceAfterTheFirstFetch() {
        change()
        follower.fetch { list }
        follower.fetch { list }
        change()
        #expect(list.events == [false] && controller.numbers == [1])
        list.reported = 0
        change()
        #expect(list.events == [false, false] && controller.numbers == [1], "an event without changes is not reported")
    }

    @Test func eventsWithoutObserversAreMissed() {
        controller.hasDelegate = false
        follower.fetch { list }
        change()
        #expect(list.events.isEmpty)
        controller.hasDelegate = true
        change()
        change()
        expectEqual(list.events, [true, false])
        controller.hasDelegate = false
        change()
        // A fetch includes all events.
        follower.fetch { list }
        let stream = follower.observers.makeStream()
        change()
        #expect(list.events == [true, false, false] && controller.numbers == [1, 1, 1])
        withExtendedLifetime(stream) {}
    }

    @Test func anErrorStopsTheUpdatesUntilTheNextFetch() {
        follower.fetch { list }
        list.fails = true
        change()
        list.fails = false
        change()
        #expect(list.events == [false] && controller.numbers.isEmpty && follower.changeError is UpdateError)
        #expect(throws: UpdateError.self) { try follower.fetch { throw UpdateError() } }
        #expect(follower.changeError is UpdateError && follower.list === list)
        follower.fetch { list }
        change()
        #expect(list.events == [false, false] && controller.numbers == [1] && follower.changeError == nil)
    }

    @Test func aResetStopsTheUpdatesUntilTheNextFetch() {
        follower.fetch { list }
        context.reset()
        change()
        #expect(list.events.isEmpty && follower.changeError == nil)
        follower.fetch { list }
        change()
        expectEqual(list.events, [false])
    }

    @Test func changedKeysAreReportedWithoutObservers() throws {
        controller.hasDelegate = false
        follower.fetch { list }
        let team = Team(context: context, name: "T")
        context.processPendingChanges()
        context.graph.changeKey(of: team, to: team.objectID.key + 1)
        #expect(list.keys == [team.objectID.key - 1] && list.events.isEmpty)
    }

    @Test func neitherTheContextNorTheFollowerRetainsTheController() throws {
        weak var released: Controller?
        weak var releasedFollower: ListFollower<List>?
        do {
            let follower = ListFollower<List>(context)
            let controller = Controller()
            follower.controller = controller
            follower.fetch { list }
            (released, releasedFollower) = (controller, follower)
        }
        change()
        #expect(released == nil && releasedFollower == nil && list.events.isEmpty)
    }
}
