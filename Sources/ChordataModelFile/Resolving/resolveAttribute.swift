internal import ChordataDiagnostics
internal import ChordataModel

extension ModelResolver {
    mutating func resolveAttribute(_ syntax: PropertySyntax, of owner: String) -> AttributeDescription? {
        guard var attribute = resolveAttributeAlone(syntax, of: owner) else { return nil }
        if attribute.attributeType == .composite {
            resolveElements(of: &attribute, syntax.element, owner: owner, path: [])
        }
        return attribute
    }

    /// All but the elements of a composite.
    private mutating func resolveAttributeAlone(_ syntax: PropertySyntax, of owner: String) -> AttributeDescription? {
        let element = syntax.element
        let isTransient = flag(element, .transient)
        guard let type = resolveType(syntax, owner: owner, isTransient: isTransient) else { return nil }
        let transformer = element[.valueTransformerName]
        let preserves = flag(element, .preserveAfterDeletion)
        let preservesInHistory = flag(element, .preservesValueInHistoryOnDeletion)
        let isDerived = flag(element, .derived)
        if isDerived, element.attribute(.derivationExpression) == nil {
            report(
                .malformedPredicate,
                "attribute '\(syntax.name)' of '\(owner)' is derived and has no expression; give it one",
                at: element.place(.derived)
            )
        }
        var attribute = AttributeDescription(
            name: syntax.name,
            attributeType: type,
            isOptional: flag(element, .optional),
            isTransient: isTransient,
            usesScalarValueType: flag(element, .usesScalarValueType),
            regularExpression: element[.regularExpressionString],
            allowsExternalBinaryDataStorage: flag(element, .allowsExternalBinaryDataStorage),
            valueTransformerName: transformer?.isEmpty == true ? nil : transformer,
            attributeValueClassName: element[.customClassName],
            derivationExpression: isDerived ? element[.derivationExpression] : nil,
            isIndexed: flag(element, .indexed),
            preservesValueInHistoryOnDeletion: preserves || preservesInHistory,
            renamingIdentifier: renamingIdentifier(element),
            versionHashModifier: element[.versionHashModifier],
            userInfo: userInfo(element)
        )
        attribute.defaultValue = resolveValue(syntax, .default, type: type, owner: owner)
        // On a String the bounds are lengths.
        let boundType = type == .string ? .integer64 : type
        attribute.minimumValue = resolveValue(syntax, .minimum, type: boundType, owner: owner)
        attribute.maximumValue = resolveValue(syntax, .maximum, type: boundType, owner: owner)
        return attribute
    }

    private mutating func resolveType(_ syntax: PropertySyntax, owner: String, isTransient: Bool) -> AttributeType? {
        guard let attribute = syntax.element.attribute(.attributeType) else {
            if isTransient { return .undefined }
            report(
                .missingAttributeType,
                "attribute '\(syntax.name)' of '\(owner)' has no type; choose one, or make it transient",
                at: syntax.element.location
            )
            return nil
        }
        if let type = AttributeType(rawValue: attribute.value) { return type }
        report(
            .unknownAttributeType,
            "attribute '\(syntax.name)' of '\(owner)' has unknown type '\(attribute.value)'",
            at: attribute,
            among: AttributeType.allCases.map(\.rawValue)
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
                "composite attribute '\(attribute.name)' of '\(owner)' names no composite; name one",
                at: element.place(.attributeType)
            )
            return
        }
        attribute.compositeName = reference.value
        guard !path.contains(reference.value) else {
            report(
                .unknownComposite,
                "composite '\(reference.value)' of '\(attribute.name)' of '\(owner)' contains itself; "
                    + "use a relationship instead",
                at: reference.valueLocation
            )
            return
        }
        guard let composite = composites[reference.value] else {
            report(
                .unknownComposite,
                "composite '\(reference.value)' of '\(attribute.name)' of '\(owner)' does not exist",
                at: reference,
                among: compositeNames
            )
            return
        }
        for child in composite.children(named: .attribute) {
            // A composite that holds another one twice, which holds a third one twice, and so on, is small only in the file.
            compositeElementCount += 1
            guard compositeElementCount <= Self.maximumCompositeElementCount else {
                // Said once, for the first element that is too many.
                guard compositeElementCount == Self.maximumCompositeElementCount + 1 else { return }
                report(
                    .limitExceeded,
                    "the composites of this model have more than \(Self.maximumCompositeElementCount) elements where they "
                        + "are used; nest fewer of them",
                    at: reference.valueLocation
                )
                return
            }
            guard let syntax = PropertySyntax(child),
                var member = resolveAttributeAlone(syntax, of: reference.value)
            else { continue }
            if member.attributeType == .composite {
                resolveElements(of: &member, child, owner: owner, path: path + [reference.value])
            }
            attribute.elements.append(member)
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

    /// The default or a bound; a date's interval wins over its free text.
    private mutating func resolveValue(
        _ syntax: PropertySyntax,
        _ role: ValueRole,
        type: AttributeType,
        owner: String
    ) -> AttributeValue? {
        if type == .date, let interval = syntax.element.attribute(role.intervalKey) {
            if let value = dateValue(interval.value) { return value }
            reportUnfitting(interval, role, syntax, owner, "not a number of seconds")
        }
        guard let text = syntax.element.attribute(role.textKey) else { return nil }
        switch parseValue(text.value, type: type) {
        case .value(let value): return value
        case .accepted(let value, let spelling):
            report(
                .unfittingDefault,
                "\(role.rawValue) '\(text.value)' of '\(syntax.name)' of '\(owner)' is not written as type "
                    + "'\(type.rawValue)' is, and counts as '\(spelling)'; write that",
                at: text.valueLocation,
                fixIts: [text.replacing(with: spelling)]
            )
            return value
        case .unfitting:
            reportUnfitting(text, role, syntax, owner, "not of type '\(type.rawValue)'")
            return nil
        }
    }

    private mutating func reportUnfitting(
        _ text: AttributeSyntax,
        _ role: ValueRole,
        _ syntax: PropertySyntax,
        _ owner: String,
        _ reason: String
    ) {
        report(
            .unfittingDefault,
            "\(role.rawValue) '\(text.value)' of '\(syntax.name)' of '\(owner)' is \(reason) and is ignored; "
                + "give one that is, or none",
            at: text.valueLocation
        )
    }
}
