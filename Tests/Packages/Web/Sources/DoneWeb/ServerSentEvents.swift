import Chordata
import DoneList
import FlyingFox
import FlyingSocks
import Foundation

/// The whole list, followed by every change of the list, for one browser.
struct ServerSentEvents: AsyncBufferedSequence {
    typealias Element = UInt8

    private let list: DoneList
    private let first: ListMessage
    private let changes: AsyncStream<FetchedResultsChanges>

    /// Reads the current list, and observes its changes from now on; on the main actor, no change can be between the
    /// two.
    @MainActor
    init(of list: DoneList) {
        self.list = list
        first = ListMessage(list.snapshot, of: list)
        changes = list.changes
    }

    func makeAsyncIterator() -> Iterator { Iterator(list: list, first: first, changes: changes.makeAsyncIterator()) }

    struct Iterator: AsyncBufferedIteratorProtocol {
        let list: DoneList
        var first: ListMessage?
        var changes: AsyncStream<FetchedResultsChanges>.AsyncIterator
        private var rest: ArraySlice<UInt8> = []

        init(list: DoneList, first: ListMessage, changes: AsyncStream<FetchedResultsChanges>.AsyncIterator) {
            (self.list, self.first, self.changes) = (list, first, changes)
        }

        mutating func next() async throws -> UInt8? {
            if rest.isEmpty { rest = try await nextBuffer(suggested: 1)?[...] ?? [] }
            return rest.popFirst()
        }

        /// Returns one event, whatever its length.
        mutating func nextBuffer(suggested count: Int) async throws -> [UInt8]? {
            let data: Data
            if let first {
                data = try JSONEncoder().encode(first)
                self.first = nil
            } else if let change = await changes.next() {
                data = try JSONEncoder().encode(await ChangeMessage(change, of: list))
            } else {
                return nil
            }
            return Array("data: ".utf8) + data + Array("\n\n".utf8)
        }
    }
}
