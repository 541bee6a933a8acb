// swift-tools-version: 6.2
import PackageDescription

let features: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

// The scripts set the variable. Packages that depend on this one must not: SwiftPM's second build system suppresses the
// warnings of dependencies, and the compiler rejects both options together. The scripts also do without debug
// information, which costs compile time; '-g', which SwiftPM adds, overrides a plain '-gnone'.
let strictness: [SwiftSetting] =
    Context.environment["CHORDATA_WARNINGS_AS_ERRORS"] == "1"
    ? [.treatAllWarnings(as: .error), .unsafeFlags(["-Xfrontend", "-gnone"], .when(configuration: .debug))] : []

// Optimized code keeps the lines for symbolication. The debug information of its variables, most of which have been
// optimized away, costs 7 % of the compile time.
let settings =
    strictness + features + [.unsafeFlags(["-Xfrontend", "-gline-tables-only"], .when(configuration: .release))]

// For modules that only the tools use. Builds with the plugin compile them for a generator that runs for 0.1 s, and
// optimizing them costs 100 s. `Scripts/artifact-bundle` sets the variable for a tool that is built once and runs
// often.
let toolSettings: [SwiftSetting] =
    Context.environment["CHORDATA_OPTIMIZED_TOOLS"] == "1"
    ? settings : settings + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

