package import ChordataDiagnostics

/// A value of a JSON text, with the location at which it begins.
package struct JSONSyntax: Sendable, Hashable {
    package enum Value: Sendable, Hashable {
        case object([Member])
        case array([JSONSyntax])
        case string(String)
        /// The number as it is written, so that no digit is lost before its type is known.
        case number(String)
        case boolean(Bool)
        case null
    }

    /// A key of an object with its value.
    package struct Member: Sendable, Hashable {
        package var key: String
        package var keyLocation: SourceLocation
        package var value: JSONSyntax
    }

    package var value: Value
    package var location: SourceLocation

    /// The kind of value in words, for diagnostics.
    package var kind: String {
        switch value {
        case .object: "an object"
        case .array: "an array"
        case .string: "a string"
        case .number: "a number"
        case .boolean: "a boolean"
        case .null: "null"
        }
    }
}
