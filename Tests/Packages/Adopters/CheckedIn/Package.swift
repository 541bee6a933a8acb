// swift-tools-version: 6.2
import PackageDescription

// The program of 'Plugin' with its generated code checked in: `Scripts/benchmark adopter` copies both from there.
let package = Package(
    name: "CheckedIn",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "chordata", path: "../../../..")],
    targets: [
        .executableTarget(name: "App", dependencies: [.product(name: "Chordata", package: "chordata")])
    ]
)
