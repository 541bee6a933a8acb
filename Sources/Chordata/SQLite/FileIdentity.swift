internal import CChordataSQLite
internal import Synchronization

/// The numbers that identify a file even after it was moved; zeros if the file does not exist.
struct FileIdentity: Hashable, Sendable {
    private let volume: UInt64
    private let file: UInt64

    init(_ path: String) {
        var numbers: [UInt64] = [0, 0]
        chordata_identify_file(path, &numbers)
        (volume, file) = (numbers[0], numbers[1])
    }

    /// A Boolean value that indicates whether the file exists and the system provides these numbers.
    var isKnown: Bool { volume != 0 || file != 0 }
}

/// The files that this process has open as stores.
enum OpenStores {
    private static let counts = Mutex<[FileIdentity: Int]>([:])

    static func contains(_ file: FileIdentity) -> Bool {
        file.isKnown && counts.withLock { $0[file] != nil }
    }

    static func add(_ file: FileIdentity) { counts.withLock { $0[file, default: 0] += 1 } }

    static func remove(_ file: FileIdentity) {
        counts.withLock { counts in
            let count = counts[file, default: 1] - 1
            counts[file] = count == 0 ? nil : count
        }
    }
}
