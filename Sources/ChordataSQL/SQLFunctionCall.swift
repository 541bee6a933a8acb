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

/// What an ``SQLFunction`` does; one for each function of each connection.
///
/// It keeps the last pattern, so that a pattern is prepared once for all rows of a statement. It is not thread-safe, as
/// little as the connection it belongs to.
package final class SQLFunctionCall {
    package let function: SQLFunction
    private var patternText = ""
    private var patternOptions = ""
    private var pattern: StringPattern?
    private var listBytes = Data()
    private var list: [AttributeValue] = []

    package init(_ function: SQLFunction) { self.function = function }

    /// Computes the function; arguments of a wrong type or number give NULL.
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
            return .integer(areRelated(values[0], operation, values[1]) ? 1 : 0)
        case .between:
            let values = values(arguments[2...], arguments[1], options: arguments[0])
            guard let value = values[0], let lower = values[1], let upper = values[2] else { return .integer(0) }
            return .integer(isBetween(value.value, lower.value, upper.value) ? 1 : 0)
        case .member:
            guard case .blob(let list) = arguments[3],
                let value = values(arguments[2...2], arguments[1], options: arguments[0])[0]
            else { return .integer(0) }
            return .integer(isMember(value.value, of: decode(list)) ? 1 : 0)
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

    // MARK: Values of any form

    private func text(_ argument: SQLArgument) -> String {
        if case .text(let text) = argument { return String(decoding: text, as: UTF8.self) }
        return ""
    }

    /// The values of some arguments, by the letters of their forms; `nil` for those that are NULL.
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

    /// The values of a list of constants, which is the same for all rows of a statement.
    private func decode(_ bytes: UnsafeRawBufferPointer) -> [AttributeValue] {
        if listBytes.elementsEqual(bytes) { return list }
        listBytes = Data(bytes)
        list = SQLValueList.decode(bytes).compactMap { $0.withArgument { ValueForm.computed.value(of: $0) } }
        return list
    }

    private func prepare(_ text: UnsafeRawBufferPointer, _ options: UnsafeRawBufferPointer) -> StringPattern? {
        if let pattern, patternText.utf8.elementsEqual(text), patternOptions.utf8.elementsEqual(options) {
            return pattern
        }
        guard let operation = function.comparisonOperator else { return nil }
        patternText = String(decoding: text, as: UTF8.self)
        patternOptions = String(decoding: options, as: UTF8.self)
        pattern = StringPattern(operation, patternText, options: ComparisonOptions(letters: patternOptions))
        return pattern
    }
}

/// What an ``SQLAggregate`` does for one group of rows.
package final class SQLAggregateCall {
    private let aggregate: SQLAggregate
    private var values: [AttributeValue?] = []
    private var seen: Set<ExactValue> = []

    package init(_ aggregate: SQLAggregate) { self.aggregate = aggregate }

    /// Takes the arguments of one row: the value, the letter of its form, and whether equal ones count once.
    package func add(_ arguments: [SQLArgument]) {
        guard arguments.count == Int(SQLAggregate.argumentCount), case .text(let letters) = arguments[1],
            let form = ValueForm(rawValue: String(decoding: letters, as: UTF8.self).lowercased()),
            case .integer(let isDistinct) = arguments[2]
        else { return }
        let value = form.value(of: arguments[0])
        if isDistinct != 0, !seen.insert(ExactValue(value.map { .attribute($0) } ?? .null)).inserted { return }
        values.append(value)
    }

    /// The value for the rows there were.
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
