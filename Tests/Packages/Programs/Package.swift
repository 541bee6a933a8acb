// swift-tools-version: 6.2
import PackageDescription

// The programs that measure, kill, stress and fuzz the library. They are in one package so that they share one build of
// the library. With the build folder of the library itself, they also share the build of its tests.

let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]
// Optimized in debug builds too: the programs of Scripts/durability hash and copy millions of bytes.
let fast: [SwiftSetting] = strict + [.unsafeFlags(["-O"])]
let chordata: Target.Dependency = .product(name: "Chordata", package: "chordata")
let generate: [Target.PluginUsage] = [.plugin(name: "ChordataGenerate", package: "chordata")]

let package = Package(
    name: "Programs",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "durability", targets: ["durability"]),
        .executable(name: "durable-writer", targets: ["durable-writer"]),
        .library(name: "Recorder", type: .dynamic, targets: ["CRecorder"]),
        .library(name: "SyncOff", type: .dynamic, targets: ["CSyncOff"]),
    ],
    dependencies: [
        .package(name: "chordata", path: "../../.."),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    ],
    targets: [
        // MARK: Benchmarks: Chordata and other libraries, in one run

        .target(name: "Contest", dependencies: ["CMallocStatistics"], swiftSettings: strict),
        .target(name: "CMallocStatistics"),
        .executableTarget(
            name: "Benchmarks",
            dependencies: ["CSQLite", "Contest", chordata],
            exclude: ["Squad.xcdatamodeld"],
            swiftSettings: strict,
            plugins: generate
        ),
        // Objects and values, compared with a handwritten loop and GRDB.
        .executableTarget(
            name: "ObjectBenchmark",
            dependencies: [
                "Contest", chordata, .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            exclude: [
                "LedgerColumn.xcdatamodeld", "LedgerDefault.xcdatamodeld", "LedgerType.xcdatamodeld",
                "Roster.xcdatamodeld",
            ],
            swiftSettings: strict,
            plugins: generate
        ),
        // The operations of an HTTP service, with many clients, compared with GRDB's pool.
        .executableTarget(
            name: "ServerBenchmark",
            dependencies: ["CMallocStatistics", "Contest", chordata, .product(name: "GRDB", package: "GRDB.swift")],
            exclude: ["Catalog.xcdatamodeld"],
            swiftSettings: strict,
            plugins: generate
        ),
        // Stores on a PostgreSQL server, compared with a program that calls libpq.
        .executableTarget(
            name: "PostgresBenchmark",
            dependencies: [
                "CBarePostgres", "Contest", "Harness", chordata,
                .product(name: "ChordataPostgres", package: "chordata"),
            ],
            exclude: ["League.xcdatamodeld"],
            swiftSettings: strict,
            plugins: generate
        ),
        .target(name: "CBarePostgres", linkerSettings: [.linkedLibrary("dl")]),
        // The module CoreData, compared with Chordata's own names.
        .executableTarget(
            name: "LayerBenchmark",
            dependencies: ["Contest", chordata, .product(name: "CoreData", package: "chordata")],
            exclude: ["Layer.xcdatamodeld"],
            swiftSettings: strict + [.swiftLanguageMode(.v5)],
            plugins: generate
        ),
        // The growth of costs with the amount of data.
        .executableTarget(
            name: "GrowthBenchmark",
            dependencies: ["Contest", chordata],
            exclude: ["Growth.xcdatamodeld"],
            swiftSettings: strict,
            plugins: generate
        ),
        // A separate program, because it uses @testable, which would cost the other programs optimizations.
        .executableTarget(
            name: "ReadingBenchmark",
            dependencies: ["CBareXML", "Contest", .product(name: "_ChordataModelFile", package: "chordata")],
            swiftSettings: strict
        ),
        // Runs the compiler on the code that the tool generates.
        .executableTarget(name: "CompilingBenchmark", dependencies: ["Contest"], swiftSettings: strict),
        // libxml2 and nothing else; its headers do not compile together with Foundation's.
        .target(name: "CBareXML", dependencies: ["CSystemXML"]),
        .systemLibrary(name: "CSystemXML", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),

        // MARK: Durability: a save that succeeded survives a kill or a power cut. Linux only: a library that is loaded
        // before the C library records the writes.

        // The older version of the model, as in a program of that time.
        .target(
            name: "OldWorkload",
            dependencies: [chordata],
            exclude: ["Albums.xcdatamodeld"],
            swiftSettings: fast,
            plugins: generate
        ),
        // The same two versions, with a stage in the step between them.
        .target(
            name: "StagedWorkload",
            dependencies: [chordata],
            exclude: ["Albums.xcdatamodeld", "Migrations"],
            swiftSettings: fast,
            plugins: generate
        ),
        // Seeded random numbers, functions that start and kill programs, and SQLite without the library.
        .target(name: "Harness", dependencies: ["CSQLite"], swiftSettings: fast),
        // The saves. A seed determines all values and their order.
        .target(
            name: "Workload",
            dependencies: ["Harness", "OldWorkload", "StagedWorkload", chordata],
            exclude: ["Albums.xcdatamodeld"],
            swiftSettings: fast,
            plugins: generate
        ),
        .executableTarget(name: "durable-writer", dependencies: ["Workload", chordata], swiftSettings: fast),
        // Kills writers, cuts the power, and checks the stores.
        .executableTarget(name: "durability", dependencies: ["Harness", "Workload"], swiftSettings: fast),
        // Loaded before the C library, it records the writes of a program to one folder.
        .target(name: "CRecorder", linkerSettings: [.linkedLibrary("dl")]),
        // Sabotage: loaded before SQLite, it opens every connection with synchronous=OFF.
        .target(name: "CSyncOff", linkerSettings: [.linkedLibrary("dl")]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),

        // MARK: Fuzzing: libraries that read bytes, and trap if a rule is violated. libFuzzer and `replay` run the same
        // code. They use @testable, because another package has no other access to `package` declarations.

        .target(
            name: "FuzzPredicate",
            dependencies: [.product(name: "_ChordataPredicate", package: "chordata")],
            swiftSettings: strict
        ),
        .target(
            name: "FuzzModelFile",
            dependencies: [.product(name: "_ChordataModelFile", package: "chordata")],
            swiftSettings: strict
        ),
        .target(
            name: "FuzzArchive",
            dependencies: [.product(name: "ChordataApple", package: "chordata")],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "replay",
            dependencies: ["FuzzArchive", "FuzzModelFile", "FuzzPredicate"],
            swiftSettings: strict
        ),

        // MARK: Endurance: earlier operations do not make later ones more expensive.

        .executableTarget(
            name: "endurance",
            dependencies: ["CMallocStatistics", chordata],
            exclude: ["Notes.xcdatamodeld"],
            swiftSettings: strict,
            plugins: generate
        ),

        // MARK: Stress: eight contexts work with one store at the same time. Its generated code is that of a golden
        // case, so that no generator is built with ThreadSanitizer.

        .executableTarget(name: "stress", dependencies: ["Harness", chordata], swiftSettings: strict),
        // Two programs write to one store, and are killed. Optimized, because it compares all rows after each kill.
        .executableTarget(
            name: "stress-writers",
            dependencies: ["Harness", chordata],
            exclude: ["Ledger.xcdatamodeld"],
            swiftSettings: fast,
            plugins: generate
        ),
    ],
    swiftLanguageModes: [.v6]
)

