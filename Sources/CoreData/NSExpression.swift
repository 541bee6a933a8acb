#if !canImport(Darwin)
    public import Chordata
    internal import ChordataPredicate
    public import Foundation

    /// A value that is computed from an object.
    ///
    /// Foundation's class with the same name cannot be instantiated on this platform.
    open class NSExpression: NSObject, @unchecked Sendable {  // Immutable.
        private enum Form {
            case text(String, arguments: [Any])
            case constant(Any?)
            case function(String, [NSExpression])
            case aggregate([NSExpression])
        }

        private let form: Form

        private init(_ form: Form) { self.form = form }

        /// Creates an expression from a format string, in the syntax of Core Data's predicates.
        public convenience init(format expressionFormat: String, _ arguments: Any?...) {
            self.init(.text(expressionFormat, arguments: arguments.map { $0 ?? NSNull() }))
        }

        /// Creates an expression from a format string and an array with the values of its placeholders.
        public convenience init(format expressionFormat: String, argumentArray arguments: [Any]) {
            self.init(.text(expressionFormat, arguments: arguments))
        }

        /// Creates an expression for the value of a key path.
        public convenience init(forKeyPath keyPath: String) { self.init(.text("%K", arguments: [keyPath])) }

        /// Creates an expression for the value of a property of a managed object.
        public convenience init<Root: ManagedObject, Value>(forKeyPath keyPath: KeyPath<Root, Value>) {
            guard let path = SortKey.path(of: keyPath) else {
                preconditionFailure("\(keyPath) is not a property of the model")
            }
            self.init(forKeyPath: path)
        }

        /// Creates an expression for the value of a variable, such as an `NSExpressionDescription` in a having
        /// predicate.
        public convenience init(forVariable string: String) { self.init(.text("$\(string)", arguments: [])) }

        /// Creates an expression for a list of expressions.
        public convenience init(forAggregate subexpressions: [Any]) {
            self.init(.aggregate(subexpressions.map { $0 as? NSExpression ?? NSExpression(forConstantValue: $0) }))
        }

        /// Creates an expression for a constant.
        public convenience init(forConstantValue object: Any?) { self.init(.constant(object)) }

        /// Creates an expression for the value of a function of Core Data, such as `sum:`.
        public convenience init(forFunction name: String, arguments parameters: [Any]) {
            let arguments = parameters.map { parameter in
                parameter as? NSExpression ?? NSExpression(forConstantValue: parameter)
            }
            self.init(.function(name, arguments))
        }

        /// Returns an expression for the evaluated object itself.
        public class func expressionForEvaluatedObject() -> NSExpression { NSExpression(.text("SELF", arguments: [])) }

        open override var description: String { (try? fetchExpression())?.description ?? "\(form)" }

        /// The expression in the form that a fetch accepts.
        func fetchExpression() throws -> FetchExpression {
            if case .constant(let value) = form {
                return FetchExpression(forConstantValue: try value.flatMap { try predicateArgument($0) })
            }
            var (text, arguments) = try format()
            (text, arguments) = try spliceFormat(text, arguments)
            return try FetchExpression(format: text, argumentArray: arguments.map { try predicateArgument($0) })
        }

        /// The format of the expression, and its arguments.
        func format() throws -> (text: String, arguments: [Any]) {
            switch form {
            case .text(let text, let arguments): return (text, arguments)
            case .constant(let value): return ("%@", [value ?? NSNull()])
            case .aggregate(let elements):
                let parts = try elements.map { try $0.format() }
                return ("{" + parts.map(\.text).joined(separator: ", ") + "}", parts.flatMap(\.arguments))
            case .function(let name, let parameters):
                let parts = try parameters.map { try $0.format() }
                let arguments = parts.flatMap(\.arguments)
                let names = name.split(separator: ":").map(String.init)
                let texts = parts.map(\.text)
                if let symbol = Self.operators[name], texts.count == 2 {
                    return ("(\(texts[0])) \(symbol) (\(texts[1]))", arguments)
                }
                if texts.isEmpty { return ("\(name)()", []) }
                guard names.count == 1, texts.count == 1 else {
                    throw UnsupportedFeatureError(
                        "the function '\(name)' of an NSExpression is not supported; use one of Core Data's functions, or compute the value in code"
                    )
                }
                return ("\(names[0]):(\(texts[0]))", arguments)
            }
        }

        private static let operators = [
            "add:to:": "+", "from:subtract:": "-", "multiply:by:": "*", "divide:by:": "/", "modulus:by:": "%",
            "raise:toPower:": "**",
        ]
    }
#endif
