import ChordataModel

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension PredicateBinder {
    /// Returns the description of a value for messages: `'age' is an Integer 16`.
    func description(of scalar: Scalar) -> String {
        guard let path = scalar.comparedKeyPath else {
            return "'\(printed(scalar.node))' is \(scalar.type.description)"
        }
        switch path.target {
        case .attribute(let attribute):
            return "'\(printed(scalar.node))' is \(attribute.typeName)"
                + (attribute.allowsExternalBinaryDataStorage ? " stored externally" : "")
        case .object: return "'\(printed(scalar.node))' is an object of '\(path.targetEntityName)'"
        case .entityName: return "'\(printed(scalar.node))' is the name of an entity"
        }
    }

    /// Returns the description of a value for messages: `'age' (Integer 16)`.
    func name(of scalar: Scalar) -> String {
        let path = scalar.comparedKeyPath
        let type = path.map { $0.attribute?.attributeType.rawValue ?? $0.targetEntityName }
        return "'\(printed(scalar.node))' (\(type ?? scalar.type.description))"
    }

    /// Throws for `[c]` and `[d]` if no strings are compared.
    func requireOptions(_ options: ComparisonOptions, fit scalar: Scalar, at offset: Int) throws(FetchPredicateError) {
        guard !options.isEmpty, scalar.type != .string else { return }
        throw fail(
            .typeMismatch,
            "the options [\(options.letters)] are for strings, but \(description(of: scalar))",
            at: offset
        )
    }

    /// Throws for `<` and the other ordering operators if the values have no order.
    func requireOrder(
        _ operation: ComparisonOperator,
        fits scalar: Scalar,
        at offset: Int
    ) throws(FetchPredicateError) {
        guard operation != .equal, operation != .notEqual else { return }
        switch scalar.type {
        case .object, .opaque:
            throw fail(
                .typeMismatch,
                "\(description(of: scalar)), which has no order; compare it by == or !=",
                at: offset
            )
        case .number, .string, .date, .data, .uuid, .url, .null: return
        }
    }

    /// Returns the constant as a value of the type with which it is compared.
    func convert(
        _ value: PredicateValue,
        for scalar: Scalar,
        at offset: Int
    ) throws(FetchPredicateError) -> PredicateValue {
        guard !value.isNotANumber else {
            throw fail(
                .typeMismatch,
                "\(description(of: scalar)), but is compared with a value that is not a number (NaN)",
                at: offset
            )
        }
        switch (scalar.type, value) {
        case (_, .null): return .null
        case (.object(let rootEntityName), .object(let reference)):
            guard reference.rootEntityName == rootEntityName else {
                throw fail(
                    .typeMismatch,
                    "\(description(of: scalar)), which cannot equal an object of '\(reference.rootEntityName)'",
                    at: offset
                )
            }
            return value
        case (.null, .attribute), (.null, .object): return value
        case (_, .attribute(let constant)):
            let attribute = scalar.comparedKeyPath?.attribute
            if let attribute {
                if let converted = convertAttributeValue(constant, to: attribute) { return .attribute(converted) }
            } else if let converted = convertAttributeValue(constant, to: scalar.type) {
                return .attribute(converted)
            }
        case (_, .object), (_, .collection): break
        }
        throw fail(.typeMismatch, mismatch(of: value, with: scalar), at: offset)
    }

    private func mismatch(of value: PredicateValue, with scalar: Scalar) -> String {
        let start = description(of: scalar)
        if scalar.type == .opaque { return start + ", which can only be compared with nil" }
        let message = start + ", which cannot be compared with \(value.kindName)"
        let attributeType = scalar.comparedKeyPath?.attribute?.attributeType
        switch (scalar.type, value) {
        case (.uuid, .attribute(.string)): return start + ", and the string is not a UUID"
        case (.url, .attribute(.string)): return start + ", and the string is not a URL"
        case (.number, .attribute(.string)) where attributeType == .decimal:
            return start + ", and the string is not a decimal number"
        case (.date, .attribute(.integer)), (.date, .attribute(.double)):
            return message + "; write CAST(seconds since 2001, \"NSDate\")"
        default: return message
        }
    }
}

