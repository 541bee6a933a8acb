internal import ChordataModel
package import ChordataPredicate

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// The SQL of PostgreSQL, without functions of Chordata.
///
/// Expressions that PostgreSQL does not evaluate exactly as the evaluator in memory are not renderable: the context
/// evaluates them in memory.
package struct PostgresDialect: SQLDialect {
    package init() {}

    package func condition(_ isMet: Bool) -> String { isMet ? "TRUE" : "FALSE" }
    package func parameters(_ positions: ClosedRange<Int>) -> String {
        positions.map { "$\($0)" }.joined(separator: ", ")
    }
    package func repeatedParameter(_ position: Int) -> String { "$\(position)" }
    package func areSame(_ left: String, _ right: String) -> String { "\(left) IS NOT DISTINCT FROM \(right)" }
    package func areDifferent(_ left: String, _ right: String) -> String { "\(left) IS DISTINCT FROM \(right)" }
    package func isAmongKeys(_ column: String, at position: Int) -> String { "\(column) = ANY($\(position))" }
    /// PostgreSQL has no such operator; its planner estimates whether an index is useful.
    package func withoutIndex(_ value: String) -> String { value }
    package func contains(_ text: String, _ part: String) -> String { "strpos(\(text), \(part)) > 0" }

    package func ends(_ text: String, with suffix: String, bind: (PredicateValue) -> String) -> String {
        let parameter = bind(.attribute(.string(suffix)))
        return "right(\(text), char_length(\(parameter))) = \(parameter)"
    }

    package func range(limit: Int, offset: Int, bind: (PredicateValue) -> String) -> String {
        var sql = ""
        if limit > 0 { sql += " LIMIT " + bind(.attribute(.integer(Int64(limit)))) }
        if offset > 0 { sql += " OFFSET " + bind(.attribute(.integer(Int64(offset)))) }
        return sql
    }

    package func elements(_ count: Int, of list: Data, hasPlaces: Bool, bind: (PredicateValue) -> String) -> String {
        preconditionFailure("a list of computed values is not renderable for PostgreSQL")
    }

    /// NULL is the smallest value, as in SQLite; indexes have the same order.
    package func sorted(_ value: String, ascending: Bool) -> String {
        value + (ascending ? " NULLS FIRST" : " DESC NULLS LAST")
    }

    package var crossJoin: String { "CROSS JOIN" }
    /// Before version 16, each sub-select must have a name.
    package var subqueryAlias: String { " AS counted" }
    package var hasLists: Bool { true }

    package func collated(_ value: String, by collation: SQLCollation) -> String {
        switch collation {
        // NUMERIC values are ordered as numbers.
        case .decimal: return value
        case .localized, .localizedCaseInsensitive, .localizedStandard:
            preconditionFailure("an order of the locale is not renderable for PostgreSQL")
        }
    }

    /// The server never changes a row in place.
    package var updateWithoutUndo: String { "UPDATE" }
    /// The cast fails, because the text is not a number.
    package var nonNumber: String { "CAST('x' AS bigint)" }

    package func call(_ function: SQLFunction, _ arguments: String) -> String {
        preconditionFailure("the function '\(function.rawValue)' is not renderable for PostgreSQL")
    }

    package func rowFunction(columnCount: Int) -> String? { nil }

    // MARK: Exactness

    package func isRenderable(_ predicate: BoundPredicate) -> Bool {
        switch predicate {
        case .constant, .keys: true
        case .fullText: false
        case .and(let parts), .or(let parts): parts.allSatisfy { isRenderable($0) }
        case .not(let part): isRenderable(part)
        case .comparison(let comparison): comparison.isExact
        case .exists(let collection):
            collection.generators.allSatisfy { $0.isRelationship } && isRenderable(collection.filter)
        }
    }

    package func isRenderable(_ expression: BoundExpression) -> Bool {
        switch expression {
        case .keyPath(let path): path.target == .object || path.hasComputedForm
        case .aggregate(.count, let collection) where collection.generators.isEmpty: collection.element.isColumn
        case .value, .variable, .function, .cast, .conditional, .aggregate, .element: false
        }
    }

    package func isRenderable(_ term: SortTerm) -> Bool {
        switch term.comparison {
        case .literal: true
        case .caseInsensitive, .localized, .localizedCaseInsensitive, .localizedStandard: false
        }
    }
}

/// A kind of values that PostgreSQL compares exactly, but only with values of the same kind.
private enum ExactKind {
    case integer, boolean, real, decimal, text, bytes, uuid

