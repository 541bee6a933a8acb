// swift-tools-version: 6.2
import PackageDescription

// What Chordata costs beside others, side by side in one run: `Scripts/benchmark`.

let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "chordata", path: "../../..")],
    targets: [
        .executableTarget(
            name: "Benchmarks",
            dependencies: [.product(name: "Chordata", package: "chordata")],
            exclude: ["Squad.xcdatamodeld"],
            swiftSettings: [.treatAllWarnings(as: .error)],
            plugins: [.plugin(name: "ChordataGenerate", package: "chordata")]
        )
    ],
    swiftLanguageModes: [.v6]
)
