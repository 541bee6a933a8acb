import Checks
import Chordata
import Foundation

// All samples in one target whose code is isolated to the main actor.

final class Screen {
    let container: PersistentContainer
    private(set) var titles: [String] = []

    init() throws { container = try DoneModel.container(at: ":memory:") }

    func add(_ name: String) throws {
        let item = TodoItem(context: container.viewContext, name: name, createdAt: .now)
        item.priority = 2
        try container.viewContext.save()
        titles = try container.viewContext.fetch(TodoItem.fetchRequest().sorted(by: \.name)).map(\.name)
    }
}

let screen = try Screen()
try screen.add("Buy milk")
let values = try await screen.container.performBackgroundTask { context in
    _ = TodoItem(context: context, name: "Call home", createdAt: Date())
    try context.save()
    return try context.fetchValues(TodoItem.fetchRequest().sorted(by: \.name)) as [TodoItem.Values]
}
checkEqual(values.map(\.name), ["Buy milk", "Call home"])
try screen.add("Sleep")
checkEqual(screen.titles, ["Buy milk", "Call home", "Sleep"])
print("Isolated: \(screen.titles.count) items")
