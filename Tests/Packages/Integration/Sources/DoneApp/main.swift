import Checks
import Chordata
import DoneFirst
import Foundation

// The complete cycle: a store of the first version is built, migrated to the second version and edited, and its live
// list is printed, as it results from the calls of the delegate.

/// Shows the list after every event, as a table view would, using only the calls of the delegate.
final class Screen: FetchedResultsControllerDelegate {
    var lines: [[String]] = []
    private var removed: [IndexPath] = []
    private var added: [(IndexPath, String)] = []
    private var events: [String] = []

    func controllerWillChangeContent(_ controller: FetchedResultsController<TodoItem>) {
        (removed, added, events) = ([], [], [])
    }

    func controller(
        _ controller: FetchedResultsController<TodoItem>,
        didChange sectionInfo: FetchedResultsSectionInfo<TodoItem>,
        atSectionIndex sectionIndex: Int,
        for type: FetchedResultsChangeType
    ) {
        sections.append((type, sectionIndex))
    }

    private var sections: [(FetchedResultsChangeType, Int)] = []

    func controller(
        _ controller: FetchedResultsController<TodoItem>,
        didChange object: TodoItem,
        at indexPath: IndexPath?,
        for type: FetchedResultsChangeType,
        newIndexPath: IndexPath?
    ) {
        if let indexPath { removed.append(indexPath) }
        if let newIndexPath { added.append((newIndexPath, line(object))) }
        events.append("\(type)")
    }

    func controllerDidChangeContent(_ controller: FetchedResultsController<TodoItem>) {
        // Old index paths refer to the list before the event, and new ones to the list after it.
        for path in removed.sorted().reversed() { lines[path.section].remove(at: path.row) }
        for (type, index) in sections.reversed() where type == .delete { lines.remove(at: index) }
        for (type, index) in sections where type == .insert { lines.insert([], at: index) }
        sections = []
        for (path, text) in added.sorted(by: { $0.0 < $1.0 }) { lines[path.section].insert(text, at: path.row) }
        checkEqual(lines, controller.sections?.map { $0.objects.map(line) } ?? [])
        show(events.joined(separator: ", "))
    }

    func line(_ object: ManagedObject) -> String {
        guard let item = object as? TodoItem else { return "?" }
        return "[\(item.done ? "x" : " ")] \(item.name)"
    }

    func show(_ title: String) {
        print("  \(title)")
        for section in lines { for line in section { print("    \(line)") } }
    }
}

@MainActor
func run(in folder: URL) async throws {
    let path = folder.appending(path: "done.sqlite").path

    print("1. A store of version 'Done', as an old release left it")
    try buildFirstVersion(at: path)

    print("2. Opened with 'Done 2': migrated")
    let container = try DoneModel.container(at: path)
    let context = container.viewContext
    let items = try context.fetch(TodoItem.fetchRequest().sorted(by: \.createdAt))
    checkEqual(items.map(\.name), ["Buy milk", "Call home"])
    checkEqual(items.map(\.details), ["two litres", nil])
    checkEqual(items.map(\.priority), [0, 0])
    checkEqual(items.map(\.list), [nil, nil])
    for item in items { print("    \(item.name): \(item.details ?? "no details")") }

    print("3. The live list")
    let screen = Screen()
    let controller = FetchedResultsController(
        fetchRequest: TodoItem.fetchRequest().sorted(by: \.done).sorted(by: \.name),
        managedObjectContext: context,
        sectionNameKeyPath: nil,
        cacheName: "items"
    )
    controller.delegate = screen
    try controller.performFetch()
    screen.lines = controller.sections?.map { $0.objects.map(screen.line) } ?? []
    screen.show("at first")

    let home = TodoList(context: context, title: "Home")
    let bread = TodoItem(context: context, name: "Bake bread", createdAt: Date(timeIntervalSinceReferenceDate: 300))
    bread.list = home
    checkEqual(home.items, [bread])
    checkEqual(bread.done, false)
    try await context.save()
    items[0].done = true
    try await context.save()

    // Another context saves; the list is notified.
    let milk = items[0].objectID
    try await container.performBackgroundTask { context in
        let found = try context.fetch(TodoItem.fetchRequest().where(format: "SELF == %@", milk))
        found.first?.name = "Buy oat milk"
        _ = TodoItem(context: context, name: "Write letter", createdAt: Date(timeIntervalSinceReferenceDate: 400))
        try context.save()
    }
    context.processPendingChanges()
    checkEqual(items[0].name, "Buy oat milk")

    context.delete(items[1])
    items[0].name = "Buy soy milk"
    context.rollback()
    checkEqual(items[0].name, "Buy oat milk")
    context.delete(items[1])
    try await context.save()
    checkEqual(controller.fetchedObjects?.map(\.name), ["Bake bread", "Write letter", "Buy oat milk"])

    print("4. A fetch request of the model")
    let since = Date(timeIntervalSinceReferenceDate: 350)
    let open = try context.fetch(TodoItem.openItems(since: since))
    checkEqual(open.map(\.name), ["Write letter"])
    for item in open { print("    open: \(item.name)") }

    context.delete(home)
    try await context.save()
    checkEqual(try context.count(for: TodoItem.fetchRequest()), 2)
    print("Done: \(try context.count(for: TodoItem.fetchRequest())) items")
}

try await withTemporaryFolder { folder in try await run(in: folder) }
