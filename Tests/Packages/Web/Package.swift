// swift-tools-version: 6.2
import PackageDescription

// The Done list for browsers and a terminal together. This package is separate from the others because of its
// dependencies.

let package = Package(
    name: "Web",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "chordata", path: "../../.."),
        .package(path: "../Integration"),
        .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
    ],
    targets: [
        .executableTarget(
            name: "DoneWeb",
            dependencies: [
                .product(name: "Chordata", package: "chordata"),
                .product(name: "DoneList", package: "Integration"),
                .product(name: "FlyingFox", package: "FlyingFox"),
                .product(name: "FlyingSocks", package: "FlyingFox"),
            ],
            resources: [.embedInCode("index.html")],
            swiftSettings: [.treatAllWarnings(as: .error)]
        )
    ],
    swiftLanguageModes: [.v6]
)