/// Returns the constant as a value of a computed value's type; `nil` when the two cannot be compared.
private func convertAttributeValue(_ value: AttributeValue, to type: ExpressionType) -> AttributeValue? {
    if ExpressionType(.attribute(value)) == type {
        if case .boolean(let flag) = value { return .integer(flag ? 1 : 0) }
        return value
    }
    guard case .string(let text) = value else { return nil }
    switch type {
    case .uuid: return UUID(uuidString: text).map { .uuid($0) }
    case .url: return PredicateLiteral.parseURL(text).map { .url($0) }
    case .number, .string, .date, .data, .opaque, .object, .null: return nil
    }
}

/// Returns the constant as a value of the attribute's type; `nil` when the two cannot be compared.
///
/// Numbers and booleans compare as numbers (P12). Strings become UUIDs, URLs and decimals if they are spelled like one.
func convertAttributeValue(_ value: AttributeValue, to attribute: AttributeDescription) -> AttributeValue? {
    switch attribute.attributeType {
    case .integer16, .integer32, .integer64: return convertToInteger(value)
    case .boolean:
        guard let number = convertToInteger(value) else { return nil }
        return number == .integer(0) ? .boolean(false) : number == .integer(1) ? .boolean(true) : number
    case .double:
        // An integer that no double represents is compared unchanged.
        if case .integer(let number) = value, Int64(exactly: Double(number)) != number { return value }
        return convertToDouble(value).map { .double($0) }
    // A stored Float is the nearest Float to its number, so a constant such as 0.1 must be converted to it too.
    case .float: return convertToDouble(value).map { .double(Double(Float($0))) }
    case .decimal:
        switch value {
        case .decimal: return value
        case .integer(let number): return .decimal(Decimal(number))
        case .boolean(let flag): return .decimal(flag ? 1 : 0)
        // A number that is too large or too small for a decimal is compared as a double.
        case .double(let number): return parseDecimal("\(number)").map { .decimal($0) } ?? value
        case .string(let text): return parseDecimal(text).map { .decimal($0) }
        case .date, .data, .uuid, .url: return nil
        }
    case .string: if case .string = value { return value }
    case .date: if case .date = value { return value }
    case .binaryData: if case .data = value, !attribute.allowsExternalBinaryDataStorage { return value }
    case .uuid:
        if case .uuid = value { return value }
        if case .string(let text) = value { return UUID(uuidString: text).map { .uuid($0) } }
    case .uri:
        if case .url = value { return value }
        if case .string(let text) = value { return PredicateLiteral.parseURL(text).map { .url($0) } }
    case .transformable, .undefined, .composite, .objectID: return nil
    }
    return nil
}

/// Returns the number as an integer if it is a whole number in the range of a signed 64-bit integer, a decimal that a
/// double represents exactly as a double, and any other number unchanged; `nil` for a value that is not a number.
private func convertToInteger(_ value: AttributeValue) -> AttributeValue? {
    switch value {
    case .integer: return value
    case .boolean(let flag): return .integer(flag ? 1 : 0)
    case .double(let number): return Int64(exactly: number).map { .integer($0) } ?? value
    case .decimal(let number):
        let text = decimalText(number)
        if let integer = Int64(text) { return .integer(integer) }
        guard let double = Double(text), parseDecimal("\(double)").map(decimalText) == text else { return value }
        return .double(double)
    case .string, .date, .data, .uuid, .url: return nil
    }
}

private func convertToDouble(_ value: AttributeValue) -> Double? {
    switch value {
    case .integer(let number): Double(number)
    case .boolean(let flag): flag ? 1 : 0
    case .double(let number): number
    case .decimal(let number): Double(decimalText(number))
    case .string, .date, .data, .uuid, .url: nil
    }
}
