import ChordataModel
package import ChordataPredicate

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// A value of one of SQLite's types.
package enum SQLValue: Sendable, Hashable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob(Data)

    /// Creates the form in which a value is stored and bound.
    ///
    /// Dates are seconds since 2001-01-01 UTC, UUIDs their 16 bytes, decimals their canonical text, URLs their absolute
    /// text, objects their keys. A collection has no form of its own and becomes NULL.
    package init(_ value: PredicateValue) {
        switch value {
        case .null, .collection: self = .null
        case .object(let object): self = .integer(object.key)
        case .attribute(.integer(let number)): self = .integer(number)
        case .attribute(.boolean(let flag)): self = .integer(flag ? 1 : 0)
        case .attribute(.double(let number)): self = .real(number)
        case .attribute(.date(let date)): self = .real(date.timeIntervalSinceReferenceDate)
        case .attribute(.decimal(let number)): self = .text(decimalText(number))
        case .attribute(.string(let string)): self = .text(string)
        case .attribute(.url(let url)): self = .text(url.absoluteString)
        case .attribute(.data(let data)): self = .blob(data)
        case .attribute(.uuid(let uuid)): self = .blob(withUnsafeBytes(of: uuid.uuid) { Data($0) })
        }
    }
}
