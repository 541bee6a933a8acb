#if !canImport(Darwin)
    internal import Chordata
    internal import ChordataPredicate
    public import Foundation

    /// A predicate that can be converted to a format.
    protocol FetchPredicateConvertible {
        func makeFetchPredicate() throws -> FetchPredicate
    }

    /// A comparison of two expressions.
    ///
    /// Foundation's class with the same name cannot be instantiated on this platform.
    open class NSComparisonPredicate: NSPredicate, FetchPredicateConvertible {
        /// The elements of the left side that must match, if the left side is a collection.
        public enum Modifier: UInt, Sendable {
            /// The left side itself is compared.
            case direct
            /// All elements of the left side must match.
            case all
            /// At least one element of the left side must match.
            case any
        }

        /// The options of a comparison of strings.
        public struct Options: OptionSet, Sendable {
            /// The bits of the options.
            public let rawValue: UInt

            /// Creates options from bits.
            public init(rawValue: UInt) { self.rawValue = rawValue }

            /// Ignores case (`[c]`).
            public static let caseInsensitive = Options(rawValue: 1)
            /// Ignores diacritics (`[d]`).
            public static let diacriticInsensitive = Options(rawValue: 2)
            /// Compares strings as they are, because they are already normalized (`[n]`).
            public static let normalized = Options(rawValue: 4)
        }

        /// The operator of a comparison.
        public enum Operator: UInt, Sendable {
            case lessThan, lessThanOrEqualTo, greaterThan, greaterThanOrEqualTo, equalTo, notEqualTo, matches, like
            case beginsWith, endsWith, `in`
            /// A method of Objective-C objects, which cannot be called on this platform.
            case customSelector
            case contains = 99
            case between = 100

            fileprivate var text: String? {
                switch self {
                case .lessThan: "<"
                case .lessThanOrEqualTo: "<="
                case .greaterThan: ">"
                case .greaterThanOrEqualTo: ">="
                case .equalTo: "=="
                case .notEqualTo: "!="
                case .matches: "MATCHES"
                case .like: "LIKE"
                case .beginsWith: "BEGINSWITH"
                case .endsWith: "ENDSWITH"
                case .in: "IN"
                case .contains: "CONTAINS"
                case .between: "BETWEEN"
                case .customSelector: nil
                }
            }
        }

        /// The left side.
        public let leftExpression: NSExpression
        /// The right side.
        public let rightExpression: NSExpression
        /// The elements of the left side that must match, if the left side is a collection.
        public let comparisonPredicateModifier: Modifier
        /// The operator.
        public let predicateOperatorType: Operator
        /// The options of a comparison of strings.
        public let options: Options

        /// Creates a comparison.
        public init(
            leftExpression lhs: NSExpression,
            rightExpression rhs: NSExpression,
            modifier: Modifier,
            type: Operator,
            options: Options = []
        ) {
            (leftExpression, rightExpression) = (lhs, rhs)
            (comparisonPredicateModifier, predicateOperatorType, self.options) = (modifier, type, options)
            super.init(block: { _, _ in true })
        }

        /// Returns `nil`, because predicates cannot be decoded.
        public required init?(coder: NSCoder) { nil }

        open override var predicateFormat: String {
            (try? makeFetchPredicate())?.description ?? "\(predicateOperatorType)"
        }
        open override var description: String { predicateFormat }
        open override func copy(with zone: NSZone? = nil) -> Any { self }
        open override func isEqual(_ object: Any?) -> Bool {
            (object as? NSComparisonPredicate)?.predicateFormat == predicateFormat
        }
        open override var hash: Int { predicateFormat.hashValue }

        open override func evaluate(with object: Any?, substitutionVariables: [String: Any]?) -> Bool {
            do {
                return FormatPredicate(try makeFetchPredicate())
                    .evaluate(with: object, substitutionVariables: substitutionVariables)
            } catch {
                preconditionFailure("\(error)")
            }
        }

        func makeFetchPredicate() throws -> FetchPredicate {
            guard let symbol = predicateOperatorType.text else {
                throw UnsupportedFeatureError(
                    "a comparison by a selector is not supported on this platform; use another operator"
                )
            }
            let (left, leftArguments) = try leftExpression.format()
            let (right, rightArguments) = try rightExpression.format()
            let modifier = ["", "ALL ", "ANY "][Int(comparisonPredicateModifier.rawValue)]
            let letters = [(Options.caseInsensitive, "c"), (.diacriticInsensitive, "d"), (.normalized, "n")]
                .filter { options.contains($0.0) }.map(\.1).joined()
            return try FetchPredicate(
                format: "\(modifier)\(left) \(symbol)\(letters.isEmpty ? "" : "[\(letters)]") \(right)",
                argumentArray: (leftArguments + rightArguments).map { try predicateArgument($0) }
            )
        }
    }
#endif
