import CoreData
import Foundation

let directory = FileManager.default.temporaryDirectory
    .appending(path: "Habits-\(ProcessInfo.processInfo.processIdentifier)", directoryHint: .isDirectory)
try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)

let store = try HabitStore(directory: directory)
let viewContext = store.container.viewContext

print("== Start")
let read = Habit.add("Read", goal: 5, order: 0, days: [1, 2, 3], to: viewContext)
let run = Habit.add("Run", goal: 3, order: 1, days: [2, 5], to: viewContext)
try viewContext.save()
let list = try HabitList(context: viewContext)
list.draw()

print("== Cancel")
var editor = try HabitEditor(read.objectID, parent: viewContext)
editor.habit.name = "Read a book"
print("editor: \(editor.hasChanges), screens: \(viewContext.hasChanges), name: \(read.name ?? "")")
print("other object: \(editor.habit !== read), same ID: \(editor.habit.objectID == read.objectID)")
editor.cancel()
print("editor: \(editor.hasChanges), name: \(editor.habit.name ?? "")")
list.printChanges()

print("== Done")
editor.habit.name = "Read a chapter"
editor.habit.goalPerWeek = 4
print("errors: \(editor.done())")
print("editor: \(editor.hasChanges), screens: \(viewContext.hasChanges), name: \(read.name ?? "")")
list.printChanges()
print("stored: \(try await store.storedHabits())")
try viewContext.save()
print("screens: \(viewContext.hasChanges), stored: \(try await store.storedHabits())")
list.draw()

print("== A new habit")
editor = try HabitEditor(nil, parent: viewContext)
editor.habit.goalPerWeek = 9
print("errors: \(editor.done()), screens: \(viewContext.hasChanges)")
print("missing is \(NSValidationMissingMandatoryPropertyError), too large is \(NSValidationNumberTooLargeError)")
editor.habit.name = "Stretch"
editor.habit.goalPerWeek = 2
print("errors: \(editor.done()), screens: \(viewContext.hasChanges), inserted: \(viewContext.insertedObjects.count)")
list.printChanges()
print("temporary: \(list.habits[2].objectID.isTemporaryID)")
try viewContext.save()
print("temporary: \(list.habits[2].objectID.isTemporaryID)")
list.draw()

print("== Entries")
editor = try HabitEditor(read.objectID, parent: viewContext)
try editor.addEntry(day: 6, note: "not confirmed", confirmed: false)
print("editor: \(editor.hasChanges), entries: \(editor.habit.entries?.count ?? 0)")
try editor.addEntry(day: 4, note: "on the train", confirmed: true)
print("editor: \(editor.hasChanges), entries: \(editor.habit.entries?.count ?? 0)")
print("screens: \(viewContext.hasChanges), entries: \(read.entries?.count ?? 0)")
print("errors: \(editor.done()), entries: \(read.entries?.count ?? 0)")
print("stored: \(try await store.storedHabits())")
try viewContext.save()
print("stored: \(try await store.storedHabits())")
list.draw()

print("== Changes of the parent")
run.name = "Run far"
editor = try HabitEditor(run.objectID, parent: viewContext)
print("editor: \(editor.habit.name ?? ""), changes: \(editor.hasChanges)")
viewContext.rollback()
print("screens: \(run.name ?? ""), editor: \(editor.habit.name ?? "")")
editor.context.refresh(editor.habit, mergeChanges: false)
print("editor: \(editor.habit.name ?? "")")

print("== Delete")
list.draw()
print("errors: \(editor.delete()), deleted: \(run.isDeleted)")
print("pending deletions: \(viewContext.deletedObjects.count)")
list.printChanges()
print("stored: \(try await store.storedHabits().count)")
try viewContext.save()
print("stored: \(try await store.storedHabits().count)")
print("context is nil: \(run.managedObjectContext == nil)")
print("entries: \(try viewContext.count(for: NSFetchRequest<Entry>(entityName: "Entry")))")

print("== Suggestions from the background")
print("habits: \(try await store.suggest(["Sleep", "Draw"], firstOrder: 5))")
viewContext.processPendingChanges()
list.printChanges()
print("screens: \(viewContext.hasChanges), stored: \(try await store.storedHabits().count)")
viewContext.rollback()
viewContext.processPendingChanges()
list.draw()

print("== A conflict")
read.name = "Read daily"
read.goalPerWeek = 6
try await store.rename(read.objectID, to: "Read slowly")
do {
    try viewContext.save()
    print("saved")
} catch let error as CocoaError {
    print("conflict: \(error.code == .managedObjectMerge), code \(error.errorCode)")
}
print("name: \(read.name ?? ""), goal: \(read.goalPerWeek)")
viewContext.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
try viewContext.save()
print("name: \(read.name ?? ""), goal: \(read.goalPerWeek)")
print("stored: \(try await store.storedHabits())")

print("== Nested calls")
let total = try viewContext.performAndWait {
    try viewContext.performAndWait {
        try viewContext.count(for: NSFetchRequest<Habit>(entityName: "Habit"))
    }
}
print("habits: \(total), batches: \(list.numberOfBatches > 0)")

try FileManager.default.removeItem(at: directory)
