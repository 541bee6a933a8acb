import Chordata
import Foundation

// Migrates a store to the current version of the model and prints its people. Standard error shows the progress.

func printError(_ message: String) { FileHandle.standardError.write(Data("\(message)\n".utf8)) }

guard CommandLine.arguments.count == 2 else {
    printError("usage: Migrating STORE")
    exit(64)
}
let path = CommandLine.arguments[1]
// All stages of the model are required, even to open a store that already has the current version.
let options = StoreOptions(migrationStages: [.splitNames])

do {
    // The container below would migrate the store, too. A manager also reports progress, and rejects a missing store.
    let manager = MigrationManager(model: ContactsModel.definition, path: path, options: options)
    let pending = try manager.pendingMigrations()
    let updates = manager.updates
    let reports = Task {
        for await progress in updates {
            let work = progress.phase.isEmpty ? "finished" : progress.phase
            printError("\(Int(progress.fractionCompleted * 100)) %: \(work)")
        }
    }
    try await manager.migrateStore()
    await reports.value
    if pending.isEmpty { print("The store has the current version.") }
    for step in pending {
        print("Migrated from '\(step.source)' to '\(step.destination)'\(step.hasStage ? ", with a stage" : "").")
    }

    let container = try ContactsModel.container(at: path, options: options)
    let context = container.viewContext
    let request = Person.fetchRequest().sorted(by: \.familyName).sorted(by: \.givenName)
    for person in try context.fetch(request) {
        let name = [person.familyName, person.givenName].filter { !$0.isEmpty }.joined(separator: ", ")
        let phone = person.phone ?? "no phone"
        let city = person.city?.name ?? "no city"
        let day = person.createdAt.formatted(.iso8601.year().month().day())
        print("\(name): \(phone), \(city), since \(day)")
    }
} catch {
    printError("error: \(error)")
    exit(1)
}
