/// A Swift expression as a value, for expressions that have several lines or contain text of a model.
indirect enum SwiftExpression: Hashable {
    /// An expression on one line, as it is written.
    case source(String)
    case string(String)
    /// A string literal of several lines, for text that people read in the generated file.
    case multilineString(String)
    case array([SwiftExpression])
    case dictionary([SwiftDictionaryElement])
    case call(SwiftCall)
    /// A closure with one parameter and the lines of its body.
    case closure(parameter: String, body: [String])
}

/// A key with its value in a dictionary literal.
struct SwiftDictionaryElement: Hashable {
    var key: SwiftExpression
    var value: SwiftExpression
}

/// A call with its arguments on lines of their own.
struct SwiftCall: Hashable {
    var name: String
    /// The arguments of each line.
    var argumentLines: [[SwiftArgument]]
    /// A Boolean value that indicates whether the closing parenthesis has a line of its own.
    var hasParenthesisOnOwnLine = false
}

/// An argument with its label.
struct SwiftArgument: Hashable {
    var label: String
    var value: SwiftExpression

    init(_ label: String, _ value: SwiftExpression) {
        self.label = label
        self.value = value
    }
}
