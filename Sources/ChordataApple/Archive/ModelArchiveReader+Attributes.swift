internal import ChordataModel

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

extension ModelArchiveReader {
    /// - Parameters:
    ///   - name: The name of the attribute.
    ///   - path: The entity, and for an element of a composite the names from the attribute down.
    mutating func readAttribute(_ property: Object, name: String, path: [String]) throws(Failure)
        -> AttributeDescription
    {
        let entityName = path[0]
        let place = "attribute '\((path.dropFirst() + [name]).joined(separator: "."))' of '\(entityName)'"
        guard path.count <= Self.maximumCompositeDepth else {
            throw Failure("has a composite that is nested too deeply or contains itself")
        }
        let number = try archive.integer(property.fields["NSAttributeType"]) ?? 0
        guard let type = AttributeType.allCases.first(where: { Int64($0.coreDataNumber) == number }) else {
            throw Failure("has \(place), whose type \(number) is unknown")
        }
        var attribute = AttributeDescription(
            name: name,
            attributeType: type,
            isOptional: try archive.boolean(property.fields["NSIsOptional"]),
            isTransient: try archive.boolean(property.fields["NSIsTransient"]),
            isIndexed: try archive.boolean(property.fields["NSIsIndexed"]),
            renamingIdentifier: try archive.string(property.fields["NSRenamingIdentifier"]),
            versionHashModifier: try archive.string(property.fields["NSVersionHashModifier"]),
            userInfo: try readUserInfo(property)
        )
        let flags = try archive.integer(property.fields["NSFlagsKey"]) ?? 0
        attribute.allowsExternalBinaryDataStorage = flags & 4 != 0
        if flags & ~4 != 0 { flaggedAttributes[entityName, default: []].insert(name) }
        if type == .transformable {
            attribute.valueTransformerName = try archive.string(property.fields["NSValueTransformerName"])
            attribute.attributeValueClassName = try archive.string(property.fields["NSAttributeValueClassName"])
        }
        if try archive.node(property.fields["NSDefaultValue"]) != nil {
            attribute.defaultValue = try readValue(property.fields["NSDefaultValue"], type)
            if attribute.defaultValue == nil {
                omit("the default value of \(place), whose type a model file cannot represent")
            }
        }
        if property.className == "NSDerivedAttributeDescription" {
            attribute.derivationExpression = try printer.expression(property.fields["NSDerivationExpression"])
            if attribute.derivationExpression == nil {
                omit("the derivation of \(place), so the attribute is not derived in the model file")
            }
        }
        if type == .composite {
            attribute.compositeName = uniqueCompositeName((path + [name]).joined(separator: "_"))
            for element in try archive.elements(property.fields["NSElements"] ?? property.fields["NSCompositeElements"])
            {
                guard let object = try archive.object(element),
                    let elementName = try archive.string(object.fields["NSPropertyName"])
                else { continue }
                guard ["NSAttributeDescription", "NSCompositeAttributeDescription"].contains(object.className) else {
                    omit("element '\(elementName)' of \(place), whose class is \(object.className)")
                    continue
                }
                attribute.elements.append(try readAttribute(object, name: elementName, path: path + [name]))
            }
        }
        for element in try archive.elements(property.fields["NSValidationPredicates"]) {
            guard try readValidation(element, into: &attribute) else {
                omit("a validation rule that a model file cannot express, of \(place)")
                continue
            }
        }
        return attribute
    }

    /// Returns a unique name for a composite, because archives do not have these names.
    mutating func uniqueCompositeName(_ name: String) -> String {
        var unique = name
        while !compositeNames.insert(unique).inserted { unique += "_2" }
        return unique
    }

