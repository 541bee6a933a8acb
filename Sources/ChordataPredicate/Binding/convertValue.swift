import ChordataModel

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension PredicateBinder {
    /// The kind of what a key path leads to.
    func kind(of path: BoundKeyPath) -> ComparisonKind {
        guard let attribute = path.attribute else {
            let name = path.targetEntityName
            return .object(rootEntityName: model.entity(named: name)?.rootEntityName ?? name)
        }
        return ComparisonKind(attribute) ?? .opaque
    }

    /// What a key path leads to, for messages: `'age' is an Integer 16`.
    func description(of path: BoundKeyPath) -> String {
        switch path.target {
        case .attribute(let attribute):
            "'\(path.keyPath)' is \(attribute.typeName)"
                + (attribute.allowsExternalBinaryDataStorage ? " stored externally" : "")
        case .object: "'\(path.keyPath)' is an object of '\(path.targetEntityName)'"
        }
    }

    /// What a key path leads to, for messages: `'age' (Integer 16)`.
    func name(of path: BoundKeyPath) -> String {
        "'\(path.keyPath)' (\(path.attribute?.attributeType.rawValue ?? path.targetEntityName))"
    }

    /// Refuses `[c]` and `[d]` where no strings are compared.
    func requireOptions(_ options: ComparisonOptions, fit path: BoundKeyPath, at offset: Int) throws(PredicateError) {
        guard !options.isEmpty, kind(of: path) != .string else { return }
        throw fail(
            .unfittingType,
            "the options [\(options.letters)] are for strings, but \(description(of: path))",
            at: offset
        )
    }

    /// Refuses `<` and its like where there is no order.
    func requireOrder(
        _ operation: ComparisonOperator,
        fits path: BoundKeyPath,
        at offset: Int
    ) throws(PredicateError) {
        guard operation != .equal, operation != .notEqual else { return }
        switch kind(of: path) {
        case .object, .opaque:
            throw fail(
                .unfittingType,
                "\(description(of: path)), which has no order; compare it by == or !=",
                at: offset
            )
        case .number, .decimal, .string, .date, .data, .uuid, .url: return
        }
    }

    /// The value as one of the type that the key path leads to.
    func convert(
        _ value: PredicateValue,
        for path: BoundKeyPath,
        at offset: Int
    ) throws(PredicateError) -> PredicateValue {
        guard !value.isNotANumber else {
            throw fail(.unfittingType, "\(description(of: path)), and the value is not a number (NaN)", at: offset)
        }
        switch (path.target, value) {
        case (_, .null): return .null
        case (.attribute(let attribute), .attribute(let constant)):
            if let converted = convertAttributeValue(constant, to: attribute) { return .attribute(converted) }
        case (.object, .object(let reference)):
            guard case .object(let rootEntityName) = kind(of: path), reference.rootEntityName == rootEntityName else {
                throw fail(
                    .unfittingType,
                    "\(description(of: path)), which is never one of '\(reference.rootEntityName)'",
                    at: offset
                )
            }
            return value
        case (.attribute, .object), (.attribute, .collection), (.object, .attribute), (.object, .collection): break
        }
        throw fail(.unfittingType, mismatch(of: value, with: path), at: offset)
    }

    private func mismatch(of value: PredicateValue, with path: BoundKeyPath) -> String {
        let start = description(of: path)
        if kind(of: path) == .opaque { return start + ", which can only be compared with nil" }
        let message = start + ", which cannot be compared with \(value.kindName)"
        switch (path.attribute?.attributeType, value) {
        case (.uuid, .attribute(.string)): return start + ", and the string is no UUID"
        case (.uri, .attribute(.string)): return start + ", and the string is no URL"
        case (.decimal, .attribute(.string)): return start + ", and the string is no decimal number"
        case (.date, .attribute(.integer)), (.date, .attribute(.double)):
            return message + "; write CAST(seconds since 2001, \"NSDate\")"
        default: return message
        }
    }
}

/// The constant as a value of the attribute's type; `nil` when the two cannot be compared.
///
/// Numbers and booleans compare as numbers (P12). Strings become UUIDs, URLs and decimals when they are spelt as one.
func convertAttributeValue(_ value: AttributeValue, to attribute: AttributeDescription) -> AttributeValue? {
    switch attribute.attributeType {
    case .integer16, .integer32, .integer64: return convertToInteger(value)
    case .boolean:
        guard let number = convertToInteger(value) else { return nil }
        return number == .integer(0) ? .boolean(false) : number == .integer(1) ? .boolean(true) : number
    case .double: return convertToDouble(value).map { .double($0) }
    // A stored Float is the nearest one, so 0.1 must be too.
    case .float: return convertToDouble(value).map { .double(Double(Float($0))) }
    case .decimal:
        switch value {
        case .decimal: return value
        case .integer(let number): return .decimal(Decimal(number))
        case .boolean(let flag): return .decimal(flag ? 1 : 0)
        case .double(let number): return parseDecimal("\(number)").map { .decimal($0) }
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

/// An integer, or a double for what has a fraction or is out of range; `nil` for what is no number.
private func convertToInteger(_ value: AttributeValue) -> AttributeValue? {
    switch value {
    case .integer: return value
    case .boolean(let flag): return .integer(flag ? 1 : 0)
    case .double(let number): return Int64(exactly: number).map { .integer($0) } ?? value
    case .decimal(let number):
        let text = decimalText(number)
        return Int64(text).map { .integer($0) } ?? Double(text).map { .double($0) }
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
