import ChordataModel

/// Writes a predicate as its canonical format string, and records the place of each part.
///
/// If a printed text is parsed and printed again, the result is the same text.
struct PredicatePrinter {
    private(set) var text = ""
    /// A Boolean value that indicates whether constants are shown as `%@`, for error messages, which contain no user
    /// data.
    let hidesValues: Bool

    init(hidesValues: Bool = false) { self.hidesValues = hidesValues }

    private var offset: TextOffset { TextOffset(text.utf8.count) }

    /// Writes a node and returns it with its places in the written text.
    mutating func print(_ node: PredicateNode) -> PredicateNode {
        switch node {
        case .constant(let value):
            text += value ? "TRUEPREDICATE" : "FALSEPREDICATE"
            return node
        case .and(let nodes):
            guard !nodes.isEmpty else { return print(.constant(true)) }
            return .and(printList(nodes, separator: " AND ") { if case .or = $0 { true } else { false } })
        case .or(let nodes):
            guard !nodes.isEmpty else { return print(.constant(false)) }
            return .or(printList(nodes, separator: " OR ") { _ in false })
        case .not(let inner):
            text += "NOT "
            return .not(print(inner, inParentheses: inner.isCompound))
        case .comparison(var comparison):
            let isAggregate = comparison.modifier != .direct
            if isAggregate { text += comparison.modifier.rawValue + " " }
            // A sign after ANY would make ANY a key.
            comparison.left = print(
                comparison.left,
                inParentheses: isAggregate && comparison.left.precedence < ExpressionNode.highestPrecedence
            )
            text += " "
            comparison.offset = offset
            text += comparison.operator.rawValue
            if !comparison.options.isEmpty { text += "[\(comparison.options.letters)]" }
            text += " "
            comparison.right = print(comparison.right)
            return .comparison(comparison)
        }
    }

    private mutating func printList(
        _ nodes: [PredicateNode],
        separator: String,
        needsParentheses: (PredicateNode) -> Bool
    ) -> [PredicateNode] {
        var result: [PredicateNode] = []
        for (index, node) in nodes.enumerated() {
            if index > 0 { text += separator }
            result.append(print(node, inParentheses: nodes.count > 1 && needsParentheses(node)))
        }
        return result
    }

    private mutating func print(_ node: PredicateNode, inParentheses: Bool) -> PredicateNode {
        if inParentheses { text += "(" }
        defer { if inParentheses { text += ")" } }
        return print(node)
    }

    /// Writes an expression and returns it with its places in the written text.
    mutating func print(_ expression: ExpressionNode) -> ExpressionNode {
        let start = offset
        switch expression {
        case .value(let value):
            text += hidesValues && value != .null ? "%@" : PredicateLiteral.text(of: value)
            return expression
        case .evaluatedObject:
            text += "SELF"
            return expression
        case .keyPath(let path, _):
            printKeys(path)
            return .keyPath(path, offset: start)
        case .path(let root, let path, _):
            let root = print(
                root,
                inParentheses: root.precedence < ExpressionNode.highestPrecedence || root.endsWithOperator
            )
            text += "."
            let place = offset
            printKeys(path)
            return .path(root, path, offset: place)
        case .variable(let name, _):
            text += "$" + name
            return .variable(name, offset: start)
        case .aggregate(let parts):
            return .aggregate(print(parts, between: "{", "}"))
        case .function(let function, let arguments, _):
            return print(function, arguments, at: start)
        case .collectionFunction(let function, let collection, _):
            text += function.rawValue
            return .collectionFunction(function, print([collection], between: "(", ")")[0], offset: start)
        case .cast(let operand, let type, _):
            text += "CAST("
            let operand = print(operand)
            text += ", \"\(type.rawValue)\")"
            return .cast(operand, type, offset: start)
        case .conditional(let condition, let first, let second, _):
            text += "TERNARY("
            let condition = print(condition)
            text += ", "
            let first = print(first)
            text += ", "
            let second = print(second)
            text += ")"
            return .conditional(condition, first, second, offset: start)
        case .subquery(let collection, let variable, let condition, _):
            text += "SUBQUERY("
            let collection = print(collection)
            text += ", $\(variable), "
            let condition = print(condition)
            text += ")"
            return .subquery(collection, variable: variable, condition, offset: start)
        case .element(let collection, let index, _):
            let collection = print(collection, inParentheses: collection.precedence < ExpressionNode.highestPrecedence)
            let bracket = offset
            text += "["
            var index = index
            switch index {
            case .first: text += "FIRST"
            case .last: text += "LAST"
            case .at(let position):
                index = .at(print(position))
            }
            text += "]"
            return .element(collection, index, offset: bracket)
        case .assignment(let name, let value, _):
            text += "$\(name) := "
            return .assignment(name, print(value), offset: start)
        }
    }

