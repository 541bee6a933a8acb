// swift-tools-version: 6.2
import PackageDescription

// What Chordata costs beside others, side by side in one run: `Scripts/benchmark`.

let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "Benchmarks", targets: ["Benchmarks"]),
        .executable(name: "ObjectBenchmark", targets: ["ObjectBenchmark"]),
        .executable(name: "ReadingBenchmark", targets: ["ReadingBenchmark"]),
        .executable(name: "CompilingBenchmark", targets: ["CompilingBenchmark"]),
    ],
    dependencies: [
        .package(name: "chordata", path: "../../.."),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    ],
    targets: [
        .target(
            name: "Contest",
            dependencies: ["CMallocStatistics"],
            swiftSettings: [.treatAllWarnings(as: .error)]
        ),
        .target(name: "CMallocStatistics"),
        .executableTarget(
            name: "Benchmarks",
            dependencies: ["Contest", .product(name: "Chordata", package: "chordata")],
            exclude: ["Squad.xcdatamodeld"],
            swiftSettings: [.treatAllWarnings(as: .error)],
            plugins: [.plugin(name: "ChordataGenerate", package: "chordata")]
        ),
        // Objects and values beside a hand-written loop and GRDB.
        .executableTarget(
            name: "ObjectBenchmark",
            dependencies: [
                "Contest", .product(name: "Chordata", package: "chordata"),
                .product(name: "GRDB", package: "GRDB.swift"), .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            exclude: [
                "LedgerColumn.xcdatamodeld", "LedgerDefault.xcdatamodeld", "LedgerType.xcdatamodeld",
                "Roster.xcdatamodeld",
            ],
            swiftSettings: [.treatAllWarnings(as: .error)],
            plugins: [.plugin(name: "ChordataGenerate", package: "chordata")]
        ),
        // Apart, because it looks behind the public interface by @testable, which costs the others optimisations.
        .executableTarget(
            name: "ReadingBenchmark",
            dependencies: [
                "CBareXML", "Contest", .product(name: "_ChordataModelFile", package: "chordata"),
            ],
            swiftSettings: [.treatAllWarnings(as: .error)]
        ),
        // Runs the compiler on what the tool generates.
        .executableTarget(name: "CompilingBenchmark", swiftSettings: [.treatAllWarnings(as: .error)]),
        // libxml2 and nothing else; its headers do not compile beside Foundation's.
        .target(name: "CBareXML", dependencies: ["CSystemXML"]),
        .systemLibrary(name: "CSystemXML", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
    ],
    swiftLanguageModes: [.v6]
)
