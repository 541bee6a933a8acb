import CMallocStatistics
import Chordata
import Foundation

#if canImport(Glibc)
    import Glibc
#endif

/// A short form of a program that never ends: each round does a little of everything.
@MainActor
final class Endurance {
    private let container: PersistentContainer
    private let view: ManagedObjectContext
    private let writer: ManagedObjectContext
    private let reader: ManagedObjectContext
    private let child: ManagedObjectContext
    private let list: FetchedResultsController<Note>
    private let observer = Observer()
    private let undoManager = ContextUndoManager()
    private var notes: [Note] = []
    private var written: [Note] = []
    private var tokens: [any NSObjectProtocol] = []

    init(path: String) throws {
        container = try NotesModel.container(at: path)
        view = container.viewContext
        (writer, reader) = (container.newContext(), container.newContext())
        child = ManagedObjectContext(isolation: MainActor.shared)
        child.parent = view
        child.automaticallyMergesChangesFromParent = true
        let folder = Folder(context: writer, name: "all")
        for place in 0..<50 {
            let note = Note(context: writer, text: "", place: Int64(place))
            note.folder = folder
            written.append(note)
        }
        try writer.save()
        undoManager.levelsOfUndo = 10
        view.undoManager = undoManager
        (view.mergePolicy, writer.mergePolicy) = (.mergeByPropertyObjectTrump, .mergeByPropertyObjectTrump)
        let request = try Note.fetchRequest().where(format: "ANY links.place >= 0 OR place >= 0").sorted(by: \.place)
        list = FetchedResultsController(fetchRequest: request, managedObjectContext: view)
        list.delegate = observer
        try list.performFetch()
        notes = list.fetchedObjects ?? []
        tokens = [
            NotificationCenter.default.addObserver(
                forName: ManagedObjectContext.didSaveObjectsNotification,
                object: writer,
                queue: nil
            ) { notification in
                nonisolated(unsafe) let notification = notification
                MainActor.assumeIsolated {
                    self.reader.mergeChanges(fromContextDidSave: notification)
                }
            }
        ]
    }

    func run(rounds: Int) throws -> [Block] {
        let size = min(1_000, rounds / 4)
        // The first rounds fill caches, and the log of the store.
        for round in 0..<size { try play(round) }
        let first = try measure(size..<2 * size)
        for round in 2 * size..<rounds - size { try play(round) }
        let last = try measure(rounds - size..<rounds)
        for token in tokens { NotificationCenter.default.removeObserver(token) }
        guard observer.count > rounds / 4 else { throw Unexpected("\(observer.count) changes of the list") }
        return [first, last]
    }

    private func measure(_ rounds: Range<Int>) throws -> Block {
        var times: [Double] = []
        times.reserveCapacity(rounds.count)
        for round in rounds {
            let start = threadSeconds()
            try play(round)
            times.append(threadSeconds() - start)
        }
        times.sort()
        release_free_memory()
        return Block(
            rounds: rounds.lowerBound...rounds.upperBound - 1,
            time: times[times.count / 2],
            liveBytes: live_bytes(),
            stackBytes: stackBytes()
        )
    }

    private func play(_ round: Int) throws {
        // A save of another context, which the view context and its list merge, and which the reader merges by
        // notification.
        let note = written[round % written.count]
        note.text = "round \(round % 100)"
        if round % 5 == 0 { note.folder = note.folder == nil ? written[(round + 1) % written.count].folder : nil }
        try writer.save()
        view.processPendingChanges()
        // An event with undo, and a move in the list.
        let mine = notes[(round * 7) % notes.count]
        mine.place = Int64(round % 60)
        mine.addToLinks(notes[(round * 7 + 1) % notes.count])
        view.processPendingChanges()
        if round % 3 == 0 { view.undo() }
        if round % 9 == 0 { view.redo() }
        if round % 4 == 0 { try view.save() }
        if round % 6 == 1 { mine.removeFromLinks(mine.links) }
        // Reads.
        guard try view.count(for: Note.fetchRequest()) == written.count else { throw Unexpected("the count of notes") }
        _ = try reader.fetch(Note.fetchRequest().where(\.place == Int64(round % 60)))
        if round % 10 == 0 {
            let copy = try child.existingObject(with: ObjectID(mine))
            copy.text = "child \(round % 100)"
            try child.save()
        }
        if round % 25 == 0 { view.rollback() }
        if round % 100 == 0 {
            reader.refreshAllObjects()
            // An object that exists only for a while.
            let guest = Note(context: writer, text: "guest", place: 1_000)
            try writer.save()
            writer.delete(guest)
            try writer.save()
            view.processPendingChanges()
        }
    }
}

/// The error for a result that a round must not have.
struct Unexpected: Error {
    let what: String
    init(_ what: String) { self.what = what }
}

/// Follows the list.
@MainActor
final class Observer: FetchedResultsControllerDelegate {
    private(set) var count = 0

    nonisolated func controllerDidChangeContent(_ controller: FetchedResultsController<Note>) {
        MainActor.assumeIsolated { count += 1 }
    }
}

/// The size of the main thread's stack, which grows with the deepest call and never shrinks.
private func stackBytes() -> Int {
    guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return 0 }
    for line in status.split(separator: "\n") where line.hasPrefix("VmStk:") {
        return line.split(separator: " ").compactMap { Int($0) }.first.map { $0 * 1_024 } ?? 0
    }
    return 0
}

private func threadSeconds() -> Double {
    var time = timespec()
    guard clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0 else { fatalError("this thread has no clock") }
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000
}
