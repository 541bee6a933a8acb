// swift-tools-version: 6.2
import PackageDescription

// The tests of the module ChordataPostgres. They need a server: 'Scripts/postgres test' starts one, and passes its
// connection string in CHORDATA_TEST_POSTGRES.
let package = Package(
    name: "Postgres",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "chordata", path: "../../..")],
    targets: [
        // Each process of the test with several processes.
        .executableTarget(
            name: "feed-program",
            dependencies: [
                .product(name: "Chordata", package: "chordata"),
                .product(name: "ChordataPostgres", package: "chordata"),
                .product(name: "_ChordataSQL", package: "chordata"),
            ],
            swiftSettings: [.treatAllWarnings(as: .error)]
        ),
        // The program of 'Scripts/postgres faults'.
        .executableTarget(
            name: "server-writer",
            dependencies: [
                .product(name: "Chordata", package: "chordata"),
                .product(name: "ChordataPostgres", package: "chordata"),
                .product(name: "_ChordataSQL", package: "chordata"),
            ],
            swiftSettings: [.treatAllWarnings(as: .error)]
        ),
        .testTarget(
            name: "PostgresTests",
            dependencies: [
                "feed-program",
                // The tests run the program.
                .product(name: "ChordataTool", package: "chordata"),
                .product(name: "Chordata", package: "chordata"),
                .product(name: "ChordataPostgres", package: "chordata"),
                .product(name: "_ChordataMigration", package: "chordata"),
                .product(name: "_ChordataPredicate", package: "chordata"),
                .product(name: "_ChordataSQL", package: "chordata"),
            ],
            exclude: ["Expected"],
            swiftSettings: [.treatAllWarnings(as: .error)]
        ),
    ]
)
