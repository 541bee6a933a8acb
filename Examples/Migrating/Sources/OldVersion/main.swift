import Chordata
import Foundation

// Writes three people to a store of the first version of the model.

func printError(_ message: String) { FileHandle.standardError.write(Data("\(message)\n".utf8)) }

guard CommandLine.arguments.count == 2 else {
    printError("usage: OldVersion STORE")
    exit(64)
}

do {
    let container = try ContactsModel.container(at: CommandLine.arguments[1])
    let context = container.viewContext
    Person(context: context, fullName: "Ada Lovelace").phone = "+44 20 7946 0018"
    Person(context: context, fullName: "Grace Brewster Hopper").phone = "+1 202 555 0143"
    _ = Person(context: context, fullName: "Hypatia")
    try context.save()
    print("Saved 3 people.")
} catch {
    printError("error: \(error)")
    exit(1)
}
