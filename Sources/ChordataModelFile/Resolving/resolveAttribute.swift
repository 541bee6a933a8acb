internal import ChordataDiagnostics
internal import ChordataModel

/// The attribute types, the most common ones first.
private let types: [(text: StaticString, type: AttributeType)] = [
    ("String", .string), ("Integer 64", .integer64), ("Boolean", .boolean), ("Date", .date), ("Integer 32", .integer32),
    ("Transformable", .transformable), ("Binary", .binaryData), ("Integer 16", .integer16), ("Double", .double),
    ("Decimal", .decimal), ("UUID", .uuid), ("Float", .float), ("URI", .uri), ("Composite", .composite),
    ("Undefined", .undefined), ("ObjectID", .objectID),
]

extension ModelResolver {
    mutating func resolveAttribute(_ element: ElementSyntax, of owner: String) -> AttributeDescription? {
        guard var attribute = resolveAttributeAlone(element, of: owner) else { return nil }
        if attribute.attributeType == .composite { resolveElements(of: &attribute, element, owner: owner, path: []) }
        return attribute
    }

    /// Resolves an attribute without the elements of a composite.
    private mutating func resolveAttributeAlone(_ element: ElementSyntax, of owner: String) -> AttributeDescription? {
        // An attribute without a name has been reported.
        guard let name = element[.name] else { return nil }
        let isTransient = flag(element, .transient)
        guard let type = resolveType(element, name: name, owner: owner, isTransient: isTransient) else { return nil }
        // The bounds of a String attribute are lengths.
        let boundType = type == .string ? .integer64 : type
        let attribute = AttributeDescription(
            name: name,
            attributeType: type,
            isOptional: flag(element, .optional),
            isTransient: isTransient,
            defaultValue: resolveValue(element, .default, type: type, of: name, owner),
            usesScalarValueType: flag(element, .usesScalarValueType),
            minimumValue: resolveValue(element, .minimum, type: boundType, of: name, owner),
            maximumValue: resolveValue(element, .maximum, type: boundType, of: name, owner),
            regularExpression: element[.regularExpressionString].flatMap { $0.isEmpty ? nil : $0 },
            allowsExternalBinaryDataStorage: flag(element, .allowsExternalBinaryDataStorage),
            valueTransformerName: element[.valueTransformerName].flatMap { $0.isEmpty ? nil : $0 },
            attributeValueClassName: element[.customClassName],
            derivationExpression: flag(element, .derived) ? resolveDerivation(element, name: name, owner: owner) : nil,
            isIndexed: flag(element, .indexed),
            preservesValueInHistoryOnDeletion: flag(element, .preserveAfterDeletion)
                || flag(element, .preservesValueInHistoryOnDeletion),
            allowsCloudEncryption: flag(element, .allowsCloudEncryption),
            isIndexedBySpotlight: flag(element, .spotlightIndexingEnabled),
            isStoredInExternalRecord: flag(element, .storedInTruthFile),
            renamingIdentifier: renamingIdentifier(element),
            versionHashModifier: element[.versionHashModifier],
            userInfo: userInfo(element)
        )
        checkBounds(attribute, element, owner: owner)
        return attribute
    }

    private mutating func resolveDerivation(_ element: ElementSyntax, name: String, owner: String) -> String? {
        if let expression = element[.derivationExpression] { return expression }
        report(
            .malformedPredicate,
            "attribute '\(name)' of '\(owner)' is derived and has no expression; give it one",
            at: element.place(.derived)
        )
        return nil
    }

    private mutating func resolveType(
        _ element: ElementSyntax,
        name: String,
        owner: String,
        isTransient: Bool
    ) -> AttributeType? {
        guard let attribute = element.attribute(.attributeType) else {
            if isTransient { return .undefined }
            report(
                .missingAttributeType,
                "attribute '\(name)' of '\(owner)' has no type; choose one, or make it transient",
                at: element.location
            )
            return nil
        }
        for (text, type) in types where attribute.isValue(text) {
            switch type {
            case .undefined where !isTransient:
                report(
                    .missingAttributeType,
                    "attribute '\(name)' of '\(owner)' has no type; choose one, or make it transient",
                    at: attribute.valueLocation
                )
                return nil
            case .objectID where !isTransient:
                report(
                    .unknownAttributeType,
                    "attribute '\(name)' of '\(owner)' cannot hold the ID of an object; use a relationship, or a URI",
                    at: attribute.valueLocation
                )
                return nil
            default: return type
            }
        }
        report(
            .unknownAttributeType,
            "attribute '\(name)' of '\(owner)' has unknown type '\(attribute.shown)' (the types are "
                + attributeTypeNames.joined(separator: ", ") + ")",
            at: attribute,
            nearest: { suggestAttributeType(for: $0)?.rawValue },
            otherwise: "choose one of them"
        )
        return nil
    }

    // MARK: Composites

