/// Prints a file; the same declarations always give the same bytes.
func renderSwift(_ file: SwiftFile) -> String {
    var printer = SwiftPrinter()
    for line in file.header { printer.write("// " + commentText(line)) }
    printer.write("")
    for line in file.imports { printer.write(line) }
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
        if !line.isEmpty {
            text += String(repeating: "    ", count: depth)
            text += line
        }
        text += "\n"
    }

    mutating func write(_ declaration: SwiftDeclaration) {
        switch declaration {
        case .type(let type): write(type)
        case .variable(let variable): write(variable)
        case .function(let function): write(function)
        case .line(let line): write(line)
        case .separated(let inner):
            write("")
            write(inner)
        }
    }

    private mutating func write(documentation: [String]) {
        for line in documentation { write(line.isEmpty ? "///" : "/// " + commentText(line)) }
    }

    private mutating func write(_ type: SwiftTypeDeclaration) {
        write(documentation: type.documentation)
        let inheritance = type.inherits.isEmpty ? "" : ": " + type.inherits.joined(separator: ", ")
        write("\(type.introducer) \(type.name)\(inheritance) {")
        depth += 1
        for member in type.members { write(member) }
        depth -= 1
        write("}")
    }

    private mutating func write(_ variable: SwiftVariable) {
        write(documentation: variable.documentation)
        var line = "\(variable.introducer) \(variable.name)"
        if let type = variable.type { line += ": \(type)" }
        if let value = variable.initialValue { line += " = \(value)" }
        guard let getter = variable.getter else {
            // An initial value may have lines of its own, in a multi-line string, which keep their indentation.
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
        let suffix = function.suffix.isEmpty ? "" : " " + function.suffix
        write("\(function.introducer)(\(function.parameters.joined(separator: ", ")))\(suffix) {")
        depth += 1
        for line in function.body { write(line) }
        depth -= 1
        write("}")
    }
}

/// The only writer of a model's text into comments: nothing that ends a line for Swift or hides text gets through.
private func commentText(_ text: String) -> String {
    String(
        String.UnicodeScalarView(
            text.unicodeScalars.map { scalar in
                switch scalar.properties.generalCategory {
                case .control, .format, .lineSeparator, .paragraphSeparator: " "
                default: scalar  // Unicode's list of categories is not ours.
                }
            }
        )
    )
}
