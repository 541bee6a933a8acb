// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Done",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "chordata", path: "../..")],
    targets: [
        .executableTarget(
            name: "Done",
            dependencies: [.product(name: "Chordata", package: "chordata")],
            exclude: ["Todo.xcdatamodeld"],
            plugins: [.plugin(name: "ChordataGenerate", package: "chordata")]
        )
    ],
    swiftLanguageModes: [.v6]
)
