/// Writes a predicate as its canonical format string, and tells each part its place in it.
///
/// Printing what was parsed from a printed text gives the same text again.
struct PredicatePrinter {
    private(set) var text = ""
    /// Whether constants are shown as `%@`, for error messages, which carry no user data.
    let hidesValues: Bool

    init(hidesValues: Bool = false) { self.hidesValues = hidesValues }

    private var offset: TextOffset { TextOffset(text.utf8.count) }

    /// Writes a node and gives it back with its places in the written text.
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
            comparison.left = print(comparison.left)
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

    private mutating func print(_ expression: ExpressionNode) -> ExpressionNode {
        let start = offset
        switch expression {
        case .value(let value):
            text += hidesValues && value != .null ? "%@" : PredicateLiteral.text(of: value)
            return expression
        case .keyPath(let path, _):
            text += path.map(Self.escaped).joined(separator: ".")
            return .keyPath(path, offset: start)
        case .variable(let name, _):
            text += "$" + name
            return .variable(name, offset: start)
        case .evaluatedObject:
            text += "SELF"
            return expression
        case .aggregate(let parts):
            text += "{"
            var result: [ExpressionNode] = []
            for (index, part) in parts.enumerated() {
                if index > 0 { text += ", " }
                result.append(print(part))
            }
            text += "}"
            return .aggregate(result)
        }
    }

    private static func escaped(_ key: String) -> String {
        let word = key.uppercased()
        return PredicateKeyword.reserved.contains(word) || PredicateKeyword.contextual.contains(word) ? "#" + key : key
    }
}

extension PredicateNode {
    /// Whether NOT before the node needs parentheses.
    fileprivate var isCompound: Bool {
        switch self {
        case .and(let nodes), .or(let nodes): nodes.count > 1 || nodes.first?.isCompound == true
        case .constant, .not, .comparison: false
        }
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

    /// The predicate with a text of its own that its places refer to, in which constants are shown as `%@`.
    var withPrintedText: FetchPredicate {
        var printer = PredicatePrinter(hidesValues: true)
        let node = printer.print(node)
        return FetchPredicate(node, text: printer.text)
    }
}
