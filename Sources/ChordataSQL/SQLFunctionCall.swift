internal import ChordataModel
package import ChordataPredicate

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// An argument of a function, valid while the call lasts.
package enum SQLArgument {
    case null
    case integer(Int64)
    case real(Double)
    case text(UnsafeRawBufferPointer)
    case blob(UnsafeRawBufferPointer)
}

/// The implementation of an ``SQLFunction``; one for each function of each connection.
///
/// It keeps the last patterns and lists, so that those of a statement are prepared once for all rows, as long as they
/// are few. Like the connection that it belongs to, it is not thread-safe.
package final class SQLFunctionCall {
    package let function: SQLFunction
    private var patterns = Recent<(text: String, options: String), StringPattern?>()
    private var lists = Recent<Data, ConstantList>()

    package init(_ function: SQLFunction) { self.function = function }

    /// Computes the function; wrong types or a wrong number of arguments result in NULL.
    /// - Throws: ``FetchPredicateError`` when a regular expression takes too long.
    package func callAsFunction(_ arguments: [SQLArgument]) throws(FetchPredicateError) -> SQLValue {
        guard function.argumentCount < 0 || arguments.count == Int(function.argumentCount) else { return .null }
        switch function {
        case .compute: return SQLValue(computed: compute(arguments))
        case .cast:
            guard let type = CastType(rawValue: text(arguments[0])) else { return .null }
            return SQLValue(
                computed: values(arguments[2...], arguments[1])[0].flatMap { evaluateCast($0.value, to: type) }
            )
        case .test:
            guard let operation = ComparisonOperator(rawValue: text(arguments[0])) else { return .null }
            let values = values(arguments[3...], arguments[2], options: arguments[1])
            return .integer(holds(values[0], operation, values[1]) ? 1 : 0)
        case .between:
            let values = values(arguments[2...], arguments[1], options: arguments[0])
            guard let value = values[0], let lower = values[1], let upper = values[2] else { return .integer(0) }
            return .integer(isBetween(value.value, lower.value, upper.value) ? 1 : 0)
        case .member:
            guard case .blob(let list) = arguments[3] else { return .null }
            let value = values(arguments[2...2], arguments[1], options: arguments[0])[0]
            return .integer(prepare(list).contains(value?.value) ? 1 : 0)
        case .fold:
            guard case .text(let text) = arguments[0], case .text(let options) = arguments[1] else { return .null }
            return .text(
                foldedForComparison(
                    String(decoding: text, as: UTF8.self),
                    options: ComparisonOptions(letters: String(decoding: options, as: UTF8.self))
                )
            )
        case .listElement:
            guard case .blob(let list) = arguments[0], case .integer(let index) = arguments[1] else { return .null }
            return SQLValueList.element(of: list, at: Int(index))
        case .contains, .begins, .ends, .like, .matches:
            guard case .text(let text) = arguments[0], case .text(let pattern) = arguments[1],
                case .text(let options) = arguments[2]
            else { return .integer(0) }
            let prepared = prepare(pattern, options)
            return .integer(try prepared?.matches(String(decoding: text, as: UTF8.self)) == true ? 1 : 0)
        }
    }

    /// Returns the pattern for ASCII texts; `nil` if ``callAsFunction(_:)`` must be called for each text.
    package func asciiPattern(_ pattern: UnsafeRawBufferPointer, _ options: UnsafeRawBufferPointer) -> ASCIIPattern? {
        prepare(pattern, options)?.ascii
    }

    // MARK: Values of any form

    private func text(_ argument: SQLArgument) -> String {
        if case .text(let text) = argument { return String(decoding: text, as: UTF8.self) }
        return ""
    }

    /// Returns the values of some arguments, by the letters of their forms; `nil` for arguments that are NULL.
    private func values(
        _ arguments: ArraySlice<SQLArgument>,
        _ forms: SQLArgument,
        options: SQLArgument? = nil
    ) -> [FunctionArgument?] {
        let options = options.map { ComparisonOptions(letters: text($0)) } ?? []
        var letters = text(forms).makeIterator()
        return arguments.map { argument in
            guard let letter = letters.next(), let form = ValueForm(rawValue: letter.lowercased()) else { return nil }
            return form.value(of: argument).map { ($0.folded(options), letter.isUppercase) }
        }
    }

    private func compute(_ arguments: [SQLArgument]) -> AttributeValue? {
        guard arguments.count > 2, let function = PredicateFunction(rawValue: text(arguments[0])),
            function.argumentCounts.contains(arguments.count - 2)
        else { return nil }
        var values: [FunctionArgument] = []
        for value in self.values(arguments[2...], arguments[1]) {
            guard let value else { return nil }
            values.append(value)
        }
        return evaluate(function, values)
    }

    /// Returns the constants of a list.
    private func prepare(_ bytes: UnsafeRawBufferPointer) -> ConstantList {
        lists.value(for: { $0.count == bytes.count && $0.elementsEqual(bytes) }) {
            let values = SQLValueList.decode(bytes).map { $0.withArgument { ValueForm.computed.value(of: $0) } }
            return (Data(bytes), ConstantList(values))
        }
    }

    private func prepare(_ text: UnsafeRawBufferPointer, _ options: UnsafeRawBufferPointer) -> StringPattern? {
        guard let operation = function.comparisonOperator else { return nil }
        return patterns.value(for: { $0.text.utf8.elementsEqual(text) && $0.options.utf8.elementsEqual(options) }) {
            let key = (text: String(decoding: text, as: UTF8.self), options: String(decoding: options, as: UTF8.self))
            return (key, StringPattern(operation, key.text, options: ComparisonOptions(letters: key.options)))
        }
    }
}

