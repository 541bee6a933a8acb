// swift-tools-version: 6.2
import PackageDescription

// Libraries whose generated code is public, and apps of other modules that use them.

let settings: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

// The traits compile the library again, so only a thorough run turns them on.
let hasTraits = Context.environment["CHORDATA_TRAITS"] != nil

let package = Package(
    name: "PublicAccess",
    platforms: [.macOS(.v15)],
    products: [.library(name: "Catalog", targets: ["Catalog"])],
    dependencies: [
        .package(name: "chordata", path: "../../..", traits: hasTraits ? ["Logging", "Metrics"] : [.defaults]),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    ] + (hasTraits ? [.package(url: "https://github.com/apple/swift-metrics", from: "2.5.0")] : []),
    targets: [
        .target(
            name: "Catalog",
            dependencies: [.product(name: "Chordata", package: "chordata")],
            exclude: ["Catalog.xcdatamodeld", "chordata.json"],
            swiftSettings: settings,
            plugins: [.plugin(name: "ChordataGenerate", package: "chordata")]
        ),
        .executableTarget(
            name: "CatalogApp",
            dependencies: ["Catalog", .product(name: "Chordata", package: "chordata")],
            swiftSettings: settings
        ),

        // The classes are handwritten, and use generated storage.
        .target(
            name: "Ledger",
            dependencies: [.product(name: "Chordata", package: "chordata")],
            exclude: ["Ledger.xcdatamodeld", "chordata.json"],
            swiftSettings: settings,
            plugins: [.plugin(name: "ChordataGenerate", package: "chordata")]
        ),
        .executableTarget(
            name: "LedgerApp",
            dependencies: [
                "Ledger", .product(name: "Chordata", package: "chordata"),
                .product(name: "Logging", package: "swift-log"),
            ] + (hasTraits ? [.product(name: "MetricsTestKit", package: "swift-metrics")] : []),
            swiftSettings: settings + (hasTraits ? [.define("TRAITS")] : [])
        ),
        // A separate model, some of whose classes are those of the library.
        .executableTarget(
            name: "StallApp",
            dependencies: ["Ledger", .product(name: "Chordata", package: "chordata")],
            exclude: ["Stall.xcdatamodeld", "chordata.json"],
            swiftSettings: settings,
            plugins: [.plugin(name: "ChordataGenerate", package: "chordata")]
        ),
    ],
    swiftLanguageModes: [.v6]
)
