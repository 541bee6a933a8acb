import CoreData
import Foundation

final class HabitStore: Sendable {
    let container: NSPersistentContainer

    init(directory: URL) throws {
        let container = NSPersistentContainer(name: "Habits")
        let description = NSPersistentStoreDescription(url: directory.appending(path: "Habits.sqlite"))
        container.persistentStoreDescriptions = [description]
        container.loadPersistentStores { _, error in
            if let error { fatalError("Cannot load the store: \(error)") }
        }
        self.container = container
    }

    /// Returns the names of the habits in the store and the numbers of their entries.
    func storedHabits() async throws -> [String] {
        let context = container.newBackgroundContext()
        return try await context.perform {
            let request: NSFetchRequest<Habit> = Habit.fetchRequest()
            request.sortDescriptors = [NSSortDescriptor(keyPath: \Habit.sortOrder, ascending: true)]
            return try context.fetch(request).map { "\($0.name ?? "") \($0.entries?.count ?? 0)" }
        }
    }

    /// Renames a habit in the store, as another part of the app does.
    func rename(_ objectID: NSManagedObjectID, to name: String) async throws {
        let context = container.newBackgroundContext()
        try await context.perform {
            let habit = try context.existingObject(with: objectID) as? Habit
            habit?.name = name
            try context.save()
        }
    }

    /// Adds habits to the context of the screens from a queue in the background, without storing them.
    func suggest(_ names: [String], firstOrder: Int16) async throws -> Int {
        let child = NSManagedObjectContext(.privateQueue)
        child.parent = container.viewContext
        return try await child.perform {
            for (offset, name) in names.enumerated() {
                let habit = Habit(context: child)
                habit.name = name
                habit.sortOrder = firstOrder + Int16(offset)
            }
            try child.save()
            return try child.count(for: NSFetchRequest<Habit>(entityName: "Habit"))
        }
    }
}
