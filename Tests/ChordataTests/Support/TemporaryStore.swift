import ChordataTestStores
import Foundation
import Testing

/// Runs a test with the path of a store that does not exist yet, in a folder of its own.
func withStorePath<Result>(_ body: (String) throws -> Result) throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: "chordata-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer {
        TestStore.removeStores(in: folder.path)
        do {
            try FileManager.default.removeItem(at: folder)
        } catch {
            Issue.record("cannot remove \(folder.path): \(error)")
        }
    }
    return try body(folder.appending(path: "store.sqlite").path)
}

/// Runs an asynchronous test in the same way.
nonisolated(nonsending)
    func withStorePath<Result>(_ body: nonisolated(nonsending) (String) async throws -> Result) async throws -> Result
{
    let folder = FileManager.default.temporaryDirectory.appending(path: "chordata-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer {
        TestStore.removeStores(in: folder.path)
        do {
            try FileManager.default.removeItem(at: folder)
        } catch {
            Issue.record("cannot remove \(folder.path): \(error)")
        }
    }
    return try await body(folder.appending(path: "store.sqlite").path)
}

/// A generator of random numbers that gives the same numbers for the same seed (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64
    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
