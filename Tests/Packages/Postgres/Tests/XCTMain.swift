import Testing

/// The program of the tests.
///
/// Without this file, SwiftPM makes one, for which it needs the index of the compiler.
@main
struct TestProgram {
    static func main() async {
        // `swift test` also starts the program for tests of XCTest, which this package does not have.
        guard CommandLine.arguments.contains("swift-testing") else { return }
        await Testing.__swiftPMEntryPoint() as Never
    }
}