let package = Package(
    name: "chordata",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "Chordata", targets: ["Chordata"]),
        .library(name: "ChordataApple", targets: ["ChordataApple"]),
        .library(name: "ChordataPostgres", targets: ["ChordataPostgres"]),
        // For platforms other than Apple's, on which the module is empty.
        .library(name: "CoreData", targets: ["CoreData"]),
        .library(name: "ChordataModelReader", targets: ["ChordataModelReader"]),
        .executable(name: "chordata-generate", targets: ["chordata-generate"]),
        .executable(name: "chordata", targets: ["ChordataTool"]),
        // The program that a plugin runs has the name of its product, so the tool has two products.
        .executable(name: "ChordataTool", targets: ["ChordataTool"]),
        .plugin(name: "ChordataGenerate", targets: ["ChordataGenerate"]),
        .plugin(name: "ChordataCommand", targets: ["ChordataCommand"]),
        .plugin(name: "ChordataCheck", targets: ["ChordataCheck"]),
        // For the packages under Tests/Packages; these libraries have no public declarations.
        .library(
            name: "_ChordataMigration",
            targets: ["ChordataDiagnostics", "ChordataMigration", "ChordataModel"]
        ),
        .library(name: "_ChordataModelFile", targets: ["ChordataDiagnostics", "ChordataModel", "ChordataModelFile"]),
        .library(name: "_ChordataPredicate", targets: ["ChordataModel", "ChordataPredicate"]),
        .library(name: "_ChordataSQL", targets: ["ChordataModel", "ChordataPredicate", "ChordataSQL"]),
    ],
    traits: [
        .trait(
            name: "Logging",
            description: "A StatementLogger and a SaveLogger that write to a logger of swift-log."
        ),
        .trait(name: "Metrics", description: "The metrics of a store for swift-metrics."),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.5.0"),
    ],
    targets: [
        // MARK: C
        .target(name: "CChordataSQLite", linkerSettings: [.linkedLibrary("sqlite3")]),
        .systemLibrary(
            name: "CLibXML2",
            pkgConfig: "libxml-2.0",
            providers: [.apt(["libxml2-dev"]), .brew(["libxml2"])]
        ),
        .target(name: "CChordataXML", dependencies: ["CLibXML2"]),
        .target(name: "CChordataDiagnosticPages"),

        // MARK: Shared values
        .target(name: "ChordataModel", swiftSettings: settings),
        .target(name: "ChordataDiagnostics", dependencies: ["ChordataModel"], swiftSettings: toolSettings),
        .target(name: "ChordataPredicate", dependencies: ["ChordataModel"], swiftSettings: settings),
        .target(name: "ChordataSQL", dependencies: ["ChordataModel", "ChordataPredicate"], swiftSettings: settings),

        // MARK: Build time
        .target(
            name: "ChordataModelFile",
            dependencies: ["CChordataXML", "ChordataDiagnostics", "ChordataModel", "ChordataPredicate"],
            swiftSettings: toolSettings
        ),
        .target(
            name: "ChordataMigration",
            dependencies: ["ChordataDiagnostics", "ChordataModel", "ChordataSQL"],
            swiftSettings: toolSettings
        ),
        // Not a dependency of 'chordata-generate' either.
        .target(
            name: "ChordataVerification",
            dependencies: [
                "Chordata", "ChordataDiagnostics", "ChordataMigrationFiles", "ChordataModel", "ChordataModelFile",
                "ChordataPredicate", "ChordataSQL",
            ],
            swiftSettings: settings
        ),
        .target(name: "ChordataDiagram", dependencies: ["ChordataModel"], swiftSettings: settings),
        // Not a dependency of 'chordata-generate' or of 'Chordata' either.
        .target(
            name: "ChordataApple",
            dependencies: ["Chordata", "ChordataModel", "ChordataPredicate", "ChordataSQL"],
            swiftSettings: settings
        ),
        .target(
            name: "ChordataConfiguration",
            dependencies: ["ChordataDiagnostics", "ChordataModel", "ChordataPredicate"],
            swiftSettings: toolSettings
        ),
        // Not a dependency of 'chordata-generate', which every user's build compiles.
        .target(
            name: "ChordataDiagnosticPages",
            dependencies: ["CChordataDiagnosticPages"],
            swiftSettings: settings
        ),
        .target(
            name: "ChordataMigrationFiles",
            dependencies: [
                "ChordataConfiguration", "ChordataDiagnostics", "ChordataMigration", "ChordataModel",
                "ChordataModelFile", "ChordataSQL",
            ],
            swiftSettings: toolSettings
        ),
        .target(
            name: "ChordataGeneration",
            dependencies: [
                "ChordataConfiguration", "ChordataDiagnostics", "ChordataMigration", "ChordataMigrationFiles",
                "ChordataModel", "ChordataModelFile", "ChordataPredicate", "ChordataSQL",
            ],
            swiftSettings: toolSettings
        ),
        .target(
            name: "ChordataFiles",
            dependencies: [
                "ChordataConfiguration", "ChordataDiagnostics", "ChordataGeneration", "ChordataMigrationFiles",
                "ChordataModelFile", "ChordataPredicate",
            ],
            swiftSettings: toolSettings
        ),
        // Models without generated code; not a dependency of 'Chordata', which does not link libxml2.
        .target(
            name: "ChordataModelReader",
            dependencies: [
                "Chordata", "ChordataDiagnostics", "ChordataFiles", "ChordataGeneration", "ChordataVerification",
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "chordata-generate",
            dependencies: [
                "ChordataConfiguration", "ChordataDiagnostics", "ChordataFiles", "ChordataGeneration",
                "ChordataMigrationFiles",
            ],
            swiftSettings: toolSettings
        ),
        .executableTarget(
            name: "ChordataTool",
            dependencies: [
                "Chordata", "ChordataApple", "ChordataConfiguration", "ChordataDiagnosticPages",
                "ChordataDiagnostics", "ChordataDiagram", "ChordataFiles", "ChordataGeneration", "ChordataMigration",
                "ChordataMigrationFiles", "ChordataModel", "ChordataModelFile", "ChordataPostgres", "ChordataPredicate",
                "ChordataSQL", "ChordataVerification",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings
        ),
        .plugin(name: "ChordataGenerate", capability: .buildTool(), dependencies: ["chordata-generate"]),
        .plugin(
            name: "ChordataCommand",
            capability: .command(
                intent: .custom(
                    verb: "chordata",
                    description: "Checks, formats, draws and compares models, generates code, plans and runs migrations"
                ),
                permissions: [
                    .writeToPackageDirectory(
                        reason: "'generate', 'format' and 'migrate new' write into the package, others what you name"
                    )
                ]
            ),
            dependencies: ["ChordataTool"]
        ),
        // The plugin needs no permissions, so that continuous integration does not have to grant any.
        .plugin(
            name: "ChordataCheck",
            capability: .command(
                intent: .custom(
                    verb: "chordata-check",
                    description: "Checks, compares and explains models and migrations, and writes nothing"
                )
            ),
            dependencies: ["ChordataTool"]
        ),

        // MARK: Run time
        .target(
            name: "Chordata",
            dependencies: [
                "CChordataSQLite", "ChordataModel", "ChordataPredicate", "ChordataSQL",
                .product(name: "OrderedCollections", package: "swift-collections"),
                .product(name: "Logging", package: "swift-log", condition: .when(traits: ["Logging"])),
                .product(name: "CoreMetrics", package: "swift-metrics", condition: .when(traits: ["Metrics"])),
            ],
            swiftSettings: settings
        ),
        // Only the command line and programs that import it compile it. Its C target loads libpq when the first
        // connection is opened, so neither libpq nor its headers are needed to build it.
        .target(name: "CChordataPostgres", linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
        .target(
            name: "ChordataPostgres",
            dependencies: ["CChordataPostgres", "Chordata", "ChordataModel", "ChordataPredicate", "ChordataSQL"],
            swiftSettings: settings
        ),
        .target(name: "CChordataTypes"),
        // Core Data's names, for code that was written for it. The module has the name of Apple's framework, so only
        // its tests import it.
        .target(
            name: "CoreData",
            dependencies: ["CChordataTypes", "Chordata", "ChordataModel", "ChordataPredicate"],
            swiftSettings: settings
        ),

        // MARK: Tests
        .target(name: "ChordataTestSupport", path: "Tests/Support", swiftSettings: settings),
        // The stores of the runtime's tests: SQLite's, or those of a server.
        .target(
            name: "ChordataTestStores",
            dependencies: ["Chordata", "ChordataPostgres"],
            path: "Tests/Stores",
            exclude: ["skipped.txt"],
            swiftSettings: settings
        ),
        // An evaluator that shares no code with the predicates it checks; tests access it by @testable.
        .target(
            name: "NaivePredicates",
            dependencies: ["ChordataModel", "ChordataPredicate", "ChordataTestSupport"],
            path: "Tests/NaivePredicates",
            swiftSettings: settings
        ),
        .target(name: "CFaultyDisk", path: "Tests/CFaultyDisk", linkerSettings: [.linkedLibrary("sqlite3")]),
        // The program that tests of migrations kill: it has stages, which the command does not have.
        .executableTarget(
            name: "migrating-program",
            dependencies: ["Chordata", "ChordataDiagnostics", "ChordataMigration", "ChordataModel"],
            path: "Tests/MigratingProgram",
            swiftSettings: settings
        ),
        .testTarget(
            name: "ChordataDiagnosticsTests",
            dependencies: ["ChordataDiagnostics", "ChordataTestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "ChordataDiagnosticPagesTests",
            dependencies: [
                "ChordataConfiguration", "ChordataDiagnosticPages", "ChordataDiagnostics", "ChordataFiles",
                "ChordataGeneration", "ChordataMigrationFiles", "ChordataTestSupport",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "ChordataModelTests",
            dependencies: ["ChordataModel", "ChordataTestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "ChordataModelFileTests",
            dependencies: ["ChordataDiagnostics", "ChordataModel", "ChordataModelFile", "ChordataTestSupport"],
            exclude: ["BadModels"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "ChordataPredicateTests",
            dependencies: ["ChordataModel", "ChordataPredicate", "ChordataTestSupport", "NaivePredicates"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "ChordataSQLTests",
            dependencies: [
                "CChordataSQLite", "ChordataModel", "ChordataPredicate", "ChordataSQL", "ChordataTestSupport",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "ChordataMigrationTests",
            dependencies: [
                "CFaultyDisk", "Chordata", "ChordataApple", "ChordataDiagnostics", "ChordataFiles",
                "ChordataMigration", "ChordataModel", "ChordataModelFile", "ChordataPredicate", "ChordataSQL",
                "ChordataTestSupport", "ChordataVerification",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "ChordataVerificationTests",
            dependencies: ["Chordata", "ChordataModel", "ChordataSQL", "ChordataTestSupport", "ChordataVerification"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "ChordataConfigurationTests",
            dependencies: ["ChordataConfiguration", "ChordataDiagnostics", "ChordataTestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "ChordataDiagramTests",
            dependencies: ["ChordataDiagram", "ChordataModel", "ChordataTestSupport"],
            exclude: ["Expected"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "GoldenTests",
            dependencies: [
                "ChordataConfiguration", "ChordataDiagnostics", "ChordataFiles", "ChordataGeneration",
                "ChordataMigrationFiles", "ChordataTestSupport",
            ],
            exclude: ["Cases"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "ChordataAppleTests",
            dependencies: [
                "CChordataSQLite", "Chordata", "ChordataApple", "ChordataModel", "ChordataSQL", "ChordataTestSupport",
                "ChordataVerification",
            ],
            swiftSettings: settings
        ),
        // The tests run the built programs, so the programs must be built, but their code is not needed.
        .testTarget(
            name: "ChordataToolTests",
            dependencies: [
                "Chordata", "ChordataFiles", "ChordataGeneration", "ChordataMigration", "ChordataMigrationFiles",
                "ChordataModel", "ChordataModelFile", "ChordataSQL", "ChordataTestSupport", "ChordataTool",
                "ChordataVerification", "chordata-generate", "migrating-program",
            ],
            swiftSettings: settings
        ),
        // The tests run the compiler with the built module of Chordata on generated code.
        .testTarget(
            name: "CompileFailTests",
            dependencies: [
                "Chordata", "ChordataConfiguration", "ChordataDiagnostics", "ChordataGeneration",
                "ChordataMigrationFiles", "ChordataModel", "ChordataModelFile", "ChordataSQL", "ChordataTestSupport",
                "chordata-generate",
            ],
            swiftSettings: settings
        ),
        // The tests use the language mode of most code that was written for Core Data.
        .testTarget(
            name: "CoreDataTests",
            dependencies: ["Chordata", "ChordataModel", "ChordataTestSupport", "CoreData"],
            swiftSettings: settings + [.swiftLanguageMode(.v5)]
        ),
        .testTarget(
            name: "ChordataModelReaderTests",
            dependencies: ["Chordata", "ChordataModelReader", "ChordataTestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "GeneratedCodeTests",
            dependencies: ["Chordata", "ChordataTestStores", "ChordataTestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "TypedPredicateTests",
            dependencies: [
                "Chordata", "ChordataModel", "ChordataPredicate", "ChordataTestStores", "ChordataTestSupport",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "ChordataTests",
            dependencies: [
                "CChordataSQLite", "Chordata", "ChordataDiagnostics", "ChordataMigration", "ChordataModel",
                "ChordataPostgres", "ChordataPredicate", "ChordataSQL", "ChordataTestStores", "ChordataTestSupport",
                "NaivePredicates",
                .product(name: "OrderedCollections", package: "swift-collections"),
            ],
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)

// MARK: A generator that is already built

// The bundle that `Scripts/artifact-bundle` wrote. With it, builds that use the plugin do not compile the generator.
if let bundle = Context.environment["CHORDATA_GENERATOR"] {
    precondition(bundle.hasPrefix("/"), "CHORDATA_GENERATOR is '\(bundle)'; it must be an absolute path")
    // SwiftPM accepts only paths that are relative to the package.
    let steps = Context.packageDirectory.split(separator: "/").map { _ in ".." }
    let path = (steps + bundle.split(separator: "/").map(String.init)).joined(separator: "/")
    package.targets.removeAll { $0.name == "chordata-generate" }
    package.products.removeAll { $0.name == "chordata-generate" }
    package.targets.append(.binaryTarget(name: "chordata-generate", path: path))
}
