@_spi(Generated) import Chordata
import ChordataDiagnostics
import ChordataMigration
import ChordataModel
import Foundation

// migrating-program STORE --create COUNT | --migrate | --kinds | --together NAME OTHER ROUNDS SEED
//
// Creates a store of people whose names are in one attribute; migrates it to the version with two attributes, with one
// stage in batches and one for all objects at once; prints the kinds of steps in the SQL of the migration; or changes
// the people together with another process. Tests kill the program while it runs.

func person(_ attributes: [AttributeDescription]) throws -> ManagedObjectModel {
    try ManagedObjectModel(entities: [EntityDescription(name: "Person", attributes: attributes)])
}
let number = AttributeDescription(name: "number", attributeType: .integer64)
let source = try person([AttributeDescription(name: "name", attributeType: .string), number])
let destination = try person([
    AttributeDescription(name: "first", attributeType: .string),
    AttributeDescription(name: "last", attributeType: .string),
    AttributeDescription(name: "length", attributeType: .integer64), number,
])
let planned = planMigration(
    from: source,
    to: destination,
    sourceName: "1",
    destinationName: "2",
    isStage: true,
    locate: { _, _ in nil }
)
guard let plan = planned.plan else { fatalError("\(planned.diagnostics.map(\.message))") }

let stages: [MigrationStage] = [
    .batched(from: "1", to: "2", entityName: "Person", attributeNames: ["first", "last"], batchSize: 40) { person in
        let parts = (person.value(forKey: "name") as? String ?? "").split(separator: " ").map(String.init)
        return ["first": parts[0], "last": parts[1]]
    },
    .custom(
        from: "1",
        to: "2",
        didMigrate: { migration in
            for person in try migration.objects.fetch(FetchRequest<ManagedObject>(entityName: "Person")) {
                let name = try migration.previousValue(forKey: "name", of: person) as? String
                person.setValue(name?.utf8.count, forKey: "length")
            }
        }
    ),
]

let arguments = CommandLine.arguments.dropFirst()
let path = arguments.first ?? ""
switch Array(arguments.dropFirst()) {
case ["--kinds"]:
    print(Set(plan.allSteps.map(\.kind.rawValue)).sorted().joined(separator: "\n"))
case ["--migrate"]:
    let definition = ModelDefinition(
        name: "M",
        versionName: "2",
        model: destination,
        migrations: [
            ModelDefinition.Migration(
                source: "1",
                sourceHash: source.versionHash,
                destination: "2",
                destinationHash: destination.versionHash,
                sql: renderMigration(plan),
                stage: .init(serializedSource: source.serialized(), serializedDestination: destination.serialized())
            )
        ],
        versionNames: [source.versionHash: "1"]
    )
    try MigrationManager(model: definition, path: path, options: StoreOptions(migrationStages: stages)).migrateStore()
case let options where options.count == 2 && options[0] == "--create":
    let definition = ModelDefinition(name: "M", versionName: "1", model: source)
    let context = try PersistentContainer(model: definition, path: path).newContext()
    for number in 1...(Int(options[1]) ?? 1) {
        let person = EntityDescription.insertNewObject(forEntityName: "Person", into: context)
        person.setValue("First\(number) Last\(number)", forKey: "name")
        person.setValue(number, forKey: "number")
    }
    try context.save()
case let options where options.count == 5 && options[0] == "--together":
    let people = try await changeTogether(
        at: path,
        ModelDefinition(name: "M", versionName: "1", model: source),
        name: options[1],
        with: options[2],
        rounds: Int(options[3]) ?? 1,
        seed: UInt64(options[4]) ?? 1
    )
    print(people.joined(separator: "\n"))
default:
    let options = "--create COUNT | --migrate | --kinds | --together NAME OTHER ROUNDS SEED"
    FileHandle.standardError.write(Data("usage: migrating-program STORE \(options)\n".utf8))
    exit(64)
}
