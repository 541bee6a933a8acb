/// A function of single values, by the name it has in a format.
///
/// An argument that is nil makes the result nil, and so does a result that is not a number.
package enum PredicateFunction: String, Sendable, Hashable, CaseIterable {
    // The signs `+ - * / **`, and `-` before a value.
    case add = "add:to:"
    case subtract = "from:subtract:"
    case multiply = "multiply:by:"
    case divide = "divide:by:"
    case power = "raise:toPower:"
    case negate = "negate:"

    case modulus = "modulus:by:"
    case sqrt = "sqrt:"
    case log = "log:"
    case ln = "ln:"
    case exp = "exp:"
    case floor = "floor:"
    case ceiling = "ceiling:"
    case abs = "abs:"
    case trunc = "trunc:"

    case bitwiseAnd = "bitwiseAnd:with:"
    case bitwiseOr = "bitwiseOr:with:"
    case bitwiseXor = "bitwiseXor:with:"
    case leftShift = "leftshift:by:"
    case rightShift = "rightshift:by:"
    case onesComplement = "onesComplement:"

    case uppercase = "uppercase:"
    case lowercase = "lowercase:"
    case canonical = "canonical:"
    case length = "length:"

    /// The number as a double, or the number that a string spells; written `FUNCTION(x, "doubleValue")`.
    case double = "doubleValue"
    /// The number without its fraction, or the number that a string spells; written `FUNCTION(x, "integerValue")`.
    case integer = "integerValue"

    /// The value itself, for which no index is used.
    case noIndex = "noindex:"
    /// The time at which the predicate was bound.
    case now = "now"
    /// A random number that was generated when the predicate was bound: from 0 up to 1, or a whole number below the
    /// argument.
    case random = "random"

    /// The smallest and the largest number of arguments that the function accepts.
    package var argumentCounts: ClosedRange<Int> {
        switch self {
        case .now: 0...0
        case .random: 0...1
        case .add, .subtract, .multiply, .divide, .power, .modulus, .bitwiseAnd, .bitwiseOr, .bitwiseXor, .leftShift,
            .rightShift:
            2...2
        case .negate, .sqrt, .log, .ln, .exp, .floor, .ceiling, .abs, .trunc, .onesComplement, .uppercase, .lowercase,
            .canonical, .length, .double, .integer, .noIndex:
            1...1
        }
    }

    /// The sign between the arguments; `nil` for functions that are written as a call.
    package var sign: String? {
        switch self {
        case .add: "+"
        case .subtract: "-"
        case .multiply: "*"
        case .divide: "/"
        case .power: "**"
        default: nil
        }
    }

    /// The sign that a format may have in place of a call: ``sign``, and the signs of bit operations, which are printed
    /// as calls.
    var parsedSign: String? {
        switch self {
        case .bitwiseAnd: "&"
        case .bitwiseXor: "^"
        case .bitwiseOr: "|"
        case .leftShift: "<<"
        case .rightShift: ">>"
        default: sign
        }
    }

    /// The precedence of a sign of a format, from 1, the lowest: the signs of bit operations are ordered as in C, but
    /// all of them bind more tightly than comparisons.
    var parsedPrecedence: Int {
        switch self {
        case .bitwiseOr: 1
        case .bitwiseXor: 2
        case .bitwiseAnd: 3
        case .leftShift, .rightShift: 4
        default: 4 + precedence
        }
    }

    /// The precedence of a sign, from 1, the lowest; calls bind most tightly.
    var precedence: Int {
        switch self {
        case .add, .subtract: 1
        case .multiply, .divide: 2
        case .negate: 3
        case .power: 4
        default: 5
        }
    }
}

/// A function of a collection, by the name it has in a format.
package enum CollectionFunction: String, Sendable, Hashable, CaseIterable {
    case count = "count:"
    case sum = "sum:"
    case average = "average:"
    case min = "min:"
    case max = "max:"
    case median = "median:"
    case mode = "mode:"
    case stddev = "stddev:"

    /// Creates the function for a key of a path: `@count`, `@sum`, `@avg`, `@min`, `@max`.
    init?(pathOperator key: String) {
        switch key {
        case "@count": self = .count
        case "@sum": self = .sum
        case "@avg": self = .average
        case "@min": self = .min
        case "@max": self = .max
        default: return nil
        }
    }
}

/// The types of casts, by their names in a format.
package enum CastType: String, Sendable, Hashable, CaseIterable {
    case string = "NSString"
    case number = "NSNumber"
    case decimal = "NSDecimalNumber"
    case date = "NSDate"
    case uuid = "NSUUID"
    case url = "NSURL"
    case data = "NSData"
    case objectID = "NSManagedObjectID"
}