// Scripts/test builds everything in this package in one build, without the benchmarks.
if Context.environment["CHORDATA_TEST_PROGRAMS"] != nil {
    let benchmarks = [
        "Benchmarks", "CBarePostgres", "CBareXML", "CSystemXML", "CompilingBenchmark", "Contest", "GrowthBenchmark",
        "LayerBenchmark", "ObjectBenchmark", "PostgresBenchmark", "ReadingBenchmark", "ServerBenchmark",
    ]
    package.dependencies.removeLast()
    package.targets.removeAll { benchmarks.contains($0.name) }
}

// The HTTP server of ServerBenchmark, whose libraries the other programs need not compile.
if Context.environment["CHORDATA_HTTP"] != nil {
    package.dependencies += [
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    ]
    for target in package.targets where target.name == "ServerBenchmark" {
        target.dependencies += [
            .product(name: "Hummingbird", package: "hummingbird"), .product(name: "Logging", package: "swift-log"),
            .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
        ]
        target.swiftSettings? += [.define("HTTP")]
    }
}

// libFuzzer provides the main function, so these link only with `-sanitize=fuzzer`; Scripts/fuzz sets the variable.
if Context.environment["CHORDATA_FUZZ"] != nil {
    // Without the targets that use the build plugin: its tool has a main function too.
    package.products = []
    package.targets.removeAll { !["FuzzArchive", "FuzzModelFile", "FuzzPredicate"].contains($0.name) }
    for (name, library) in [
        ("archive", "FuzzArchive"), ("model", "FuzzModelFile"), ("predicate", "FuzzPredicate"),
    ] {
        package.targets.append(
            .executableTarget(
                name: "fuzz-\(name)",
                dependencies: [.target(name: library)],
                swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])]
            )
        )
    }
}
