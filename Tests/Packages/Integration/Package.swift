// swift-tools-version: 6.2
import PackageDescription

// Chordata used as a user uses it: by path, through its products only. Every app checks itself and ends with an error when
// something is wrong.

let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]

func app(_ name: String, also dependencies: [Target.Dependency] = []) -> Target {
    .executableTarget(
        name: "\(name)App",
        dependencies: ["Checks", .product(name: "Chordata", package: "chordata")] + dependencies,
        exclude: ["\(name).xcdatamodeld"],
        swiftSettings: strict,
        plugins: [.plugin(name: "ChordataGenerate", package: "chordata")]
    )
}

let package = Package(
    name: "Integration",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "chordata", path: "../../..")],
    targets: [
        .target(name: "Checks", swiftSettings: strict),
        // The model as it was in the first release; its store is what the Done app migrates.
        .target(
            name: "DoneFirst",
            dependencies: [.product(name: "Chordata", package: "chordata")],
            exclude: ["Done.xcdatamodeld"],
            swiftSettings: strict,
            plugins: [.plugin(name: "ChordataGenerate", package: "chordata")]
        ),
        app("Done", also: ["DoneFirst"]),
        app("League"),
        app("AddressBook"),
        app("Uploads"),
    ],
    swiftLanguageModes: [.v6]
)
