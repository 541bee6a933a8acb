// swift-tools-version: 6.2
import PackageDescription

// These apps use Chordata as a user does: by path, and only through its products. Each app checks itself, and exits
// with an error if a check fails.

let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]
let samples = ["AddressBook", "Done", "Everything", "League", "Uploads"]

func generated(also others: [Target.PluginUsage] = []) -> [Target.PluginUsage] {
    [.plugin(name: "ChordataGenerate", package: "chordata")] + others
}

func app(_ name: String, also dependencies: [Target.Dependency] = []) -> Target {
    app(name, models: [name], also: dependencies)
}

/// An app whose folder contains the models with the given names.
func app(
    _ name: String,
    models: [String],
    also dependencies: [Target.Dependency] = [],
    exclude: [String] = [],
    settings: [SwiftSetting] = []
) -> Target {
    .executableTarget(
        name: "\(name)App",
        dependencies: [.product(name: "Chordata", package: "chordata")] + dependencies,
        exclude: models.map { "\($0).xcdatamodeld" } + exclude,
        swiftSettings: strict + settings,
        plugins: generated()
    )
}

let package = Package(
    name: "Integration",
    platforms: [.macOS(.v15)],
    products: [.library(name: "DoneList", targets: ["DoneList"])],
    dependencies: [.package(name: "chordata", path: "../../..")],
    targets: [
        .target(name: "Checks", swiftSettings: strict),
        // The model of the first release, whose store the Done app migrates.
        .target(
            name: "DoneFirst",
            dependencies: [.product(name: "Chordata", package: "chordata")],
            exclude: ["Done.xcdatamodeld"],
            swiftSettings: strict,
            plugins: generated()
        ),
        app("Done", also: ["Checks", "DoneFirst"]),
        // The live list in a terminal; Tests/Packages/Web serves it to browsers.
        .target(
            name: "DoneList",
            dependencies: [.product(name: "Chordata", package: "chordata")],
            exclude: ["Done.xcdatamodeld"],
            swiftSettings: strict,
            plugins: generated()
        ),
        .executableTarget(name: "DoneTerminalApp", dependencies: ["Checks", "DoneList"], swiftSettings: strict),
        app("League", also: ["Checks"]),
        app("AddressBook", also: ["Checks"]),
        app("Uploads", also: ["Checks"]),
        // The app that Scripts/integration edits.
        app("Notes"),

        // A module of a user, with a name that models often have, with two models, and with another vendor's plugin.
        .executableTarget(name: "stamp", swiftSettings: strict),
        .plugin(name: "Stamp", capability: .buildTool(), dependencies: ["stamp"]),
        .target(
            name: "DataModel",
            dependencies: [.product(name: "Chordata", package: "chordata")],
            exclude: ["DataModel.xcdatamodeld", "Deep/Loan Desk.xcdatamodeld"],
            swiftSettings: strict,
            plugins: generated(also: ["Stamp"])
        ),
        .executableTarget(name: "LibraryApp", dependencies: ["Checks", "DataModel"], swiftSettings: strict),

        // All samples in one target, compiled with other settings: isolated to the main actor, with upcoming features,
        // and in language mode 5.
        app(
            "Isolated",
            models: samples,
            also: ["Checks"],
            exclude: ["chordata.json"],
            settings: [
                .defaultIsolation(MainActor.self),
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("InferIsolatedConformances"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("MemberImportVisibility"),
                .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
            ]
        ),
        app("Five", models: samples, also: ["Checks"], exclude: ["chordata.json"], settings: [.swiftLanguageMode(.v5)]),
    ],
    swiftLanguageModes: [.v6]
)
