package import ChordataModel
package import ChordataPredicate

/// A sum, difference or product of numbers in one row, which SQL operators compute with the same result as the
/// evaluator in memory.
///
/// If an operand or the result is not a valid value of its attribute, the statement fails.
package struct CheckedArithmetic {
    fileprivate let expression: BoundExpression
    /// The range of the result; `nil` if the column has the same range.
    fileprivate let range: String?
    fileprivate let isRequired: Bool

    /// - Returns: `nil` if the operators of SQL may compute another value than the evaluator in memory.
    package init?(_ expression: BoundExpression, for type: AttributeType, isRequired: Bool) {
        guard case .function = expression, expression.isArithmetic(allowsDoubles: type == .double) else { return nil }
        switch type {
        case .integer16, .integer32, .double: range = type.numberRange
        case .integer64: range = nil
        default: return nil
        }
        (self.expression, self.isRequired) = (expression, isRequired)
    }
}

extension PredicateRenderer {
    /// Renders the value of checked arithmetic; if a check fails, the value is a text, which no column of numbers
    /// accepts.
    mutating func render(_ arithmetic: CheckedArithmetic) -> String {
        var paths: [BoundKeyPath] = []
        for path in arithmetic.expression.operands where !paths.contains(path) { paths.append(path) }
        var checks = [
            render(operation: arithmetic.expression) + (arithmetic.range.map { " BETWEEN \($0)" } ?? " IS NOT NULL")
        ]
        let ranges = paths.compactMap { path in
            path.attribute.flatMap { $0.attributeType == .double ? nil : $0.attributeType.numberRange }
                .map { (column: column(path), range: $0) }
        }
        checks += ranges.map { "\($0.column) BETWEEN \($0.range)" }
        let value = render(operation: arithmetic.expression)
        var text = "CASE WHEN \(checks.joined(separator: " AND ")) THEN \(value)"
        if !arithmetic.isRequired {
            let isMissing = paths.map { column($0) + " IS NULL" }.joined(separator: " OR ")
            let areInRange = ranges.map { " AND (\($0.column) IS NULL OR \($0.column) BETWEEN \($0.range))" }
            text += " WHEN (\(isMissing))\(areInRange.joined()) THEN NULL"
        }
        return text + " ELSE \(dialect.nonNumber) END"
    }

    private mutating func render(operation expression: BoundExpression) -> String {
        switch expression {
        case .value(let value): return bind(value)
        case .keyPath(let path): return column(path)
        case .function(let function, let arguments):
            let left = render(operation: arguments[0])
            return "(\(left) \(function.arithmeticOperator ?? "") \(render(operation: arguments[1])))"
        case .variable, .cast, .conditional, .aggregate, .element:
            preconditionFailure("\(expression) is not arithmetic")
        }
    }
}

extension BoundExpression {
    /// A Boolean value that indicates whether the expression consists only of numbers of the row, constants, and SQL
    /// operators that have the same result as the functions of the evaluator in memory.
    fileprivate func isArithmetic(allowsDoubles: Bool) -> Bool {
        switch self {
        case .value(.attribute(.integer)): true
        case .value(.attribute(.double(let number))): allowsDoubles && number.isFinite
        case .keyPath(let path):
            switch path.attribute?.attributeType {
            case .integer16, .integer32, .integer64: path.isInRow
            case .double: path.isInRow && allowsDoubles
            default: false
            }
        case .function(let function, let arguments):
            function.arithmeticOperator != nil && arguments.allSatisfy { $0.isArithmetic(allowsDoubles: allowsDoubles) }
        case .value, .variable, .cast, .conditional, .aggregate, .element: false
        }
    }

    /// The attributes that are operands of the arithmetic.
    fileprivate var operands: [BoundKeyPath] {
        switch self {
        case .keyPath(let path): [path]
        case .function(_, let arguments): arguments.flatMap(\.operands)
        case .value, .variable, .cast, .conditional, .aggregate, .element: []
        }
    }
}

extension BoundKeyPath {
    fileprivate var isInRow: Bool { root == nil && relationships.isEmpty }
}

extension PredicateFunction {
    /// The SQL operator with the same result, for integers and doubles.
    fileprivate var arithmeticOperator: String? {
        switch self {
        case .add: "+"
        case .subtract: "-"
        case .multiply: "*"
        default: nil
        }
    }
}

extension AttributeType {
    /// The lowest and the highest number, as operands of BETWEEN; `nil` for the type whose range is that of the column.
    fileprivate var numberRange: String? {
        switch self {
        case .integer16: "\(Int16.min) AND \(Int16.max)"
        case .integer32: "\(Int32.min) AND \(Int32.max)"
        case .double: "\(-Double.greatestFiniteMagnitude) AND \(Double.greatestFiniteMagnitude)"
        default: nil
        }
    }
}
