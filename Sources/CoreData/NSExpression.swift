#if !canImport(Darwin)
    public import Chordata
    internal import ChordataPredicate
    public import Foundation

    /// A value that is computed from an object.
    ///
    /// Foundation's class with the same name cannot be instantiated on this platform.
    open class NSExpression: NSObject, @unchecked Sendable {  // Immutable.
        /// The kind of an expression.
        public enum ExpressionType: UInt, Sendable {
            /// A constant.
            case constantValue
            /// The evaluated object itself.
            case evaluatedObject
            /// A variable, such as `$name`.
            case variable
            /// The value of a key path.
            case keyPath
            /// A function, or an expression from a format string.
            case function
            /// A list of expressions.
            case aggregate = 14
            /// The objects of a relationship that match a predicate.
            case subquery = 13
            /// One of two expressions, depending on a predicate.
            case conditional = 20
        }

        private enum Form {
            case text(String, arguments: [Any])
            case evaluatedObject
            case keyPath(String)
            case variable(String)
            case constant(Any?)
            case function(String, [NSExpression])
            case aggregate([NSExpression])
            case subquery(NSExpression, variable: String, NSPredicate)
            case conditional(NSPredicate, NSExpression, NSExpression)
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
        public convenience init(forKeyPath keyPath: String) { self.init(.keyPath(keyPath)) }

        /// Creates an expression for the value of a property of a managed object.
        public convenience init<Root: ManagedObject, Value>(forKeyPath keyPath: KeyPath<Root, Value>) {
            guard let path = SortKey.path(of: keyPath) else {
                preconditionFailure("\(keyPath) is not a property of the model")
            }
            self.init(forKeyPath: path)
        }

        /// Creates an expression for the value of a variable, such as an `NSExpressionDescription` in a having
        /// predicate.
        public convenience init(forVariable string: String) { self.init(.variable(string)) }

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
        public class func expressionForEvaluatedObject() -> NSExpression { NSExpression(.evaluatedObject) }

        /// Creates an expression for the objects of a to-many relationship that match a predicate.
        /// - Parameters:
        ///   - expression: The relationship.
        ///   - variable: The name of the variable that is an object of the relationship in the predicate, without `$`.
        ///   - predicate: The predicate, such as `NSPredicate(format: "$book.pages > 100")`.
        public convenience init(
            forSubquery expression: NSExpression,
            usingIteratorVariable variable: String,
            predicate: Any
        ) {
            guard let predicate = predicate as? NSPredicate else {
                preconditionFailure("the predicate of a subquery has type \(type(of: predicate)); use an NSPredicate")
            }
            self.init(.subquery(expression, variable: variable, predicate))
        }

        /// Creates an expression for one of two values, depending on a predicate.
        public convenience init(
            forConditional predicate: NSPredicate,
            trueExpression: NSExpression,
            falseExpression: NSExpression
        ) { self.init(.conditional(predicate, trueExpression, falseExpression)) }

        /// The kind of the expression; for each expression from a format string, `.function`.
        open var expressionType: ExpressionType {
            switch form {
            case .text, .function: .function
            case .evaluatedObject: .evaluatedObject
            case .keyPath: .keyPath
            case .variable: .variable
            case .constant: .constantValue
            case .aggregate: .aggregate
            case .subquery: .subquery
            case .conditional: .conditional
            }
        }

        /// The key path; an expression of another kind traps.
        open var keyPath: String {
            guard case .keyPath(let path) = form else { trap("key path") }
            return path
        }

        /// The name of the variable; an expression of another kind traps.
        open var variable: String {
            switch form {
            case .variable(let name), .subquery(_, let name, _): return name
            case .text, .evaluatedObject, .keyPath, .constant, .function, .aggregate, .conditional: trap("variable")
            }
        }

        /// The value of a constant; an expression of another kind traps.
        open var constantValue: Any? {
            guard case .constant(let value) = form else { trap("constant value") }
            return value
        }

        /// The name of the function; an expression of another kind traps.
        open var function: String {
            guard case .function(let name, _) = form else { trap("function") }
            return name
        }

        /// The arguments of the function; an expression of another kind traps.
        open var arguments: [NSExpression]? {
            guard case .function(_, let arguments) = form else { trap("function") }
            return arguments
        }

        /// The elements of a list, an array of `NSExpression`, or the collection of a subquery; an expression of
        /// another kind traps.
        open var collection: Any {
            switch form {
            case .aggregate(let elements): return elements
            case .subquery(let collection, _, _): return collection
            case .text, .evaluatedObject, .keyPath, .variable, .constant, .function, .conditional: trap("collection")
            }
        }

        /// The predicate of a subquery, or of an expression with two values; an expression of another kind traps.
        open var predicate: NSPredicate {
            switch form {
            case .subquery(_, _, let predicate), .conditional(let predicate, _, _): return predicate
            case .text, .evaluatedObject, .keyPath, .variable, .constant, .function, .aggregate: trap("predicate")
            }
        }

        /// The value of an expression with two values if its predicate is true; an expression of another kind traps.
        open var `true`: NSExpression {
            guard case .conditional(_, let value, _) = form else { trap("value for a true predicate") }
            return value
        }

        /// The value of an expression with two values if its predicate is false; an expression of another kind traps.
        open var `false`: NSExpression {
            guard case .conditional(_, _, let value) = form else { trap("value for a false predicate") }
            return value
        }

        private func trap(_ part: String) -> Never {
            preconditionFailure("the expression '\(self)' has no \(part); check its expressionType first")
        }

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
            case .evaluatedObject: return ("SELF", [])
            case .keyPath(let path): return ("%K", [path])
            case .variable(let name): return ("$" + name, [])
            case .constant(let value): return ("%@", [value ?? NSNull()])
            case .subquery(let expression, let variable, let predicate):
                let (text, arguments) = try expression.format()
                return ("SUBQUERY(\(text), $\(variable), \(try predicate.fetchPredicate()))", arguments)
            case .conditional(let predicate, let first, let second):
                let parts = try [first, second].map { try $0.format() }
                return (
                    "TERNARY(\(try predicate.fetchPredicate()), \(parts[0].text), \(parts[1].text))",
                    parts.flatMap(\.arguments)
                )
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
