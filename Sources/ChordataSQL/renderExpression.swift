import ChordataModel
import ChordataPredicate

// Values that are computed by functions that Chordata registers on the connection; the evaluator in memory calls the
// same functions.

extension PredicateRenderer {
    /// A value in SQL, with the information that a function needs about it.
    struct Operand {
        var sql: String
        var form: ValueForm
        var isConstant = false

        /// The letter of the form, as passed to functions.
        var letter: String { isConstant ? form.rawValue.uppercased() : form.rawValue }
    }

    /// Renders a value that is not an object.
    mutating func renderOperand(_ expression: BoundExpression) -> Operand {
        switch expression {
        case .value(let value):
            let parameter = bind(value)
            guard case .attribute(let attribute) = value else { return Operand(sql: parameter, form: .computed) }
            return Operand(sql: parameter, form: ValueForm(attribute), isConstant: true)
        case .keyPath(let path):
            // The column of a value in a side table contains the length of the value.
            let isLength = path.attribute?.isStoredExternally == true && path.attributePath.count == 1
            return Operand(
                sql: column(path),
                form: isLength ? .number : path.attribute.map { ValueForm($0.attributeType) } ?? .number
            )
        case .variable(let variable, _):
            guard case .value(let sql) = place(of: variable) else {
                preconditionFailure("variable \(variable) is an object")
            }
            return Operand(sql: sql, form: .computed)
        case .function(.noIndex, let arguments):
            // Q7.
            let operand = renderOperand(arguments[0])
            return Operand(sql: dialect.withoutIndex(operand.sql), form: operand.form)
        case .function(let function, let arguments):
            let operands = arguments.map { renderOperand($0) }
            return call(.compute, function.rawValue, operands)
        case .cast(let operand, let type): return call(.cast, type.rawValue, [renderOperand(operand)])
        case .conditional(let condition, let first, let second):
            let condition = render(condition)
            let first = renderComputed(first)
            return Operand(
                sql: "CASE WHEN \(condition) THEN \(first) ELSE \(renderComputed(second)) END",
                form: .computed
            )
        case .aggregate(let function, let collection):
            return Operand(sql: renderAggregate(function, collection), form: .computed)
        case .element(let collection, let position):
            let sql = renderElement(of: collection, at: position) { $0.renderComputed(collection.element) }
            return Operand(sql: sql, form: .computed)
        }
    }

    private func call(_ function: SQLFunction, _ name: String, _ operands: [Operand]) -> Operand {
        let letters = operands.map(\.letter).joined()
        let values = operands.map(\.sql).joined(separator: ", ")
        return Operand(sql: dialect.call(function, "'\(name)', '\(letters)', \(values)"), form: .computed)
    }

    /// Renders a value in the form that includes its type.
    mutating func renderComputed(_ expression: BoundExpression) -> String {
        if expression.isObject { return renderKey(expression) }
        let operand = renderOperand(expression)
        return operand.form.isComputed ? operand.sql : call(.compute, PredicateFunction.noIndex.rawValue, [operand]).sql
    }

    /// Renders the key of an object; NULL if there is no object.
    mutating func renderKey(_ expression: BoundExpression) -> String {
        switch expression {
        case .value(let value):
            return bind(value)
        case .keyPath(let path): return column(path)
        case .variable(let variable, _):
            let path = BoundKeyPath(entityName: "", root: variable, relationships: [], target: .object)
            return column(path)
        case .conditional(let condition, let first, let second):
            let condition = render(condition)
            let first = renderKey(first)
            return "CASE WHEN \(condition) THEN \(first) ELSE \(renderKey(second)) END"
        case .function(_, let arguments): return dialect.withoutIndex(renderKey(arguments[0]))
        case .element(let collection, let position):
            return renderElement(of: collection, at: position) { $0.renderKey(collection.element) }
        case .cast, .aggregate: return "NULL"
        }
    }

    // MARK: Comparisons that SQL alone cannot evaluate

    /// Renders a comparison of computed values, or of decimals with other numbers.
    mutating func renderComputedComparison(_ comparison: BoundComparison) -> String {
        let options = comparison.options.letters
        let left = renderOperand(comparison.left)
        switch (comparison.operator, comparison.right) {
        case (.equal, .value(.null)): return "\(left.sql) IS NULL"
        case (.notEqual, .value(.null)): return "\(left.sql) IS NOT NULL"
        case (.between, .value(.collection(let bounds))):
            let operands = [left] + bounds.map { renderOperand(.value($0)) }
            let letters = operands.map(\.letter).joined()
            let values = operands.map(\.sql).joined(separator: ", ")
            return dialect.call(.between, "'\(options)', '\(letters)', \(values)")
        case (.in, .value(.collection(let values))):
            let list = values.map { value in
                guard case .attribute(let attribute) = value else { return SQLValue.null }
                return SQLValue(computed: attribute.folded(comparison.options))
            }
            let parameter = bind(.attribute(.data(SQLValueList.encode(list))))
            return dialect.call(.member, "'\(options)', '\(left.letter)', \(left.sql), \(parameter)")
        default:
            let right = renderOperand(comparison.right)
            return dialect.call(
                .test,
                "'\(comparison.operator.rawValue)', '\(options)', '\(left.letter)\(right.letter)', \(left.sql), \(right.sql)"
            )
        }
    }

    /// Renders a comparison of objects, by their keys.
    mutating func renderObjectComparison(_ comparison: BoundComparison) -> String {
        let left = renderKey(comparison.left)
        let isEqual = comparison.operator == .equal
        guard case .value(let value) = comparison.right else {
            let right = renderKey(comparison.right)
            return isEqual ? dialect.areSame(left, right) : dialect.areDifferent(left, right)
        }
        guard case .object = value else { return left + (isEqual ? " IS NULL" : " IS NOT NULL") }
        let right = renderKey(comparison.right)
        return isEqual ? "\(left) = \(right)" : dialect.areDifferent(left, right)
    }
}

extension BoundComparison {
    /// A Boolean value that indicates whether the database compares the sides with its own operators: columns and
    /// constants, and decimals only with decimals.
    var isOfColumns: Bool {
        guard left.isColumnOrConstant, right.isColumnOrConstant else { return false }
        guard let path = left.column else { return right.column == nil }
        switch right {
        case .value(.collection(let values)): return values.allSatisfy { $0.isDecimal == path.isDecimal || $0 == .null }
        case .value(let value): return value.isDecimal == path.isDecimal || value == .null
        default: return right.column?.isDecimal == path.isDecimal
        }
    }
}

extension BoundExpression {
    /// The key path whose column this expression is; `nil` for other expressions.
    fileprivate var column: BoundKeyPath? {
        switch self {
        case .keyPath(let path): path
        case .function(.noIndex, let arguments): arguments[0].column
        case .value, .variable, .function, .cast, .conditional, .aggregate, .element: nil
        }
    }

    var isColumnOrConstant: Bool {
        if case .value = self { return true }
        return column != nil
    }
}

extension PredicateValue {
    fileprivate var isDecimal: Bool {
        if case .attribute(.decimal) = self { return true }
        return false
    }
}
