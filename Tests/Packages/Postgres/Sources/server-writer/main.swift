import Chordata
import ChordataModel
import ChordataPostgres
import Foundation
import Synchronization

// usage: server-writer CONNECTION-STRING WRITERS SECONDS
//        server-writer CONNECTION-STRING check FILE
//
// Saves objects with unique names on several threads, while the server is killed or replaced. The name of each object
// whose save has returned is printed. If a save fails because of the connection, its object is saved again, unless it
// is stored already.
//
// 'check' compares the objects of the store with the names that were printed to a file: each must be stored once, and
// no other object may be stored twice.

let schema = "writers"
let processID = ProcessInfo.processInfo.processIdentifier

func openContainer(_ string: String) throws -> PersistentContainer {
    let model = try ManagedObjectModel(entities: [
        EntityDescription(
            name: "Entry",
            attributes: [AttributeDescription(name: "name", attributeType: .string)]
        )
    ])
    return try PersistentContainer(
        model: ModelDefinition(name: "Entries", versionName: "Entries", model: model),
        postgres: PostgresConfiguration(string, schema: schema)
    )
}

/// The error that is thrown for a command line that is not valid.
struct UsageError: Error {}

/// The counts of a run.
struct Counts {
    var saved = 0
    var repeated = 0
    var longest = Duration.zero
    var unexpected: [String] = []
}

func save(_ name: String, _ container: PersistentContainer, isRepeated: Bool) throws {
    let context = container.newContext()
    if isRepeated {
        let request = try FetchRequest<ManagedObject>(entityName: "Entry").where(format: "name == %@", name)
        if try context.count(for: request) > 0 { return }
    }
    EntityDescription.insertNewObject(forEntityName: "Entry", into: context).setValue(name, forKey: "name")
    try context.save()
}

func run(_ container: PersistentContainer, writers: Int, seconds: Double) -> Bool {
    let counts = Mutex(Counts())
    let end = ContinuousClock.now + .seconds(seconds)
    let group = DispatchGroup()
    for writer in 0..<writers {
        let thread = Thread {
            defer { group.leave() }
            var number = 0
            while ContinuousClock.now < end {
                number += 1
                let name = "\(processID)-\(writer)-\(number)"
                let start = ContinuousClock.now
                var isRepeated = false
                while true {
                    do {
                        try save(name, container, isRepeated: isRepeated)
                        break
                    } catch let error as StoreError
                        where [.connectionLost, .outcomeUnknown, .cannotOpen, .timedOut, .busy].contains(error.code)
                    {
                        isRepeated = true
                        counts.withLock { $0.repeated += 1 }
                        Thread.sleep(forTimeInterval: 0.05)
                    } catch {
                        counts.withLock { $0.unexpected.append("\(name): \(error)") }
                        return
                    }
                }
                // One call, so that the lines of threads are not mixed.
                FileHandle.standardOutput.write(Data("\(name)\n".utf8))
                counts.withLock { counts in
                    counts.saved += 1
                    counts.longest = max(counts.longest, .now - start)
                }
            }
        }
        group.enter()
        thread.start()
    }
    group.wait()
    let result = counts.withLock { $0 }
    let lines =
        result.unexpected + [
            "\(result.saved) saves, \(result.repeated) operations repeated, longest wait \(result.longest)"
        ]
    FileHandle.standardError.write(Data((lines.joined(separator: "\n") + "\n").utf8))
    return result.unexpected.isEmpty && result.saved > 0
}

func check(_ container: PersistentContainer, _ file: String) throws -> Bool {
    let printed = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").map(String.init)
    let context = container.newContext()
    let stored = try context.fetch(FetchRequest<ManagedObject>(entityName: "Entry")).compactMap {
        $0.value(forKey: "name") as? String
    }
    let lost = Set(printed).subtracting(stored)
    let duplicateCount = stored.count - Set(stored).count
    print("\(printed.count) acknowledged, \(stored.count) stored, \(lost.count) lost, \(duplicateCount) duplicated")
    return lost.isEmpty && duplicateCount == 0 && !printed.isEmpty
}

let arguments = CommandLine.arguments
do {
    guard arguments.count == 4 else { throw UsageError() }
    let container = try openContainer(arguments[1])
    let isRight =
        if arguments[2] == "check" {
            try check(container, arguments[3])
        } else if let writers = Int(arguments[2]), let seconds = Double(arguments[3]) {
            run(container, writers: writers, seconds: seconds)
        } else {
            throw UsageError()
        }
    exit(isRight ? 0 : 1)
} catch is UsageError {
    FileHandle.standardError.write(Data("usage: server-writer STRING WRITERS SECONDS | STRING check FILE\n".utf8))
    exit(64)
} catch {
    FileHandle.standardError.write(Data("\(error)\n".utf8))
    exit(2)
}
