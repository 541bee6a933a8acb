import ChordataModel
import ChordataPredicate
import Foundation

/// The arithmetic, order, aggregates and casts of the naive evaluator.
enum NaiveNumber {
    /// Two numbers, converted to the kind in which they are computed or compared.
    enum Pair {
        case integers(Int64, Int64)
        case doubles(Double, Double)
        case decimals(Decimal, Decimal)
    }

    // MARK: Kinds

    /// Returns an integer or a Boolean as an integer.
    static func integer(_ value: AttributeValue) -> Int64? {
        switch value {
        case .integer(let number): number
        case .boolean(let flag): flag ? 1 : 0
        case .double, .decimal, .string, .date, .data, .uuid, .url: nil
        }
    }

    static func double(_ value: AttributeValue) -> Double {
        switch value {
        case .integer(let number): return Double(number)
        case .boolean(let flag): return flag ? 1 : 0
        case .double(let number): return number
        case .decimal(let number):
            guard let double = Double("\(number)") else { fatalError("\(number) is not a number") }
            return double
        case .string, .date, .data, .uuid, .url: fatalError("\(value) is not a number")
        }
    }

    /// Returns `nil` for numbers that a decimal cannot represent: NaN, the infinities, and numbers that are too large
    /// or too small.
    static func decimal(_ number: Double) -> Decimal? {
        Decimal(string: "\(number)").flatMap { $0.isNaN ? nil : $0 }
    }

    static func pair(_ a: AttributeValue, _ b: AttributeValue, constants: (Bool, Bool)) -> Pair {
        if let a = integer(a), let b = integer(b) { return .integers(a, b) }
        func asDecimal(_ value: AttributeValue, _ isConstant: Bool) -> Decimal? {
            if let number = integer(value) { return Decimal(number) }
            if case .decimal(let number) = value { return number }
            return isConstant ? decimal(double(value)) : nil
        }
        var hasDecimal = false
        if case .decimal = a { hasDecimal = true }
        if case .decimal = b { hasDecimal = true }
        if hasDecimal, let a = asDecimal(a, constants.0), let b = asDecimal(b, constants.1) { return .decimals(a, b) }
        return .doubles(double(a), double(b))
    }

    private static func number(_ value: Double) -> AttributeValue? { value.isNaN ? nil : .double(value) }
    private static func number(_ value: Decimal) -> AttributeValue? { value.isNaN ? nil : .decimal(value) }
    private static func date(_ seconds: Double) -> AttributeValue? {
        seconds.isNaN ? nil : .date(Date(timeIntervalSinceReferenceDate: seconds))
    }

    // MARK: Order

    /// Returns -1, 0 or 1.
    static func order(
        _ a: AttributeValue,
        _ b: AttributeValue,
        constants: (Bool, Bool) = (false, false),
        _ options: ComparisonOptions = []
    ) -> Int {
        switch (a, b) {
        case (.string(let a), .string(let b)):
            return bytes(NaiveText.folded(a, options).utf8, NaiveText.folded(b, options).utf8)
        case (.date(let a), .date(let b)):
            return sign(a.timeIntervalSinceReferenceDate, b.timeIntervalSinceReferenceDate)
        case (.data(let a), .data(let b)): return bytes(a, b)
        case (.uuid(let a), .uuid(let b)):
            return bytes(withUnsafeBytes(of: a.uuid) { Array($0) }, withUnsafeBytes(of: b.uuid) { Array($0) })
        case (.url(let a), .url(let b)): return bytes(a.absoluteString.utf8, b.absoluteString.utf8)
        case (.string(let text), _) where constants.0: return order(read(text, as: b), b)
        case (_, .string(let text)) where constants.1: return order(a, read(text, as: a))
        case (.double(let a), _) where integer(b) != nil: return -exact(integer(b) ?? 0, a)
        case (_, .double(let b)) where integer(a) != nil:
            // It does not matter whether the double is a constant: only next to a decimal would it be converted to a
            // decimal.
            return exact(integer(a) ?? 0, b)
        case (_, _):
            switch pair(a, b, constants: constants) {
            case .integers(let a, let b): return sign(a, b)
            case .doubles(let a, let b): return sign(a, b)
            case .decimals(let a, let b): return sign(a, b)
            }
        }
    }

    private static func sign<T: Comparable>(_ a: T, _ b: T) -> Int { a < b ? -1 : (a == b ? 0 : 1) }

