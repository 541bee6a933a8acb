#if !canImport(Darwin)
    internal import Chordata
    internal import Foundation

    /// A part of a predicate's format, outside of quoted strings.
    private enum FormatPart {
        /// A placeholder for an argument, such as `%@` or `%ld`.
        case placeholder(String)
        /// The name after a `$`.
        case variable(String)
        case text(String)
    }

    /// The parts of a format, in order.
    private func parts(of format: String) -> [FormatPart] {
        var parts: [FormatPart] = []
        var text = ""
        var rest = Substring(format)
        func isWord(_ character: Character) -> Bool { character.isLetter || character.isNumber || character == "_" }
        while let first = rest.first {
            rest.removeFirst()
            switch first {
            case "'", "\"":
                text.append(first)
                while let character = rest.popFirst() {
                    text.append(character)
                    if character == "\\", let escaped = rest.popFirst() {
                        text.append(escaped)
                    } else if character == first {
                        break
                    }
                }
            case "%" where rest.first == "%":
                rest.removeFirst()
                text += "%%"
            case "%":
                parts.append(.text(text))
                text = ""
                let length = rest.prefix { "hlqzLtj0123456789.+-#".contains($0) }
                rest = rest.dropFirst(length.count)
                parts.append(.placeholder("%" + length + (rest.popFirst().map(String.init) ?? "")))
            case "$":
                let name = rest.prefix(while: isWord)
                rest = rest.dropFirst(name.count)
                parts.append(.text(text))
                text = ""
                parts.append(.variable(String(name)))
            default: text.append(first)
            }
        }
        return parts + [.text(text)]
    }

    /// Returns a format in which arguments that are expressions or predicates are parts of the text.
    func spliceFormat(_ format: String, _ arguments: [Any]) throws -> (format: String, arguments: [Any]) {
        guard arguments.contains(where: { $0 is NSExpression || $0 is NSPredicate }) else { return (format, arguments) }
        var (result, left): (String, [Any]) = ("", [])
        var remaining = arguments[...]
        for part in parts(of: format) {
            switch part {
            case .text(let text): result += text
            case .variable(let name): result += "$" + name
            case .placeholder(let placeholder):
                switch remaining.popFirst() {
                case let expression as NSExpression:
                    let (text, inner) = try expression.format()
                    // A subquery can be followed by a key path operator, such as `.@count`.
                    result += expression.expressionType == .subquery ? text : "(\(text))"
                    left += inner
                case let predicate as NSPredicate: result += "(\(try predicate.fetchPredicate()))"
                case let argument?:
                    result += placeholder
                    left.append(argument)
                case nil: result += placeholder
                }
            }
        }
        return (result, left + remaining)
    }

    /// Returns a format without placeholders in which variables are replaced with expressions.
    func replaceVariables(in format: String, by expression: (String) throws -> NSExpression?) throws -> String {
        try parts(of: format).map { part in
            switch part {
            case .text(let text): text
            case .placeholder(let placeholder): placeholder
            case .variable(let name): try expression(name).map { "(\(try $0.fetchExpression()))" } ?? "$" + name
            }
        }
        .joined()
    }
#endif
