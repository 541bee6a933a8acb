import Foundation

@testable import ChordataModel
@testable import ChordataPredicate

/// Reads, prints, binds and evaluates a text as a predicate and as an expression, and traps if a rule is violated.
///
/// The first byte selects the value in ``argumentValues`` at which the arguments of the placeholders begin; the rest is
/// the format, in UTF-8.
public func fuzzPredicate(_ bytes: UnsafeRawBufferPointer) {
    guard let first = bytes.first else { return }
    let format = String(decoding: bytes.dropFirst(), as: UTF8.self)
    // There are as many arguments as percent signs; `x` gives one too many, and `o` gives none.
    let count =
        switch first {
        case UInt8(ascii: "o"): 0
        case UInt8(ascii: "x"): 1 + format.utf8.count { $0 == UInt8(ascii: "%") }
        default: format.utf8.count { $0 == UInt8(ascii: "%") }
        }
    let arguments = (0..<count).map { argumentValues[(Int(first &- UInt8(ascii: "0")) + $0) % argumentValues.count] }
    checkPredicate(format, arguments)
    checkExpression(format, arguments)
}

/// The values of placeholders and variables.
///
/// With the digit `0` as the first byte, the arguments begin with the first.
private nonisolated(unsafe) let argumentValues: [(any PredicateArgument)?] = [
    "name", 1, nil, 2.5, "owner.name", Decimal(string: "1e-100"), Date(timeIntervalSinceReferenceDate: 1e9),
    UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)), Data([1, 2]), URL(string: "http://a.b/?c#d"), true,
    [1, 2, 3], SomeAnimal(key: 2), "pups.@count", Int.min, -Double.infinity, [String](), Double.nan, "e\u{301}\0'\"\\",
    ["a", nil],
]

/// A placeholder for a managed object.
private struct SomeAnimal: PredicateArgument {
    var key: Int64
    var predicateArgumentValue: PredicateArgumentValue {
        PredicateArgumentValue(.object(ObjectReference(rootEntityName: "Animal", key: key)))
    }
}

private nonisolated(unsafe) let rows = FuzzRows()
private let now = Date(timeIntervalSinceReferenceDate: 8e8)

/// The maximum number of steps in an evaluation that the fuzzer runs.
private let maximumStepCount = 20_000.0

// MARK: Predicates

private func checkPredicate(_ format: String, _ arguments: [(any PredicateArgument)?]) {
    guard
        let predicate = checked(
            format,
            { () throws(FetchPredicateError) in
                try FetchPredicate(format: format, argumentArray: arguments)
            }
        )
    else { return }
    let text = predicate.description
    let again: FetchPredicate
    do throws(FetchPredicateError) {
        again = try FetchPredicate(format: text)
    } catch {
        fatalError("what was printed cannot be read: \(text)\n\(error)")
    }
    require(again == predicate && again.hashValue == predicate.hashValue, "printed as something else", text)
    require(again.description == text, "printed in another way the second time: \(again)", text)

    let variables = Dictionary(uniqueKeysWithValues: predicate.variables.map { ($0, variableValue($0)) })
    for allowsTransient in [false, true] {
        let bound = checked(format) { () throws(FetchPredicateError) in
            try bind(predicate, variables, allowsTransient)
        }
        let boundAgain = checked(text) { () throws(FetchPredicateError) in
            try bind(again, variables, allowsTransient)
        }
        // A predicate without a source text, whose errors refer to the printed text.
        let untold = FetchPredicate(predicate.node)
        let boundUntold = checked(nil) { () throws(FetchPredicateError) in
            try bind(untold, variables, allowsTransient)
        }
        require((bound == nil) == (boundAgain == nil), "correct in one spelling only", text)
        require((bound == nil) == (boundUntold == nil), "correct with a text only", text)
        guard let bound, stepCount(bound) < maximumStepCount else { continue }
        // The numbers that random() returns are part of a bound predicate.
        require(bound == boundAgain || text.contains("random"), "bound differently in its two spellings", text)
        let isMet = makeEvaluator(bound, access: rows.access)
        for row in rows.animals {
            _ = checked(nil) { () throws(FetchPredicateError) in try isMet(row) }
        }
    }
    _ = checked(format) { () throws(FetchPredicateError) in
        try inferVariableTypes(of: predicate, entityName: "Animal", model: FuzzModel.model)
    }
}

private func bind(
    _ predicate: FetchPredicate,
    _ variables: [String: PredicateValue],
    _ allowsTransient: Bool
) throws(FetchPredicateError) -> BoundPredicate {
    try predicate.bind(
        to: "Animal",
        in: FuzzModel.model,
        variables: variables,
        now: now,
        allowsTransient: allowsTransient
    )
}

/// Returns a value that only depends on the name.
private func variableValue(_ name: String) -> PredicateValue {
    let sum = name.utf8.reduce(0) { $0 + Int($1) }
    return argumentValues[sum % argumentValues.count]?.predicateArgumentValue.value ?? .null
}

// MARK: Expressions

private func checkExpression(_ format: String, _ arguments: [(any PredicateArgument)?]) {
    guard
        let expression = checked(
            format,
            { () throws(FetchPredicateError) in
                try FetchExpression(format: format, argumentArray: arguments)
            }
        )
    else { return }
    let text = expression.description
    let again: FetchExpression
    do throws(FetchPredicateError) {
        again = try FetchExpression(format: text)
    } catch {
        fatalError("what was printed cannot be read: \(text)\n\(error)")
    }
    require(again == expression && again.hashValue == expression.hashValue, "printed as something else", text)
    require(again.description == text, "printed in another way the second time: \(again)", text)

    for allowsTransient in [false, true] {
        let bound = checked(format) { () throws(FetchPredicateError) in
            try expression.bind(to: "Animal", in: FuzzModel.model, now: now, allowsTransient: allowsTransient)
        }
        guard let bound, !bound.expression.isObject, stepCount(bound.expression) < maximumStepCount else { continue }
        let read = makeReader(bound.expression, access: rows.access)
        for row in rows.animals {
            _ = checked(nil) { () throws(FetchPredicateError) in try read(row) }
        }
    }
}

// MARK: Errors

private func require(_ condition: Bool, _ message: String, _ text: String) {
    if !condition { fatalError("\(message): \(text)") }
}

/// Returns the result of the body, or `nil` if it throws an error that can be shown.
/// - Parameter format: The text to which the error must refer; `nil` for a text that is generated.
private func checked<Result>(
    _ format: String?,
    _ body: () throws(FetchPredicateError) -> Result
) -> Result? {
    do throws(FetchPredicateError) {
        return try body()
    } catch {
        require(format == nil || format == error.format, "an error about another text", error.format)
        require((0...error.format.utf8.count).contains(error.offset), "offset \(error.offset) is outside", error.format)
        require(error.description.hasPrefix(error.message), "a description without the message", error.format)
        return nil
    }
}
