// swift-tools-version: 6.2
import PackageDescription

// A library whose generated code is public, and an app of another module that uses it.

let settings: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "PublicAccess",
    platforms: [.macOS(.v15)],
    products: [.library(name: "Catalog", targets: ["Catalog"])],
    dependencies: [.package(name: "chordata", path: "../../..")],
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
    ],
    swiftLanguageModes: [.v6]
)