    private static func bytes(_ a: some Sequence<UInt8>, _ b: some Sequence<UInt8>) -> Int {
        let (a, b) = (Array(a), Array(b))
        return a == b ? 0 : (a.lexicographicallyPrecedes(b) ? -1 : 1)
    }

    /// Compares an integer with a double, without a lossy conversion of either.
    private static func exact(_ integer: Int64, _ double: Double) -> Int {
        if double >= 0x1p63 { return -1 }
        if double < -0x1p63 { return 1 }
        let whole = double.rounded(.towardZero)
        return integer != Int64(whole) ? sign(integer, Int64(whole)) : sign(0, double - whole)
    }

    /// Converts a string constant that is compared with a UUID, URL or decimal.
    private static func read(_ text: String, as other: AttributeValue) -> AttributeValue {
        switch other {
        case .uuid: if let uuid = UUID(uuidString: text) { return .uuid(uuid) }
        case .url: if let url = URL(string: text) { return .url(url) }
        case .decimal: if let decimal = decimal(spelt: text) { return .decimal(decimal) }
        case .integer, .double, .string, .boolean, .date, .data: break
        }
        fatalError("'\(text)' cannot be compared with \(other)")
    }

    // MARK: Functions

    static func call(_ function: PredicateFunction, _ operands: [NaiveOperand]) -> NaiveValue {
        if function == .noIndex { return operands[0].value }
        if function == .now || function == .random { fatalError("\(function) is not supported") }
        var arguments: [AttributeValue] = []
        for operand in operands {
            switch operand.value {
            case .none: return .none
            case .value(let value): arguments.append(value)
            case .object, .reference, .list: fatalError("\(function) of what is not a value")
            }
        }
        let result =
            arguments.count == 1
            ? call(function, arguments[0])
            : call(function, arguments[0], arguments[1], constants: (operands[0].isConstant, operands[1].isConstant))
        return result.map { .value($0) } ?? .none
    }

    private static func call(_ function: PredicateFunction, _ value: AttributeValue) -> AttributeValue? {
        switch function {
        case .uppercase: return .string(string(value).uppercased())
        case .lowercase: return .string(string(value).lowercased())
        case .canonical: return .string(NaiveText.folded(string(value), [.caseInsensitive, .diacriticInsensitive]))
        case .length: return .integer(Int64(string(value).unicodeScalars.count))
        case .negate: return call(.subtract, .integer(0), value, constants: (false, false))
        case .sqrt: return number(Foundation.sqrt(double(value)))
        case .exp: return number(Foundation.exp(double(value)))
        case .ln: return double(value) <= 0 ? nil : number(Foundation.log(double(value)))
        case .log: return double(value) <= 0 ? nil : number(Foundation.log10(double(value)))
        case .onesComplement: return bits(value).map { .integer(~$0) }
        case .abs:
            if let integer = integer(value) { return integer == .min ? .double(0x1p63) : .integer(Swift.abs(integer)) }
            if case .decimal(let decimal) = value { return .decimal(decimal < 0 ? 0 - decimal : decimal) }
            return number(Swift.abs(double(value)))
        case .floor: return rounded(value, .down)
        case .ceiling: return rounded(value, .up)
        case .trunc: return rounded(value, .towardZero)
        case .double: return cast(value, to: .number).map { .double(double($0)) }
        case .integer:
            return cast(value, to: .number).flatMap { rounded($0, .towardZero) }.flatMap(bits).map { .integer($0) }
        case .add, .subtract, .multiply, .divide, .power, .modulus, .bitwiseAnd, .bitwiseOr, .bitwiseXor, .leftShift,
            .rightShift, .noIndex, .now, .random:
            fatalError("\(function) has not one argument")
        }
    }

