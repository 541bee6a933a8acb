// swift-tools-version: 6.2
import PackageDescription

// The programs of the other packages, which share one build of the library.
let package = Package(
    name: "Programs",
    platforms: [.macOS(.v15)],
    dependencies: [.package(path: "../Benchmarks"), .package(path: "../Durability"), .package(path: "../Fuzz")]
)