    /// Reads a validation rule; `false` if an attribute of a model file cannot have it.
    func readValidation(_ index: Index, into attribute: inout AttributeDescription, depth: Int = 0)
        throws(Failure) -> Bool
    {
        guard depth < Self.maximumInheritanceDepth, let object = try archive.object(index) else { return false }
        if object.className == "NSCompoundPredicate", try archive.integer(object.fields["NSCompoundPredicateType"]) == 1
        {
            var isRead = true
            for element in try archive.elements(object.fields["NSSubpredicates"]) {
                let isPartRead = try readValidation(element, into: &attribute, depth: depth + 1)
                isRead = isRead && isPartRead
            }
            return isRead
        }
        guard object.className == "NSComparisonPredicate",
            let comparison = try archive.object(object.fields["NSPredicateOperator"]),
            let left = try printer.expression(object.fields["NSLeftExpression"]),
            let right = try archive.object(object.fields["NSRightExpression"]),
            right.className == "NSConstantValueExpression"
        else { return false }
        let isLength = attribute.attributeType == .string && left == "length"
        guard isLength || left == "SELF" else { return false }
        let type = isLength ? AttributeType.integer64 : attribute.attributeType
        let value = try readValue(right.fields["NSConstantValue"], type)
        switch try archive.integer(comparison.fields["NSOperatorType"]) {
        case 1:
            guard let value, attribute.attributeType != .string || isLength else { return false }
            attribute.maximumValue = value
        case 3:
            guard let value, attribute.attributeType != .string || isLength else { return false }
            attribute.minimumValue = value
        case 6:
            guard attribute.attributeType == .string, !isLength, case .string(let pattern)? = value else {
                return false
            }
            attribute.regularExpression = pattern
        default: return false
        }
        return true
    }

    func readValue(_ index: Index?, _ type: AttributeType) throws(Failure) -> AttributeValue? {
        let node = try archive.node(index)
        let object = try archive.object(index)
        switch type {
        case .integer16, .integer32, .integer64:
            switch node {
            case .integer(let value)?: return .integer(value)
            case .boolean(let value)?: return .integer(value ? 1 : 0)
            case .real(let value)?: return Int64(exactly: value).map { .integer($0) }
            default: return nil
            }
        case .double, .float:
            switch node {
            case .integer(let value)?: return .double(Double(value))
            case .real(let value)?: return value.isFinite ? .double(value) : nil
            default: return nil
            }
        case .decimal:
            switch node {
            case .integer(let value)?: return .decimal(Decimal(value))
            case .real(let value)?: return Decimal(string: "\(value)").map { .decimal($0) }
            default:
                return try object.flatMap { object throws(Failure) in try readDecimal(object) }.map { .decimal($0) }
            }
        case .boolean: return try archive.integer(index).map { .boolean($0 != 0) }
        case .string: return try archive.string(index).map { .string($0) }
        case .date:
            switch node {
            case .date(let seconds)?: return .date(Date(timeIntervalSinceReferenceDate: seconds))
            default:
                guard case .real(let seconds)? = try archive.node(object?.fields["NS.time"]), seconds.isFinite else {
                    return nil
                }
                return .date(Date(timeIntervalSinceReferenceDate: seconds))
            }
        case .uuid:
            guard case .data(let range)? = try archive.node(object?.fields["NS.uuidbytes"]), range.count == 16 else {
                return nil
            }
            return archive.data(range).withUnsafeBytes { .uuid(UUID(uuid: $0.loadUnaligned(as: uuid_t.self))) }
        case .uri:
            guard try archive.string(object?.fields["NS.base"]) == nil,
                let text = try archive.string(object?.fields["NS.relative"])
            else { return nil }
            return URL(string: text).map { .url($0) }
        // Model files have no defaults of these types.
        case .binaryData, .transformable, .composite, .undefined, .objectID: return nil
        }
    }

    /// A decimal as `NSDecimalNumber` archives it: up to eight 16-bit digits, the lowest first.
    func readDecimal(_ object: Object) throws(Failure) -> Decimal? {
        guard case .data(let range)? = try archive.node(object.fields["NS.mantissa"]), range.count <= 16,
            range.count.isMultiple(of: 2), let exponent = try archive.integer(object.fields["NS.exponent"]),
            (-128...127).contains(exponent)
        else { return nil }
        // 1 is little-endian, the byte order of the hosts that write archives; 2 is big-endian.
        let isBigEndian = try archive.integer(object.fields["NS.mantissa.bo"]) == 2
        let length = try archive.integer(object.fields["NS.length"]) ?? Int64(range.count / 2)
        let bytes = archive.data(range)
        var value = Decimal()
        for place in stride(from: min(Int(clamping: length), bytes.count / 2) - 1, through: 0, by: -1) {
            let (first, second) = (Int(bytes[place * 2]), Int(bytes[place * 2 + 1]))
            value = value * 65_536 + Decimal(isBigEndian ? first << 8 | second : second << 8 | first)
        }
        value = Decimal(sign: .plus, exponent: Int(exponent), significand: value)
        if value.isNaN { return nil }
        return try archive.boolean(object.fields["NS.negative"]) ? -value : value
    }
}
