internal import Chordata
internal import Synchronization

/// A statement that writes rows of one entity on a database server.
struct RowWrite: Hashable {
    enum Kind: Hashable {
        case insertion, deletion
        /// An update of some properties.
        case update(PropertyMask)
    }

    let kind: Kind
    /// The index of the entity.
    let type: Int
    /// A Boolean value that indicates whether the statement writes only one row.
    let isSingle: Bool
}

/// The texts of the statements that write rows of a store, so that they are not made for each save.
final class RowWriteTexts: Sendable {
    /// Updates of all combinations of properties would be too many texts.
    private static let limit = 1_000
    private let texts = Mutex<[RowWrite: String]>([:])

    /// Returns the text of a statement.
    /// - Parameter make: A closure that returns the text, if it is needed for the first time.
    func text(of write: RowWrite, _ make: () -> String) -> String {
        if let known = texts.withLock({ $0[write] }) { return known }
        let text = make()
        texts.withLock { texts in
            if texts.count >= Self.limit { texts.removeAll(keepingCapacity: true) }
            texts[write] = text
        }
        return text
    }
}
