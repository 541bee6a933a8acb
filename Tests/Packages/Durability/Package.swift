// swift-tools-version: 6.2
import PackageDescription

// Whether a save that succeeded is still there after the program was killed or the power was cut: `Scripts/durability`.
// For Linux: what the writer does to its files is recorded by a library that the dynamic loader puts before the C library.

// Optimized in debug builds too: hashing and copying millions of bytes is what the harness does, and the library as a whole takes
// minutes to compile for release.
let settings: [SwiftSetting] = [.treatAllWarnings(as: .error), .unsafeFlags(["-O"])]

let package = Package(
    name: "Durability",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "durability", targets: ["durability"]),
        .executable(name: "durable-writer", targets: ["durable-writer"]),
        .library(name: "Recorder", type: .dynamic, targets: ["CRecorder"]),
        .library(name: "SyncOff", type: .dynamic, targets: ["CSyncOff"]),
    ],
    dependencies: [.package(name: "chordata", path: "../../..")],
    targets: [
        // The older version of the model, as a program of then had it.
        .target(
            name: "OldWorkload",
            dependencies: [.product(name: "Chordata", package: "chordata")],
            exclude: ["Albums.xcdatamodeld"],
            swiftSettings: settings,
            plugins: [.plugin(name: "ChordataGenerate", package: "chordata")]
        ),
        // The same two versions, where the program has a part in the step between them.
        .target(
            name: "StagedWorkload",
            dependencies: [.product(name: "Chordata", package: "chordata")],
            exclude: ["Albums.xcdatamodeld", "Migrations"],
            swiftSettings: settings,
            plugins: [.plugin(name: "ChordataGenerate", package: "chordata")]
        ),
        // What is saved, by whom and in what order, all of it from a seed.
        .target(
            name: "Workload",
            dependencies: ["OldWorkload", "StagedWorkload", .product(name: "Chordata", package: "chordata")],
            exclude: ["Albums.xcdatamodeld"],
            swiftSettings: settings,
            plugins: [.plugin(name: "ChordataGenerate", package: "chordata")]
        ),
        .executableTarget(name: "durable-writer", dependencies: ["Workload"], swiftSettings: settings),
        // Kills writers, cuts the power, and looks at what is left.
        .executableTarget(name: "durability", dependencies: ["CSQLite", "Workload"], swiftSettings: settings),
        // Put before the C library, it records what a program does to the files of one folder.
        .target(name: "CRecorder", linkerSettings: [.linkedLibrary("dl")]),
        // Sabotage: put before SQLite, it has every connection opened with synchronous=OFF.
        .target(name: "CSyncOff", linkerSettings: [.linkedLibrary("dl")]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    ],
    swiftLanguageModes: [.v6]
)
