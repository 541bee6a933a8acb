internal import ChordataPredicate
internal import ChordataSQL

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A value by which a row is sorted, in a form that is as small as possible.
enum SortValue {
    case missing
    /// An integer or a truth value.
    case integer(Int64)
    /// A double or a date.
    case double(Double)
    /// Text, folded if the comparison ignores case.
    case text(String)
    /// Rare sort values: decimals, bytes, UUIDs, URLs, objects.
    indirect case other(PredicateValue)

    init(_ value: PredicateValue, comparison: StringComparison) {
        switch value {
        case .null: self = .missing
        case .attribute(.integer(let integer)): self = .integer(integer)
        case .attribute(.boolean(let boolean)): self = .integer(boolean ? 1 : 0)
        case .attribute(.double(let double)): self = .double(double)
        case .attribute(.date(let date)): self = .double(date.timeIntervalSinceReferenceDate)
        case .attribute(.string(let text)):
            self = .text(comparison == .caseInsensitive ? foldedForComparison(text, options: .caseInsensitive) : text)
        case .attribute, .object, .collection: self = .other(value)
        }
    }

    /// Returns a closure that reads the sort value of an object.
    static func reader(of term: SortTerm, _ access: ManagedObjectAccess) -> (ManagedObject) -> SortValue {
        let (path, comparison) = (term.keyPath, term.comparison)
        func present(_ value: SortValue?) -> SortValue { value ?? .missing }
        if path.relationships.isEmpty, path.attribute != nil {
            if let read = access.integer(of: path) {
                return { object in
                    object.readRowOfFault()
                    return present(read(object).map { .integer($0) })
                }
            }
            if let read = access.double(of: path) {
                return { object in
                    object.readRowOfFault()
                    return present(read(object).map { .double($0) })
                }
            }
            if comparison != .caseInsensitive, let read = access.string(of: path) {
                return { object in
                    object.readRowOfFault()
                    return present(read(object).map { .text($0) })
                }
            }
        }
        return { SortValue(predicateValue(of: $0, at: path), comparison: comparison) }
    }

    /// Returns a number less than, equal to or greater than 0; both values are values of the same property.
    static func compare(_ left: SortValue, _ right: SortValue, by comparison: StringComparison) -> Int {
        switch (left, right) {
        case (.missing, .missing): 0
        case (.missing, _): -1
        case (_, .missing): 1
        case (.integer(let left), .integer(let right)): left < right ? -1 : left == right ? 0 : 1
        case (.double(let left), .double(let right)): left < right ? -1 : left == right ? 0 : 1
        case (.text(let left), .text(let right)):
            compareStrings(left, right, by: comparison == .caseInsensitive ? .literal : comparison).rawValue
        case (.other(let left), .other(let right)): comparePredicateValues(left, right)
        case (.integer, _), (.double, _), (.text, _), (.other, _):
            preconditionFailure("values of one property must have the same type")
        }
    }
}

/// The sort values of a row, one for each sort key.
///
/// The first two values are in the row itself, because the rows of a long list are far from each other in memory, and
/// most lists are sorted by at most two values.
struct SortValues: ExpressibleByArrayLiteral {
    private let first: SortValue
    private let second: SortValue
    private let others: [SortValue]

    init(count: Int, _ value: (Int) -> SortValue) {
        first = count > 0 ? value(0) : .missing
        second = count > 1 ? value(1) : .missing
        others = count > 2 ? (2..<count).map(value) : []
    }

    init(arrayLiteral elements: SortValue...) { self.init(count: elements.count) { elements[$0] } }

    subscript(index: Int) -> SortValue {
        switch index {
        case 0: first
        case 1: second
        default: others[index - 2]
        }
    }
}

/// The order of a list's rows: the order of the request and, among rows that are equal in this order, the order of the
/// keys.
struct ResultsOrder {
    /// The comparison and the direction of each sort key.
    private let rules: [(comparison: StringComparison, isAscending: Bool)]
    /// The closures that read an object's sort values, one for each sort key.
    private let readers: [(ManagedObject) -> SortValue]

    init(terms: [SortTerm], in schema: StoreSchema) {
        rules = terms.map { ($0.comparison, $0.ascending) }
        readers = terms.map { SortValue.reader(of: $0, ManagedObjectAccess(schema: schema)) }
    }

    private init(rules: [(comparison: StringComparison, isAscending: Bool)]) {
        self.rules = rules
        readers = []
    }

    /// The order by numbers that the creator of the rows assigns, and that are not read from objects.
    static var ofNumbers: ResultsOrder { ResultsOrder(rules: [(.literal, true)]) }

    /// Returns the sort values of an object.
    func values(of object: ManagedObject) -> SortValues { SortValues(count: readers.count) { readers[$0](object) } }

    /// Returns a Boolean value that indicates whether a row comes before another row, by the sort values that they
    /// keep.
    func areInOrder(_ left: ResultsRow, _ right: ResultsRow) -> Bool {
        for index in rules.indices {
            let rule = rules[index]
            let order = SortValue.compare(left.sortValues[index], right.sortValues[index], by: rule.comparison)
            if order != 0 { return (order < 0) == rule.isAscending }
        }
        return left.tieKey < right.tieKey
    }
}
