// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Migrating",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "chordata", path: "../..")],
    targets: [
        // The current release: its model has three versions.
        .executableTarget(
            name: "Migrating",
            dependencies: [.product(name: "Chordata", package: "chordata")],
            exclude: ["Contacts.xcdatamodeld", "Migrations"],
            plugins: [.plugin(name: "ChordataGenerate", package: "chordata")]
        ),
        // The first release, which had only the first version of the model. It creates the stores to migrate.
        .executableTarget(
            name: "OldVersion",
            dependencies: [.product(name: "Chordata", package: "chordata")],
            exclude: ["Contacts.xcdatamodeld"],
            plugins: [.plugin(name: "ChordataGenerate", package: "chordata")]
        ),
    ]
)
