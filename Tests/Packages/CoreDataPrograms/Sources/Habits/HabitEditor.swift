import CoreData
import Foundation

/// A form whose changes reach the context of the screens only when the user taps Done.
@MainActor
final class HabitEditor {
    let context: NSManagedObjectContext
    let habit: Habit

    /// Edits an existing habit, or a new one if there is no object ID.
    init(_ objectID: NSManagedObjectID?, parent: NSManagedObjectContext) throws {
        let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        context.parent = parent
        context.name = "editor"
        if let objectID {
            guard let habit = try context.existingObject(with: objectID) as? Habit else {
                throw CocoaError(.validationMissingMandatoryProperty)
            }
            self.habit = habit
        } else {
            let habit = Habit(context: context)
            habit.sortOrder = Int16(try context.count(for: NSFetchRequest<Habit>(entityName: "Habit"))) - 1
            self.habit = habit
        }
        self.context = context
    }

    var hasChanges: Bool { context.hasChanges }

    /// Saves the changes to the parent, and returns the codes of the errors.
    func done() -> [Int] {
        do {
            try context.save()
            context.parent?.processPendingChanges()
            return []
        } catch {
            let error = error as NSError
            guard error.code == NSValidationMultipleErrorsError else { return [error.code] }
            let details = error.userInfo[NSDetailedErrorsKey] as? [NSError] ?? []
            return details.map(\.code).sorted()
        }
    }

    func cancel() {
        context.rollback()
    }

    func delete() -> [Int] {
        context.delete(habit)
        return done()
    }

    /// Adds an entry through a context of its own, below the one of the form.
    func addEntry(day: Int, note: String, confirmed: Bool) throws {
        let entryContext = NSManagedObjectContext(.mainQueue)
        entryContext.parent = context
        let entry = Entry(context: entryContext)
        entry.day = Date.day(day)
        entry.note = note
        entry.habit = entryContext.object(with: habit.objectID) as? Habit
        if confirmed { try entryContext.save() }
    }
}
