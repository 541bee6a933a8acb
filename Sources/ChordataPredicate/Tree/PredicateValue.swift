package import ChordataModel

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// A constant in a predicate.
package enum PredicateValue: Sendable, Hashable {
    case null
    case attribute(AttributeValue)
    /// An object, by the entity it was asked for and its key in the store.
    case object(ObjectReference)
    case collection([PredicateValue])
}

/// An object as a predicate knows it.
package struct ObjectReference: Sendable, Hashable {
    /// The topmost superentity: two references are to one object when root and key are equal.
    package var rootEntityName: String
    package var key: Int64
    /// The store the object is of; `nil` where nobody knows.
    package var storeUUID: UUID?

    package init(rootEntityName: String, key: Int64, storeUUID: UUID? = nil) {
        self.rootEntityName = rootEntityName
        self.key = key
        self.storeUUID = storeUUID
    }
}

extension PredicateValue {
    /// Whether the value is or contains a double, date or decimal that is not a number: it equals nothing, and SQLite
    /// would take it for NULL.
    package var isNotANumber: Bool {
        switch self {
        case .null, .object: false
        case .collection(let values): values.contains(where: \.isNotANumber)
        case .attribute(.double(let number)): number.isNaN
        case .attribute(.date(let date)): date.timeIntervalSinceReferenceDate.isNaN
        case .attribute(.decimal(let number)): number.isNaN
        case .attribute(.integer), .attribute(.string), .attribute(.boolean), .attribute(.data), .attribute(.uuid),
            .attribute(.url):
            false
        }
    }
}