/// A cache of the last few results, by their inputs.
private struct Recent<Key, Value> {
    private static var capacity: Int { 8 }
    private var entries: [(key: Key, value: Value)] = []
    private var next = 0

    /// Returns the cached result of a key that a closure recognizes, or a new one.
    mutating func value(for isKey: (Key) -> Bool, make: () -> (Key, Value)) -> Value {
        for index in entries.indices where isKey(entries[index].key) { return entries[index].value }
        let entry = make()
        if entries.count < Self.capacity { entries.append(entry) } else { entries[next] = entry }
        next = (next + 1) % Self.capacity
        return entry.1
    }
}

/// The state of an ``SQLAggregate`` for one group of rows.
package final class SQLAggregateCall {
    private let aggregate: SQLAggregate
    private var values: [AttributeValue?] = []
    private var seen: Set<ExactValue> = []

    package init(_ aggregate: SQLAggregate) { self.aggregate = aggregate }

    /// Adds the arguments of one row: the value, the letter of its form, and whether equal values count only once.
    package func add(_ arguments: [SQLArgument]) {
        guard arguments.count == Int(SQLAggregate.argumentCount), case .text(let letters) = arguments[1],
            let form = ValueForm(rawValue: String(decoding: letters, as: UTF8.self)),
            case .integer(let isDistinct) = arguments[2]
        else { return }
        let value = form.value(of: arguments[0])
        if isDistinct != 0, !seen.insert(ExactValue(value.map { .attribute($0) } ?? .null)).inserted { return }
        values.append(value)
    }

    /// Returns the value of the aggregate for the rows that were added.
    package func result() -> SQLValue { SQLValue(computed: aggregateValues(aggregate.function, values)) }
}

extension SQLValue {
    /// The value as an argument, valid while the body runs.
    func withArgument<Result>(_ body: (SQLArgument) -> Result) -> Result {
        switch self {
        case .null: return body(.null)
        case .integer(let number): return body(.integer(number))
        case .real(let number): return body(.real(number))
        case .text(var text): return text.withUTF8 { body(.text(UnsafeRawBufferPointer($0))) }
        case .blob(let data): return data.withUnsafeBytes { body(.blob($0)) }
        }
    }
}
