/// Returns a Boolean value that indicates whether a model or a configuration can use a text as a name in Swift: at most
/// 128 letters A to Z and a to z, digits and underscores that do not begin with a digit and are not a single
/// underscore.
package func isSwiftIdentifier(_ text: String) -> Bool {
    guard let first = text.utf8.first, !(48...57).contains(first), text != "_", text.utf8.count <= 128 else {
        return false
    }
    return text.utf8.allSatisfy {
        (65...90).contains($0) || (97...122).contains($0) || (48...57).contains($0) || $0 == 95
    }
}

/// Swift's reserved words, https://docs.swift.org/swift-book/ReferenceManual/LexicalStructure.html.
package let swiftKeywords: Set<String> = [
    "associatedtype", "class", "deinit", "enum", "extension", "fileprivate", "func", "import", "init", "inout",
    "internal", "let", "open", "operator", "private", "precedencegroup", "protocol", "public", "rethrows", "static",
    "struct", "subscript", "typealias", "var", "break", "case", "catch", "continue", "default", "defer", "do",
    "else", "fallthrough", "for", "guard", "if", "in", "repeat", "return", "throw", "switch", "where", "while",
    "Any", "as", "await", "catch", "false", "is", "nil", "self", "Self", "super", "throws", "true", "try", "Type",
    "Protocol",
]
