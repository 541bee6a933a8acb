import Chordata
import Foundation

// A to-do list: `Done [STORE]` reads commands from standard input and draws the list again after each event.

let path = CommandLine.arguments.dropFirst().first ?? "todo.sqlite"
let container = try TodoModel.container(at: path)
let context = container.viewContext

/// Draws the list when the results controller reports changes.
@MainActor final class Screen: @MainActor FetchedResultsControllerDelegate {
    func controllerDidChangeContent(_ controller: FetchedResultsController<Item>) { draw(controller) }

    func draw(_ controller: FetchedResultsController<Item>) {
        var number = 0
        for section in controller.sections ?? [] {
            print(section.name == "1" ? "Done" : "To do")
            for item in section.objects {
                number += 1
                print("  \(number). \(item.title)" + (item.priority > 1 ? " (urgent)" : ""))
            }
        }
        print(number == 0 ? "Nothing to do." : "--")
    }
}

let controller = FetchedResultsController(
    fetchRequest: Item.fetchRequest().sorted(by: \.done).sorted(by: \.priority, .descending).sorted(by: \.createdAt),
    managedObjectContext: context,
    sectionedBy: \.done
)
let screen = Screen()
controller.delegate = screen
try controller.performFetch()
screen.draw(controller)

/// Runs a command; the results controller reports what it changed.
/// - Returns: `false` for a command that does not exist, or for a number that is not in the list.
@MainActor func run(_ line: String) throws -> Bool {
    let words = line.split(separator: " ", maxSplits: 1).map(String.init)
    guard words.count == 2 else { return false }
    if words[0] == "add" {
        _ = Item(context: context, title: words[1], createdAt: .now)
    } else {
        let items = controller.fetchedObjects ?? []
        guard let number = Int(words[1]), items.indices.contains(number - 1) else { return false }
        let item = items[number - 1]
        switch words[0] {
        case "done": item.done.toggle()
        case "urgent": item.priority = 2
        case "delete": context.delete(item)
        default: return false
        }
    }
    try context.save()
    return true
}

while let line = readLine(), line != "quit" {
    if try !run(line) { print("commands: add TITLE, done NUMBER, urgent NUMBER, delete NUMBER, quit") }
}
