import CoreData
import Foundation

let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("TodoList-\(ProcessInfo.processInfo.processIdentifier)", isDirectory: true)
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
let storeURL = folder.appendingPathComponent("TodoList.sqlite")

let stack = CoreDataStack(storeURL: storeURL)
let context = stack.viewContext

// MARK: First launch

print("== Seed")
let home = TaskList(context: context)
home.name = "Home"
let work = TaskList(context: context)
work.name = "Work"
work.position = 1

let calendar = Calendar.app
let plants = TodoItem.make("Water the plants", priority: 1, due: calendar.day(3, of: 5), in: home, context: context)
_ = TodoItem.make("Buy bread", priority: 2, due: calendar.day(1, of: 5), in: home, context: context)
_ = TodoItem.make("Call grandma", priority: 0, in: home, context: context)
_ = TodoItem.make("Send invoice", priority: 3, due: calendar.day(2, of: 5), in: work, context: context)
_ = TodoItem.make("Plan sprint", priority: 1, in: work, context: context)

print("inserted: \(context.insertedObjects.count), temporary: \(plants.objectID.isTemporaryID)")
print("home has \(home.items?.count ?? 0) items, changes: \(context.hasChanges)")
stack.saveContext()
print("inserted: \(context.insertedObjects.count), temporary: \(plants.objectID.isTemporaryID)")
print("default of isDone: \(plants.isDone), changes: \(context.hasChanges)")

print("== Table")
let controller = TodoListController(context: context)
controller.viewDidLoad()

print("== Buy bread is done")
controller.toggle("Buy bread")
stack.saveContext()

print("== Notes for the sprint")
controller.item(titled: "Plan sprint").notes = "with Ada"
stack.saveContext()

print("== Call grandma moves to Work")
controller.item(titled: "Call grandma").list = work
stack.saveContext()
print("home \(home.items?.count ?? 0), work \(work.items?.count ?? 0)")

print("== The list Home is deleted with its items")
context.delete(home)
context.processPendingChanges()
print("pending deletions: \(context.deletedObjects.count), plants deleted: \(plants.isDeleted)")
stack.saveContext()

print("== An item that is not valid")
let scratch = stack.persistentContainer.newBackgroundContext()
scratch.performAndWait {
    let item = TodoItem(context: scratch)
    item.priority = 9
    do {
        try scratch.save()
        print("saved")
    } catch let error as NSError {
        print("domain is Cocoa: \(error.domain == NSCocoaErrorDomain)")
        print("several errors: \(error.code == NSValidationMultipleErrorsError)")
        let details = error.userInfo[NSDetailedErrorsKey] as? [NSError] ?? []
        for detail in details.sorted(by: { $0.code < $1.code }) {
            let key = detail.userInfo[NSValidationKeyErrorKey] as? String ?? "?"
            print("\(detail.code) \(key)")
        }
    }
    print("still inserted: \(item.isInserted)")
    scratch.rollback()
    print("changes after rollback: \(scratch.hasChanges)")
}

print("== Clear completed")
controller.toggle("Plan sprint")
stack.saveContext()
do {
    let count = try stack.clearCompleted()
    print("cleared \(count)")
} catch {
    print("cannot clear: \(error)")
}

print("== Counts")
let dueRequest: NSFetchRequest<TodoItem> = TodoItem.fetchRequest()
dueRequest.predicate = NSPredicate(
    format: "dueDate < %@ AND isDone == %@",
    calendar.day(3, of: 5) as NSDate,
    NSNumber(value: false)
)
print("due before 5/3: \(try context.count(for: dueRequest))")
let openRequest: NSFetchRequest<TodoItem> = TodoItem.fetchRequest()
openRequest.predicate = NSPredicate(format: "dueDate == nil")
print("without a date: \(try context.count(for: openRequest))")

// MARK: Second launch

print("== Second launch")
let secondStack = CoreDataStack(storeURL: storeURL)
let listRequest: NSFetchRequest<TaskList> = TaskList.fetchRequest()
listRequest.sortDescriptors = [NSSortDescriptor(key: "position", ascending: true)]
for list in try secondStack.viewContext.fetch(listRequest) {
    let items = (list.items?.allObjects as? [TodoItem] ?? []).sorted { ($0.title ?? "") < ($1.title ?? "") }
    print("\(list.name ?? ""): \(items.map { $0.title ?? "" }.joined(separator: ", "))")
}

try? FileManager.default.removeItem(at: folder)
