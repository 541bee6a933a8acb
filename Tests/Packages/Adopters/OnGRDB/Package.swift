// swift-tools-version: 6.2
import PackageDescription

// The program of 'Plugin' on GRDB: `Scripts/benchmark adopter`.
let package = Package(
    name: "OnGRDB",
    platforms: [.macOS(.v15)],
    dependencies: [.package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0")],
    targets: [
        .executableTarget(name: "App", dependencies: [.product(name: "GRDB", package: "GRDB.swift")])
    ]
)
