/// A library whose use by a service is measured.
enum Contestant: String, CaseIterable, Sendable {
    case chordata, grdb

    /// Opens a store.
    func open(_ path: String, _ synchronous: Synchronous) throws -> any ProductService {
        switch self {
        case .chordata: try ChordataService(path: path, synchronous)
        case .grdb: try GRDBService(path: path, synchronous)
        }
    }
}

/// The durability of saves, by the name that it has in SQLite.
enum Synchronous: String, CaseIterable, Sendable {
    case normal = "NORMAL"
    case full = "FULL"
}