    private static func call(
        _ function: PredicateFunction,
        _ a: AttributeValue,
        _ b: AttributeValue,
        constants: (Bool, Bool)
    ) -> AttributeValue? {
        switch (function, a, b) {
        case (.subtract, .date(let a), .date(let b)):
            return number(a.timeIntervalSinceReferenceDate - b.timeIntervalSinceReferenceDate)
        case (.add, .date(let a), _): return date(a.timeIntervalSinceReferenceDate + double(b))
        case (.add, _, .date(let b)): return date(double(a) + b.timeIntervalSinceReferenceDate)
        case (.subtract, .date(let a), _): return date(a.timeIntervalSinceReferenceDate - double(b))
        case (.bitwiseAnd, _, _), (.bitwiseOr, _, _), (.bitwiseXor, _, _), (.leftShift, _, _), (.rightShift, _, _):
            guard let a = bits(a), let b = bits(b) else { return nil }
            switch function {
            case .bitwiseAnd: return .integer(a & b)
            case .bitwiseOr: return .integer(a | b)
            case .bitwiseXor: return .integer(a ^ b)
            // For a negative distance, Swift's operators shift in the other direction; for a large one, they give 0 or
            // the sign.
            case .leftShift: return .integer(a << b)
            default: return .integer(a >> b)
            }
        case (.power, _, _):
            if let base = integer(a), let exponent = integer(b), exponent >= 0, let result = power(base, exponent) {
                return .integer(result)
            }
            if double(a) == 0, double(b) < 0 { return nil }
            return number(pow(double(a), double(b)))
        case (_, _, _): break
        }
        switch pair(a, b, constants: constants) {
        case .integers(let a, let b):
            let result: (partialValue: Int64, overflow: Bool)
            switch function {
            case .add: result = a.addingReportingOverflow(b)
            case .subtract: result = a.subtractingReportingOverflow(b)
            case .multiply: result = a.multipliedReportingOverflow(by: b)
            case .divide, .modulus:
                if b == 0 { return nil }
                result =
                    function == .divide
                    ? a.dividedReportingOverflow(by: b) : a.remainderReportingOverflow(dividingBy: b)
            default: fatalError("\(function) has not two arguments")
            }
            // A division by -1 has no remainder, whether or not the quotient fits.
            if function == .modulus { return .integer(result.partialValue) }
            return result.overflow ? doubles(function, Double(a), Double(b)) : .integer(result.partialValue)
        case .doubles(let a, let b): return doubles(function, a, b)
        case .decimals(let a, let b):
            switch function {
            case .add: return number(a + b)
            case .subtract: return number(a - b)
            case .multiply: return number(a * b)
            case .divide: return b == 0 ? nil : number(a / b)
            case .modulus:
                if b == 0 { return nil }
                guard case .decimal(let quotient) = rounded(.decimal(a / b), .towardZero) else { return nil }
                let rest = a - quotient * b
                return abs(rest) < abs(b) ? number(rest) : nil
            default: fatalError("\(function) has not two arguments")
            }
        }
    }

    private static func doubles(_ function: PredicateFunction, _ a: Double, _ b: Double) -> AttributeValue? {
        switch function {
        case .add: number(a + b)
        case .subtract: number(a - b)
        case .multiply: number(a * b)
        case .divide: b == 0 ? nil : number(a / b)
        case .modulus: b == 0 ? nil : number(a.truncatingRemainder(dividingBy: b))
        default: fatalError("\(function) has not two arguments")
        }
    }

    /// Returns `nil` if the result does not fit.
    private static func power(_ base: Int64, _ exponent: Int64) -> Int64? {
        if base == 0 || base == 1 { return exponent == 0 ? 1 : base }
        if base == -1 { return exponent % 2 == 0 ? 1 : -1 }
        var result: Int64 = 1
        for _ in 0..<min(exponent, 65) {
            let (product, overflow) = result.multipliedReportingOverflow(by: base)
            if overflow { return nil }
            result = product
        }
        return result
    }

    private static func rounded(_ value: AttributeValue, _ rule: FloatingPointRoundingRule) -> AttributeValue? {
        if let integer = integer(value) { return .integer(integer) }
        guard case .decimal(var decimal) = value else { return number(double(value).rounded(rule)) }
        if decimal.isNaN { return nil }
        let down = rule == .down || (rule == .towardZero && decimal >= 0)
        var result = Decimal()
        NSDecimalRound(&result, &decimal, 0, down ? .down : .up)
        return number(result)
    }

    /// Returns an operand of a bitwise function, or `nil` if it has a fraction or does not fit.
    private static func bits(_ value: AttributeValue) -> Int64? {
        if case .double(let number) = value { return Int64(exactly: number) }
        if case .decimal(let number) = value { return Int64("\(number)") }
        guard let integer = integer(value) else { fatalError("\(value) is not a number") }
        return integer
    }

    private static func string(_ value: AttributeValue) -> String {
        guard case .string(let string) = value else { fatalError("\(value) is not a string") }
        return string
    }

    // MARK: Aggregates

