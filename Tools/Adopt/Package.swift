// swift-tools-version: 6.2
import PackageDescription

let features: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]
// The settings are those of the library's package.
let settings =
    Context.environment["CHORDATA_WARNINGS_AS_ERRORS"] == "1"
    ? [.treatAllWarnings(as: .error), .unsafeFlags(["-Xfrontend", "-gnone"], .when(configuration: .debug))] + features
    : features

// A package of its own, so that users of the library neither resolve nor compile swift-syntax.
let package = Package(
    name: "chordata-adopt",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "chordata-adopt", targets: ["chordata-adopt"])],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/swiftlang/swift-syntax", from: "603.0.1"),
    ],
    targets: [
        .target(
            name: "Adopt",
            dependencies: [
                .product(name: "SwiftParser", package: "swift-syntax"),
                .product(name: "SwiftSyntax", package: "swift-syntax"),
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "chordata-adopt",
            dependencies: ["Adopt", .product(name: "ArgumentParser", package: "swift-argument-parser")],
            swiftSettings: settings
        ),
        .testTarget(
            name: "AdoptTests",
            dependencies: [
                "Adopt",
                .product(name: "SwiftParser", package: "swift-syntax"),
                .product(name: "SwiftSyntax", package: "swift-syntax"),
            ],
            swiftSettings: settings
        ),
    ]
)