    init?(_ type: AttributeType) {
        switch type {
        case .integer16, .integer32, .integer64: self = .integer
        case .boolean: self = .boolean
        case .double, .float, .date: self = .real
        case .decimal: self = .decimal
        case .string, .uri: self = .text
        case .binaryData: self = .bytes
        case .uuid: self = .uuid
        case .transformable, .composite, .undefined, .objectID: return nil
        }
    }

    /// The kind of a constant; `nil` for a constant that PostgreSQL cannot store.
    init?(_ value: AttributeValue) {
        switch value {
        case .integer: self = .integer
        case .boolean: self = .boolean
        case .double(let number): if number.isNaN { return nil } else { self = .real }
        case .date: self = .real
        case .decimal(let number): if number.isNaN { return nil } else { self = .decimal }
        case .string(let text): if text.utf8.contains(0) { return nil } else { self = .text }
        case .url: self = .text
        case .data: self = .bytes
        case .uuid: self = .uuid
        }
    }
}

extension BoundKeyPath {
    /// The kind of the values; `nil` for objects and for values that are not compared in SQL.
    fileprivate var exactKind: ExactKind? {
        switch target {
        case .attribute(let attribute): attribute.isStoredExternally ? nil : ExactKind(attribute.attributeType)
        case .entityName: .text
        case .object: nil
        }
    }

    /// A Boolean value that indicates whether a column has the form ``ValueForm/computed`` without a conversion.
    ///
    /// A column of PostgreSQL has its own type for Boolean values, which in SQLite are numbers.
    fileprivate var hasComputedForm: Bool {
        switch target {
        case .attribute(let attribute):
            !attribute.isStoredExternally && attribute.attributeType != .boolean
                && ValueForm(attribute.attributeType).isComputed
        case .entityName: true
        case .object: false
        }
    }
}

extension BoundExpression {
    /// A Boolean value that indicates whether this is a column, or the key of an object that is the value of a
    /// variable.
    fileprivate var isColumn: Bool {
        switch self {
        case .keyPath: true
        case .variable(_, let isObject): isObject
        case .value, .function, .cast, .conditional, .aggregate, .element: false
        }
    }
}

extension BoundCollection.Generator {
    fileprivate var isRelationship: Bool { if case .relationship = source { true } else { false } }
}

extension BoundComparison {
    /// A Boolean value that indicates whether PostgreSQL returns the same result as the evaluator in memory.
    fileprivate var isExact: Bool {
        guard options.isEmpty, left.isColumn else { return false }
        if left.isObject || right.isObject { return isExactForObjects }
        guard case .keyPath(let path) = left else { return false }
        switch self.operator {
        case .equal, .notEqual: return hasNullOnTheRight || hasExactSides(of: path)
        // The name of an entity is a constant without the collation of columns.
        case .less, .lessOrEqual, .greater, .greaterOrEqual:
            return path.target != .entityName && hasExactSides(of: path)
        case .between, .in: return hasExactSides(of: path)
        case .contains, .beginsWith, .endsWith: return isOfText(path)
        case .like:
            guard isOfText(path), case .value(.attribute(.string(let pattern))) = right else { return false }
            return PlainLikePattern(pattern) != nil
        case .matches: return false
        }
    }

    private var isExactForObjects: Bool {
        switch right {
        case .value(.null), .value(.object), .value(.collection): true
        case .keyPath, .variable: right.isColumn
        case .value, .function, .cast, .conditional, .aggregate, .element: false
        }
    }

    private var hasNullOnTheRight: Bool { if case .value(.null) = right { true } else { false } }

    private func hasExactSides(of path: BoundKeyPath) -> Bool {
        guard let kind = path.exactKind else { return false }
        switch right {
        case .value(.attribute(let value)): return ExactKind(value) == kind
        case .value(.collection(let values)):
            return values.allSatisfy { value in
                switch value {
                case .null: true
                case .attribute(let value): ExactKind(value) == kind
                case .object, .collection: false
                }
            }
        case .keyPath(let other):
            return other.exactKind == kind && (other.target == .entityName) == (path.target == .entityName)
        case .value, .variable, .function, .cast, .conditional, .aggregate, .element: return false
        }
    }

    private func isOfText(_ path: BoundKeyPath) -> Bool {
        guard path.target != .entityName, path.attribute?.attributeType == .string,
            case .value(.attribute(let value)) = right
        else { return false }
        return ExactKind(value) == .text
    }
}
