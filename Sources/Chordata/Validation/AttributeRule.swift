internal import ChordataModel
internal import ChordataPredicate

/// The model's rules for an attribute's value.
struct AttributeRule: Sendable {
    /// A violated rule: its code, and the part of a sentence that follows the name of the property.
    typealias Violation = (code: ValidationError.Failure.Code, reason: String)

    private enum Pattern: Sendable {
        case expression(RegularExpression, text: String)
        /// No text matches the pattern; the generator has reported this.
        case malformed
    }

    let field: Field
    private let typeName: String
    private let bounds: AttributeBounds?
    private let pattern: Pattern?

    /// Creates the rule of a field; `nil` if every value is valid.
    ///
    /// A derived attribute has no rule, because it is computed after objects were validated.
    init?(_ field: Field) {
        guard let attribute = field.attribute, !attribute.isDerived else { return nil }
        bounds = AttributeBounds(of: attribute)
        pattern =
            if attribute.attributeType == .string, let text = attribute.regularExpression {
                RegularExpression(text, options: []).map { .expression($0, text: text) } ?? .malformed
            } else {
                nil
            }
        if bounds == nil && pattern == nil { return nil }
        self.field = field
        typeName = attribute.attributeType.rawValue
    }

    /// Returns the violation by a value.
    ///
    /// The bounds are checked first, so that no pattern is matched against a text that is too long.
    func violation(by value: AttributeValue) -> Violation? {
        if let bounds, let violation = bounds.violation(by: value) { return describe(violation, of: value, bounds) }
        guard case .string(let text) = value, let pattern else { return nil }
        switch pattern {
        case .malformed:
            return (
                .stringPatternMatching,
                "has an invalid regular expression in the model; correct the expression in the model, or remove it"
            )
        case .expression(let expression, let source):
            do throws(FetchPredicateError) {
                if try expression.matches(text) { return nil }
                return (
                    .stringPatternMatching,
                    "has a value of type \(typeName) that does not match the regular expression '\(source)' of the model; "
                        + "set a value that matches"
                )
            } catch {
                return (
                    .stringPatternMatching,
                    "cannot be compared with the regular expression of the model: \(error.message)"
                )
            }
        }
    }

    private func describe(_ violation: AttributeBounds.Violation, of value: AttributeValue, _ bounds: AttributeBounds)
        -> Violation
    {
        let isAbove = violation == .aboveMaximum
        let bound = (isAbove ? bounds.maximum : bounds.minimum).map(describe) ?? "none"
        let name = isAbove ? "maximum" : "minimum"
        switch value {
        case .string(let text):
            return (
                isAbove ? .stringTooLong : .stringTooShort,
                "has a value of type \(typeName) with \(text.utf16.count) UTF-16 code units; the \(name) is \(bound); "
                    + "set a \(isAbove ? "shorter" : "longer") value"
            )
        case .date:
            return (
                isAbove ? .dateTooLate : .dateTooSoon,
                "has a value of type \(typeName) \(isAbove ? "after" : "before") the model's \(name), \(bound); "
                    + "set \(isAbove ? "an earlier" : "a later") value"
            )
        case .integer, .double, .decimal, .boolean, .data, .uuid, .url:
            return (
                isAbove ? .numberTooLarge : .numberTooSmall,
                "has a value of type \(typeName) \(isAbove ? "above" : "below") the model's \(name), \(bound); "
                    + "set a \(isAbove ? "smaller" : "larger") value"
            )
        }
    }

    private func describe(_ bound: AttributeValue) -> String {
        switch bound {
        case .integer(let number): "\(number)"
        case .double(let number): "\(number)"
        case .decimal(let number): "\(number)"
        case .date(let date): "\(date)"
        case .string, .boolean, .data, .uuid, .url: "\(bound)"
        }
    }
}