    static func aggregate(_ function: CollectionFunction, _ elements: [NaiveValue]) -> NaiveValue {
        if function == .count { return .value(.integer(Int64(elements.count))) }
        let values = elements.compactMap { (element: NaiveValue) -> AttributeValue? in
            switch element {
            case .none: return nil
            case .value(let value): return value
            case .object, .reference, .list: fatalError("\(function) of what is not a value")
            }
        }
        // The sort is stable, so the first of several equal values remains the first.
        let sorted = values.sorted { order($0, $1) < 0 }
        return aggregate(function, sorted: sorted).map { .value($0) } ?? .none
    }

    private static func aggregate(_ function: CollectionFunction, sorted: [AttributeValue]) -> AttributeValue? {
        let middle = sorted.count / 2
        switch function {
        case .sum: return sum(sorted)
        case .average: return mean(sorted, of: sorted)
        case .min: return sorted.first
        case .max: return sorted.first { order($0, sorted[sorted.count - 1]) == 0 }
        case .median:
            if sorted.isEmpty { return nil }
            return sorted.count % 2 == 1 ? sorted[middle] : mean([sorted[middle - 1], sorted[middle]], of: sorted)
        case .mode:
            func frequency(_ value: AttributeValue) -> Int { sorted.filter { order($0, value) == 0 }.count }
            let highest = sorted.map(frequency).max()
            return sorted.first { frequency($0) == highest }
        case .stddev:
            if sorted.isEmpty { return nil }
            let numbers = sorted.map { double($0) }.sorted()
            let mean = numbers.reduce(0, +) / Double(numbers.count)
            let squares = numbers.map { ($0 - mean) * ($0 - mean) }.sorted()
            return number(Foundation.sqrt(squares.reduce(0, +) / Double(numbers.count)))
        case .count: fatalError("count is of all elements")
        }
    }

    /// Returns whether one or more values are computed as decimals, or `nil` if all of them are integers.
    private static func areDecimals(_ values: [AttributeValue]) -> Bool? {
        if values.allSatisfy({ integer($0) != nil }) { return nil }
        return values.allSatisfy { if case .double = $0 { false } else { true } }
    }

    private static func sum(_ sorted: [AttributeValue]) -> AttributeValue? {
        switch areDecimals(sorted) {
        case nil:
            let total = sorted.reduce(Int128(0)) { $0 + Int128(integer($1) ?? 0) }
            if let total = Int64(exactly: total) { return .integer(total) }
            return number(sorted.map { double($0) }.reduce(0, +))
        case true?: return number(sorted.map { decimal($0) }.reduce(0, +))
        case false?: return number(sorted.map { double($0) }.sorted().reduce(0, +))
        }
    }

    /// Returns the mean of some values, computed in the common kind of all values of the collection.
    private static func mean(_ values: [AttributeValue], of all: [AttributeValue]) -> AttributeValue? {
        if values.isEmpty { return nil }
        switch areDecimals(all) {
        case nil: return sum(values).flatMap { number(double($0) / Double(values.count)) }
        case true?: return number(values.map { decimal($0) }.reduce(0, +) / Decimal(values.count))
        case false?: return number(values.map { double($0) }.reduce(0, +) / Double(values.count))
        }
    }

    private static func decimal(_ value: AttributeValue) -> Decimal {
        if case .decimal(let number) = value { return number }
        guard let integer = integer(value) else { fatalError("\(value) is not a decimal") }
        return Decimal(integer)
    }

    // MARK: CAST

    static func cast(_ value: AttributeValue, to type: CastType) -> AttributeValue? {
        switch (type, value) {
        case (.string, .string), (.uuid, .uuid), (.url, .url), (.date, .date), (.data, .data), (.decimal, .decimal),
            (.number, .integer), (.number, .double), (.number, .decimal):
            return value
        case (.string, .integer(let number)): return .string("\(number)")
        case (.string, .boolean(let flag)): return .string(flag ? "1" : "0")
        case (.string, .double(let number)):
            return .string("\(number)".hasSuffix(".0") ? String("\(number)".dropLast(2)) : "\(number)")
        case (.string, .decimal(let number)): return .string("\(number)")
        case (.string, .uuid(let uuid)): return .string(uuid.uuidString)
        case (.string, .url(let url)): return .string(url.absoluteString)
        case (.number, .boolean(let flag)): return .integer(flag ? 1 : 0)
        case (.number, .date(let date)): return number(date.timeIntervalSinceReferenceDate)
        case (.number, .string(let text)):
            if let number = Int64(text) { return .integer(number) }
            if text.lowercased().contains(where: { "xnp".contains($0) }) { return nil }
            return Double(text).flatMap { number($0) }
        case (.decimal, .integer(let number)): return .decimal(Decimal(number))
        case (.decimal, .boolean(let flag)): return .decimal(flag ? 1 : 0)
        case (.decimal, .double(let number)): return decimal(number).map { .decimal($0) }
        case (.decimal, .string(let text)): return decimal(spelt: text).map { .decimal($0) }
        case (.date, .integer), (.date, .boolean), (.date, .double), (.date, .decimal): return date(double(value))
        case (.uuid, .string(let text)): return UUID(uuidString: text).map { .uuid($0) }
        case (.url, .string(let text)): return URL(string: text).map { .url($0) }
        case (_, _): fatalError("\(value) cannot be cast to \(type.rawValue)")
        }
    }

