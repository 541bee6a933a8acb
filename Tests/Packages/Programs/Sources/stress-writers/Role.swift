/// A program that writes to the store, each with clients of its own.
enum Role: String, CaseIterable {
    case server
    case second

    /// The numbers of its clients, each of which performs one operation after the other.
    var clients: Range<Int> {
        switch self {
        case .server: 0..<16
        case .second: 100..<104
        }
    }
}

/// A kind of save.
enum SaveKind: UInt8, CaseIterable {
    /// The asynchronous method, in a background task.
    case waiting = 0x61
    /// The synchronous method, in a background task.
    case blocking = 0x62
    /// A background task that increments the counter, and can be in conflict with other saves.
    case incrementing = 0x63
    /// `write`, with an increment of the counter.
    case write = 0x64

    var increments: Bool {
        switch self {
        case .waiting, .blocking: false
        case .incrementing, .write: true
        }
    }
}
