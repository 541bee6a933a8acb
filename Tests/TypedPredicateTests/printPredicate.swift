import Chordata
import ChordataModel
import ChordataPredicate
import Foundation
import Testing

/// Returns the tree as a format string, with every AND, OR and argument in parentheses.
func printed(_ node: PredicateNode) -> String {
    switch node {
    case .constant(let value): value ? "TRUEPREDICATE" : "FALSEPREDICATE"
    case .and(let nodes): "(" + nodes.map(printed).joined(separator: " AND ") + ")"
    case .or(let nodes): "(" + nodes.map(printed).joined(separator: " OR ") + ")"
    case .not(let node): "NOT " + printed(node)
    case .comparison(let comparison):
        (comparison.modifier == .direct ? "" : comparison.modifier.rawValue + " ")
            + printed(comparison.left) + " " + comparison.operator.rawValue
            + (comparison.options.isEmpty ? "" : "[\(comparison.options.letters)]")
            + " " + printed(comparison.right)
    }
}

func printed(_ node: ExpressionNode) -> String {
    switch node {
    case .value(let value): printed(value)
    case .evaluatedObject: "SELF"
    case .keyPath(let keys, _): keys.joined(separator: ".")
    case .path(let base, let keys, _): printed(base) + "." + keys.joined(separator: ".")
    case .variable(let name, _): "$" + name
    case .aggregate(let parts): "{" + parts.map(printed).joined(separator: ", ") + "}"
    case .function(let function, let arguments, _):
        if let sign = function.sign {
            "(" + arguments.map(printed).joined(separator: " \(sign) ") + ")"
        } else {
            function.rawValue + "(" + arguments.map(printed).joined(separator: ", ") + ")"
        }
    case .collectionFunction(let function, let argument, _): function.rawValue + "(" + printed(argument) + ")"
    case .cast(let value, let type, _): "CAST(\(printed(value)), '\(type.rawValue)')"
    case .conditional(let test, let first, let second, _):
        "TERNARY(\(printed(test)), \(printed(first)), \(printed(second)))"
    case .subquery(let collection, let variable, let condition, _):
        "SUBQUERY(\(printed(collection)), $\(variable), \(printed(condition)))"
    case .element(let collection, .first, _): printed(collection) + "[FIRST]"
    case .element(let collection, .last, _): printed(collection) + "[LAST]"
    case .element(let collection, .at(let index), _): printed(collection) + "[\(printed(index))]"
    case .assignment(let name, let value, _): "$\(name) := \(printed(value))"
    }
}

func printed(_ value: PredicateValue) -> String {
    switch value {
    case .null: "nil"
    case .object: "OBJECT"
    case .collection(let values): "{" + values.map(printed).joined(separator: ", ") + "}"
    case .attribute(.integer(let number)): "\(number)"
    case .attribute(.double(let number)): "\(number)"
    case .attribute(.decimal(let number)): "d\(number)"
    case .attribute(.string(let text)): "'\(text)'"
    case .attribute(.boolean(let value)): value ? "YES" : "NO"
    case .attribute(.date(let date)): "date(\(date.timeIntervalSinceReferenceDate))"
    case .attribute(.data(let data)): "data(\(data.count))"
    case .attribute(.uuid(let uuid)): "uuid(\(uuid.uuidString.prefix(8)))"
    case .attribute(.url(let url)): "url(\(url.absoluteString))"
    }
}

func expect<Object: ManagedObject>(
    _ predicate: Predicate<Object>,
    _ text: String,
    at location: SourceLocation = #_sourceLocation
) {
    do {
        #expect(printed(try FetchPredicate(predicate).node) == text, sourceLocation: location)
    } catch {
        Issue.record(error, sourceLocation: location)
    }
}

func expect<Object: ManagedObject>(
    _ predicate: TypedPredicate<Object>,
    _ text: String,
    at location: SourceLocation = #_sourceLocation
) {
    #expect(printed(FetchPredicate(predicate).node) == text, sourceLocation: location)
}

func expect<Object: ManagedObject>(
    _ predicate: Predicate<Object>,
    failsWith message: String,
    at location: SourceLocation = #_sourceLocation
) {
    let expected = FetchPredicateError(.unsupported, message, at: 0, in: "")
    #expect(throws: expected, sourceLocation: location) { try FetchPredicate(predicate) }
}
