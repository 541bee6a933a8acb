// swift-tools-version: 6.2
import PackageDescription

// Eight contexts that work with one store at the same time, and what must have come of it: `Scripts/stress`, which has the compiler
// look for data races too. The code of the model is that of the golden case, so that no generator is built in that way.

let package = Package(
    name: "Stress",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "chordata", path: "../../..")],
    targets: [
        .executableTarget(
            name: "stress",
            dependencies: [.product(name: "Chordata", package: "chordata")],
            swiftSettings: [.treatAllWarnings(as: .error)]
        )
    ],
    swiftLanguageModes: [.v6]
)