    private mutating func print(
        _ function: PredicateFunction,
        _ arguments: [ExpressionNode],
        at start: TextOffset
    ) -> ExpressionNode {
        if let sign = function.sign, arguments.count == 2 {
            // Sums and products are left-associative, powers are right-associative.
            let precedence = function.precedence
            let isPower = function == .power
            let left = print(arguments[0], inParentheses: arguments[0].precedence < precedence + (isPower ? 1 : 0))
            text += " "
            let place = offset
            text += sign + " "
            let right = print(arguments[1], inParentheses: arguments[1].precedence < precedence + (isPower ? 0 : 1))
            return .function(function, [left, right], offset: place)
        }
        if function == .negate, arguments.count == 1 {
            text += "-"
            // There are none around another minus, because a sequence of minus signs would be twice as deep as when it
            // was read.
            let needsParentheses = arguments[0].beginsWithNumber || arguments[0].precedence < function.precedence
            return .function(
                function,
                [print(arguments[0], inParentheses: needsParentheses)],
                offset: start
            )
        }
        switch function {
        case .double, .integer:
            text += "FUNCTION("
            let target = print(arguments[0])
            text += ", \"\(function.rawValue)\")"
            return .function(function, [target], offset: start)
        case .random where !arguments.isEmpty:
            text += "random:"
        default:
            text += function.rawValue
        }
        return .function(function, print(arguments, between: "(", ")"), offset: start)
    }

    private mutating func print(
        _ parts: [ExpressionNode],
        between opening: String,
        _ closing: String
    ) -> [ExpressionNode] {
        text += opening
        var result: [ExpressionNode] = []
        for (index, part) in parts.enumerated() {
            if index > 0 { text += ", " }
            result.append(print(part))
        }
        text += closing
        return result
    }

    private mutating func print(_ expression: ExpressionNode, inParentheses: Bool) -> ExpressionNode {
        if inParentheses { text += "(" }
        defer { if inParentheses { text += ")" } }
        return print(expression)
    }

    private mutating func printKeys(_ keys: [String]) {
        text += keys.map(Self.escaped).joined(separator: ".")
    }

    private static func escaped(_ key: String) -> String {
        let word = key.uppercased()
        return PredicateKeyword.reserved.contains(word) || PredicateKeyword.contextual.contains(word) ? "#" + key : key
    }
}

extension ExpressionNode {
    /// The precedence of expressions that never need parentheses.
    fileprivate static let highestPrecedence = 5

    /// The precedence of the printed expression.
    fileprivate var precedence: Int {
        switch self {
        case .function(let function, let arguments, _):
            function.sign == nil || arguments.count == 2 ? function.precedence : Self.highestPrecedence
        case .assignment: 0
        // A minus before a number is a separate sign if a power or a path follows.
        case .value(let value): value.isNegativeNumber ? PredicateFunction.negate.precedence : Self.highestPrecedence
        case .evaluatedObject, .keyPath, .path, .variable, .aggregate, .collectionFunction, .cast, .conditional,
            .subquery, .element:
            Self.highestPrecedence
        }
    }

    /// A Boolean value that indicates whether a minus before the expression, as it is printed, would be read as the
    /// sign of a number.
    fileprivate var beginsWithNumber: Bool {
        switch self {
        case .value(let value): ExpressionType(value) == .number
        case .path(let root, _, _), .element(let root, _, _):
            root.precedence == Self.highestPrecedence && root.beginsWithNumber
        case .function(.power, let arguments, _):
            // A minus before `7 ** 2` belongs to the power.
            if case .value = arguments[0] {
                false
            } else {
                arguments[0].precedence == Self.highestPrecedence && arguments[0].beginsWithNumber
            }
        case .evaluatedObject, .keyPath, .variable, .aggregate, .function, .collectionFunction, .cast, .conditional,
            .subquery, .assignment:
            false
        }
    }
}

extension PredicateValue {
    fileprivate var isNegativeNumber: Bool {
        guard case .attribute(let value) = self else { return false }
        return switch value {
        case .integer(let number): number < 0
        case .double(let number): number.sign == .minus
        // These values are written as a CAST or a word.
        case .decimal, .boolean, .string, .date, .data, .uuid, .url: false
        }
    }
}

extension PredicateNode {
    /// A Boolean value that indicates whether NOT before the node needs parentheses.
    fileprivate var isCompound: Bool {
        switch self {
        case .and(let nodes), .or(let nodes): nodes.count > 1 || nodes.first?.isCompound == true
        case .constant, .not, .comparison: false
        }
    }
}

extension FetchExpression: CustomStringConvertible {
    /// The expression as a format string without placeholders, in one canonical spelling.
    public var description: String {
        var printer = PredicatePrinter()
        _ = printer.print(node)
        return printer.text
    }

    /// The expression with a printed text, to which its places refer and in which constants are shown as `%@`.
    var withPrintedText: FetchExpression {
        var printer = PredicatePrinter(hidesValues: true)
        let node = printer.print(node)
        return FetchExpression(node, text: printer.text)
    }
}

extension FetchPredicate: CustomStringConvertible {
    /// The predicate as a format string without placeholders, in one canonical spelling.
    ///
    /// ```swift
    /// try FetchPredicate(format: "done=YES&&createdAt>%@", date).description
    /// // done == YES AND createdAt > CAST(700000000.0, "NSDate")
    /// ```
    public var description: String {
        var printer = PredicatePrinter()
        _ = printer.print(node)
        return printer.text
    }

    /// The predicate with a printed text, to which its places refer and in which constants are shown as `%@`.
    var withPrintedText: FetchPredicate {
        var printer = PredicatePrinter(hidesValues: true)
        let node = printer.print(node)
        return FetchPredicate(node, text: printer.text)
    }
}
