internal import ChordataPredicate
package import Foundation

// For the module `CoreData`, whose sort descriptors also compare objects in memory.

extension SortKey {
    /// The names of the properties of a key path, separated by dots; `nil` if it is not a key path of a generated
    /// class.
    package static func path(of keyPath: AnyKeyPath) -> String? { keys(of: keyPath)?.joined(separator: ".") }

    /// Compares the current values of two objects.
    /// - Throws: ``FetchPredicateError`` when the key path is not a property of the objects' entity.
    package func compare(_ first: ManagedObject, _ second: ManagedObject) throws(FetchPredicateError)
        -> ComparisonResult
    {
        let expression = try FetchExpression(format: "%K", text)
        func sortValue(_ object: ManagedObject) throws(FetchPredicateError) -> SortValue {
            SortValue(try expression.value(with: object).map { .attribute($0) } ?? .null, comparison: comparison)
        }
        let result = SortValue.compare(try sortValue(first), try sortValue(second), by: comparison)
        if result == 0 { return .orderedSame }
        return (result < 0) == (order == .ascending) ? .orderedAscending : .orderedDescending
    }
}
