internal import ChordataConfiguration
internal import ChordataModel

/// Prints a file; the same declarations always give the same bytes.
func renderSwift(_ file: SwiftFile) -> String {
    var printer = SwiftPrinter()
    for line in file.header { printer.write("// " + oneLine(line)) }
    if !file.header.isEmpty { printer.write("") }
    for statement in file.imports { printer.write(statement) }
    for declaration in file.declarations {
        printer.write("")
        printer.write(declaration)
    }
    return printer.text
}

private struct SwiftPrinter {
    private(set) var text = ""
    private var depth = 0

    mutating func write(_ line: String) {
        if !line.isEmpty { text += indentation(depth) + line }
        text += "\n"
    }

    mutating func write(_ statement: SwiftImport) {
        write(words(statement.attributes, statement.access, keyword: "import") + " " + statement.module)
    }

    // MARK: Declarations

    mutating func write(_ declaration: SwiftDeclaration) {
        switch declaration {
        case .type(let type): write(type)
        case .extension(let declaration): write(declaration)
        case .typealias(let declaration): write(declaration)
        case .variable(let variable): write(variable)
        case .function(let function): write(function)
        case .enumerationCase(let name): write("case " + name)
        case .separated(let inner):
            write("")
            write(inner)
        }
    }

    private mutating func write(documentation: [String]) {
        for line in documentation { write(line.isEmpty ? "///" : "/// " + oneLine(line)) }
    }

    private mutating func write(_ type: SwiftTypeDeclaration) {
        write(documentation: type.documentation)
        let introducer = words([], type.access, type.modifiers, keyword: type.kind.rawValue)
        let inheritance = type.inherits.isEmpty ? "" : ": " + list(type.inherits.map(\.description))
        write("\(introducer) \(type.name)\(inheritance)", members: type.members)
    }

    private mutating func write(_ declaration: SwiftExtension) {
        let introducer = words([], .internal, declaration.modifiers, keyword: "extension")
        let requirement = declaration.selfType.map { " where Self == \($0)" } ?? ""
        write("\(introducer) \(declaration.extendedType)\(requirement)", members: declaration.members)
    }

    private mutating func write(_ introducer: String, members: [SwiftDeclaration]) {
        write(introducer + " {")
        depth += 1
        for member in members { write(member) }
        depth -= 1
        write("}")
    }

    private mutating func write(_ declaration: SwiftTypealias) {
        write(documentation: declaration.documentation)
        let introducer = words([], declaration.access, keyword: "typealias")
        write("\(introducer) \(declaration.name) = \(declaration.type)")
    }

    private mutating func write(_ variable: SwiftVariable) {
        write(documentation: variable.documentation)
        let introducer = words(
            variable.attributes,
            variable.access,
            variable.modifiers,
            variable.setterAccess,
            keyword: variable.kind.rawValue
        )
        var line = "\(introducer) \(variable.name)"
        if let type = variable.type { line += ": \(type)" }
        if let value = variable.initialValue { line += " = \(source(of: value, depth))" }
        guard let getter = variable.getter else {
            write(line)
            return
        }
        guard let setter = variable.setter else {
            write("\(line) { \(getter) }")
            return
        }
        write("\(line) {")
        depth += 1
        write("get { \(getter) }")
        write("set { \(setter) }")
        depth -= 1
        write("}")
    }

    private mutating func write(_ function: SwiftFunction) {
        write(documentation: function.documentation)
        let introducer: String =
            switch function.kind {
            case .function(let name):
                words(function.attributes, function.access, function.modifiers, keyword: "func") + " " + name
            case .initializer: words(function.attributes, function.access, function.modifiers, keyword: "init")
            }
        let effect = function.errorType.map { " throws(\($0))" } ?? ""
        let result = function.resultType.map { " -> \($0)" } ?? ""
        write("\(introducer)(\(list(function.parameters.map(source))))\(effect)\(result) {")
        depth += 1
        for line in function.body { write(line) }
        depth -= 1
        write("}")
    }

    private func source(of parameter: SwiftParameter) -> String {
        let label = parameter.label.map { "\($0) " } ?? ""
        let defaultValue = parameter.defaultValue.map { " = \(source(of: $0, depth))" } ?? ""
        return "\(label)\(parameter.name): \(parameter.isInout ? "inout " : "")\(parameter.type)\(defaultValue)"
    }

    /// The words of a declaration before its name.
    private func words(
        _ attributes: [SwiftAttribute],
        _ access: SwiftAccess,
        _ modifiers: Set<SwiftModifier> = [],
        _ setterAccess: SwiftAccess? = nil,
        keyword: String
    ) -> String {
        var words = attributes.map(\.rawValue)
        if modifiers.contains(.override) { words.append(SwiftModifier.override.rawValue) }
        if access != .internal { words.append(access.rawValue) }
        words += SwiftModifier.allCases.filter { $0 != .override && modifiers.contains($0) }.map(\.rawValue)
        if let setterAccess { words.append("\(setterAccess.rawValue)(set)") }
        return (words + [keyword]).joined(separator: " ")
    }

    // MARK: Expressions

    /// The source of an expression, whose lines after the first have their indentation.
    /// - Parameter depth: the depth of the line that it begins on.
    private func source(of expression: SwiftExpression, _ depth: Int) -> String {
        switch expression {
        case .source(let text): text
        case .string(let text): swiftLiteral(text)
        case .multilineString(let text): swiftMultilineLiteral(text, indentation: indentation(depth + 1))
        case .array(let elements): "[\(list(elements.map { source(of: $0, depth) }))]"
        case .dictionary(let elements):
            elements.isEmpty
                ? "[:]" : "[\(list(elements.map { "\(source(of: $0.key, depth)): \(source(of: $0.value, depth))" }))]"
        case .call(let call): source(of: call, depth)
        case .closure(let parameter, let body):
            "{ \(parameter) in\n" + body.map { indentation(depth + 1) + $0 + "\n" }.joined() + indentation(depth) + "}"
        }
    }

    private func source(of call: SwiftCall, _ depth: Int) -> String {
        let lines = call.argumentLines.map { arguments in
            indentation(depth + 1) + list(arguments.map { "\($0.label): \(source(of: $0.value, depth + 1))" })
        }
        let end = call.hasParenthesisOnOwnLine ? "\n" + indentation(depth) : ""
        return "\(call.name)(\n\(lines.joined(separator: ",\n"))\(end))"
    }

    private func list(_ elements: [String]) -> String { elements.joined(separator: ", ") }

    private func indentation(_ depth: Int) -> String { String(repeating: "    ", count: depth) }
}
