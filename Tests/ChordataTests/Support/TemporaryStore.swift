import ChordataTestStores
import ChordataTestSupport
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

/// Random numbers that are the same for the same seed.
typealias SeededGenerator = SplitMix64
