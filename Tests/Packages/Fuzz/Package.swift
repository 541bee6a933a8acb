// swift-tools-version: 6.2
import PackageDescription

// Fuzz targets. `Scripts/fuzz` builds them for libFuzzer; `Scripts/test` runs the corpus through `replay`.
// Each target is a library that takes bytes and traps on what must not be, so both ways run the same code. It looks
// behind the public interface by @testable, because another package has no other way to `package` declarations.

let package = Package(
    name: "Fuzz",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "fuzz-model", targets: ["fuzz-model"]),
        .executable(name: "fuzz-predicate", targets: ["fuzz-predicate"]),
        .executable(name: "replay", targets: ["replay"]),
    ],
    dependencies: [.package(name: "chordata", path: "../../..")],
    targets: [
        .target(
            name: "FuzzPredicate",
            dependencies: [.product(name: "Chordata", package: "chordata")],
            swiftSettings: [.treatAllWarnings(as: .error)]
        ),
        .target(
            name: "FuzzModelFile",
            dependencies: [.product(name: "_ChordataModelFile", package: "chordata")],
            swiftSettings: [.treatAllWarnings(as: .error)]
        ),
        // libFuzzer has the main function, so these two link with `-sanitize=fuzzer` only.
        .executableTarget(
            name: "fuzz-model",
            dependencies: ["FuzzModelFile"],
            swiftSettings: [.unsafeFlags(["-parse-as-library"]), .treatAllWarnings(as: .error)]
        ),
        .executableTarget(
            name: "fuzz-predicate",
            dependencies: ["FuzzPredicate"],
            swiftSettings: [.unsafeFlags(["-parse-as-library"]), .treatAllWarnings(as: .error)]
        ),
        .executableTarget(
            name: "replay",
            dependencies: ["FuzzModelFile", "FuzzPredicate"],
            swiftSettings: [.treatAllWarnings(as: .error)]
        ),
    ],
    swiftLanguageModes: [.v6]
)
