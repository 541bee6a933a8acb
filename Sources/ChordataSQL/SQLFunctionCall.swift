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

    package init(_ function: SQLFunction) { self.function = function }

    /// Computes the function; arguments of a wrong type or number give NULL.
    /// - Throws: ``FetchPredicateError`` when a regular expression takes too long.
    package func callAsFunction(_ arguments: [SQLArgument]) throws(FetchPredicateError) -> SQLValue {
        guard arguments.count == Int(function.argumentCount) else { return .null }
        switch function {
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
