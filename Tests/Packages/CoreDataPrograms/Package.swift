// swift-tools-version: 6.2
import PackageDescription

// Programs as developers write them for Apple's Core Data, in the styles of four years. README.md describes each one.
// Each program prints the contents of its `expected.txt`.

/// A program whose folder has a model of its name, `chordata.json` and `expected.txt`.
func program(_ name: String, _ mode: SwiftLanguageMode, also dependencies: [Target.Dependency] = []) -> Target {
    .executableTarget(
        name: name,
        dependencies: [.product(name: "CoreData", package: "chordata")] + dependencies,
        exclude: ["\(name).xcdatamodeld", "chordata.json", "expected.txt"],
        swiftSettings: [.swiftLanguageMode(mode)],
        plugins: [.plugin(name: "ChordataGenerate", package: "chordata")]
    )
}

let package = Package(
    name: "CoreDataPrograms",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "chordata", path: Context.environment["CHORDATA_PATH"] ?? "../../..")],
    targets: [
        // A table on the screen, where an app has UITableView. Imports Foundation only.
        .target(name: "TableStandIn"),

        // MARK: 2015: a custom stack, classes with @NSManaged

        program("Bookshelf", .v5),
        program("Contacts", .v5, also: ["TableStandIn"]),
        program("SketchEditor", .v5),

        // MARK: 2018: NSPersistentContainer and results controllers

        program("Chat", .v5, also: ["TableStandIn"]),
        program("Outline", .v5),
        program("TodoList", .v5, also: ["TableStandIn"]),

        // MARK: 2021: diffable snapshots, batch requests, history

        program("Expenses", .v5),
        program("Sightings", .v5),
        program("Watchlist", .v5),

        // MARK: 2025: structured concurrency, language mode 6

        program("Habits", .v6),
        program("Recipes", .v6),
        program("SyncClient", .v6),
    ]
)
