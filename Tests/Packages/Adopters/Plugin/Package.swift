// swift-tools-version: 6.2
import PackageDescription

// The smallest program that uses Chordata with its build plugin: `Scripts/benchmark adopter`.
let package = Package(
    name: "Plugin",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "chordata", path: "../../../..")],
    targets: [
        .executableTarget(
            name: "App",
            dependencies: [.product(name: "Chordata", package: "chordata")],
            exclude: ["League.xcdatamodeld"],
            plugins: [.plugin(name: "ChordataGenerate", package: "chordata")]
        )
    ]
)