    private mutating func resolveElements(
        of attribute: inout AttributeDescription,
        _ element: ElementSyntax,
        owner: String,
        path: [String]
    ) {
        guard let reference = element.attribute(.composite) else {
            report(
                .unknownComposite,
                "composite attribute '\(attribute.name)' of '\(owner)' has no composite; choose one",
                at: element.place(.attributeType)
            )
            return
        }
        attribute.compositeName = reference.value
        usedComposites.insert(reference.value)
        guard !path.contains(reference.value) else {
            report(
                .unknownComposite,
                "composite '\(reference.shown)' of '\(attribute.name)' of '\(owner)' contains itself; "
                    + "use a relationship instead",
                at: reference.valueLocation
            )
            return
        }
        guard let composite = composites[reference.value] else {
            report(
                .unknownComposite,
                "composite '\(reference.shown)' of '\(attribute.name)' of '\(owner)' does not exist",
                at: reference,
                among: compositeNames,
                otherwise: "name a composite of this model"
            )
            return
        }
        for child in composite.children(named: .attribute) {
            // A composite that contains another one twice, which contains a third one twice, and so on, is small in the
            // file, but has very many elements.
            compositeElementCount += 1
            guard compositeElementCount <= Self.maximumCompositeElementCount else {
                // This is reported once, for the first element beyond the limit.
                guard compositeElementCount == Self.maximumCompositeElementCount + 1 else { return }
                report(
                    .limitExceeded,
                    "the composite attributes of this model have more than \(Self.maximumCompositeElementCount) "
                        + "elements, nested ones included; nest fewer composites",
                    at: reference.valueLocation
                )
                return
            }
            guard var member = resolveAttributeAlone(child, of: reference.value) else { continue }
            if member.attributeType == .composite {
                resolveElements(of: &member, child, owner: reference.value, path: path + [reference.value])
            }
            attribute.elements.append(member)
        }
    }

    /// Checks the composites that are not used.
    mutating func checkComposites() {
        for composite in composites.values.sorted(by: { $0.index < $1.index }) {
            guard let name = composite[.name], !usedComposites.contains(name) else { continue }
            for child in composite.children(named: .attribute) {
                guard var member = resolveAttributeAlone(child, of: name), member.attributeType == .composite else {
                    continue
                }
                resolveElements(of: &member, child, owner: name, path: [name])
            }
        }
    }

    // MARK: Values

    private enum ValueRole: String {
        case `default`, minimum, maximum

        var textKey: ModelName {
            switch self {
            case .default: .defaultValueString
            case .minimum: .minValueString
            case .maximum: .maxValueString
            }
        }

        var intervalKey: ModelName {
            switch self {
            case .default: .defaultDateTimeInterval
            case .minimum: .minDateTimeInterval
            case .maximum: .maxDateTimeInterval
            }
        }
    }

    /// Resolves the default or a bound; the interval of a date takes precedence over its free text.
    private mutating func resolveValue(
        _ element: ElementSyntax,
        _ role: ValueRole,
        type: AttributeType,
        of name: String,
        _ owner: String
    ) -> AttributeValue? {
        if type == .date, let interval = element.attribute(role.intervalKey) {
            if let value = dateValue(interval.value) { return value }
            reportUnfitting(interval, role, of: name, owner, "not a number of seconds", type)
        }
        guard let text = element.attribute(role.textKey) else { return nil }
        let isLength = role != .default && element[.attributeType] == AttributeType.string.rawValue
        switch parseValue(text.value, type: type) {
        case .value(let value): return value
        case .accepted(let value, let spelling):
            report(
                .invalidDefault,
                "\(role.rawValue) '\(text.shown)' of '\(name)' of '\(owner)' is not in the format of "
                    + "\(isLength ? "a length" : "type '\(type.rawValue)'") and is read as '\(spelling)'; write "
                    + "'\(spelling)'",
                at: text.valueLocation,
                fixIts: [text.replacing(with: spelling)]
            )
            return value
        case .invalid:
            reportUnfitting(
                text,
                role,
                of: name,
                owner,
                isLength ? "not a length" : "not of type '\(type.rawValue)'",
                type
            )
            return nil
        }
    }

    private mutating func reportUnfitting(
        _ text: AttributeSyntax,
        _ role: ValueRole,
        of name: String,
        _ owner: String,
        _ reason: String,
        _ type: AttributeType
    ) {
        let remedy =
            switch type {
            case .date: "write it as '2013-04-23 12:00:00 +0000', or give the seconds since 2001"
            case .undefined, .binaryData, .transformable, .composite, .objectID: "remove it"
            default: "correct or remove it"
            }
        report(
            .invalidDefault,
            "\(role.rawValue) '\(text.shown)' of '\(name)' of '\(owner)' is \(reason) and is ignored; \(remedy)",
            at: text.valueLocation
        )
    }
}
