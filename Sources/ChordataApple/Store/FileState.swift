internal import Foundation

/// The sizes and dates of the files of a store, with which changes are detected.
struct FileState: Sendable, Equatable {
    private var files: [String]

    init(ofStoreAt path: String) {
        let file = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        files = ["", "-wal", "-journal"].map { ending in
            do {
                let attributes = try FileManager.default.attributesOfItem(atPath: file + ending)
                let date = (attributes[.modificationDate] as? Date)?.timeIntervalSinceReferenceDate ?? 0
                return "\((attributes[.size] as? NSNumber)?.int64Value ?? 0) \(date)"
            } catch {
                return ""  // There is no such file.
            }
        }
    }
}