    /// Foundation reads a number at the beginning of a string; here, the whole string must be a number.
    private static func decimal(spelt text: String) -> Decimal? {
        let isDecimal = text.range(
            of: #"\A[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?\z"#,
            options: .regularExpression
        )
        guard isDecimal != nil else { return nil }
        return Decimal(string: text).flatMap { $0.isNaN ? nil : $0 }
    }
}

/// The string tests of the naive evaluator.
enum NaiveText {
    static func holds(_ text: String, _ sign: ComparisonOperator, _ pattern: String, _ options: ComparisonOptions)
        -> Bool
    {
        if sign == .matches { return matches(text, pattern, options) }
        let (text, pattern) = (folded(text, options), folded(pattern, options))
        let (bytes, part) = (Array(text.utf8), Array(pattern.utf8))
        switch sign {
        case .beginsWith: return bytes.starts(with: part)
        case .endsWith: return bytes.reversed().starts(with: part.reversed())
        case .contains: return (0...bytes.count).contains { bytes[$0...].starts(with: part) }
        case .like: return isLike(Array(text.unicodeScalars)[...], Array(pattern.unicodeScalars)[...])
        default: fatalError("\(sign) is no test of strings")
        }
    }

    private static func isLike(_ text: ArraySlice<Unicode.Scalar>, _ pattern: ArraySlice<Unicode.Scalar>) -> Bool {
        guard let first = pattern.first else { return text.isEmpty }
        if first == "*" {
            return isLike(text, pattern.dropFirst()) || (!text.isEmpty && isLike(text.dropFirst(), pattern))
        }
        guard let scalar = text.first else { return false }
        if first == "?" { return isLike(text.dropFirst(), pattern.dropFirst()) }
        // A backslash at the very end is literal.
        if first == "\\", let literal = pattern.dropFirst().first {
            return scalar == literal && isLike(text.dropFirst(), pattern.dropFirst(2))
        }
        return scalar == first && isLike(text.dropFirst(), pattern.dropFirst())
    }

    private static func matches(_ text: String, _ pattern: String, _ options: ComparisonOptions) -> Bool {
        let diacritics = options.intersection(.diacriticInsensitive)
        let (text, pattern) = (folded(text, diacritics), folded(pattern, diacritics))
        do {
            let expression = try NSRegularExpression(
                pattern: "\\A(?:\(pattern))\\z",
                options: options.contains(.caseInsensitive) ? .caseInsensitive : []
            )
            return expression.firstMatch(in: text, range: NSRange(location: 0, length: text.utf16.count)) != nil
        } catch {
            fatalError("'\(pattern)' is not a regular expression: \(error)")
        }
    }

    /// Returns the string as it is compared with the options.
    static func folded(_ string: String, _ options: ComparisonOptions) -> String {
        let options = options.effective
        var result = string
        if options.contains(.caseInsensitive) {
            result = ""
            for scalar in string.unicodeScalars {
                if scalar == "\u{131}" {
                    result.unicodeScalars.append(scalar)
                    continue
                }
                for lower in scalar.properties.lowercaseMapping.unicodeScalars {
                    for upper in lower.properties.uppercaseMapping.unicodeScalars {
                        result.unicodeScalars.append(contentsOf: upper.properties.lowercaseMapping.unicodeScalars)
                    }
                }
            }
        }
        if options.contains(.diacriticInsensitive), !result.utf8.allSatisfy({ $0 < 128 }) {
            var kept = String.UnicodeScalarView()
            for scalar in result.decomposedStringWithCanonicalMapping.unicodeScalars
            where scalar.properties.generalCategory != .nonspacingMark {
                kept.append(scalar)
            }
            result = String(kept).precomposedStringWithCanonicalMapping
        }
        return result
    }
}
