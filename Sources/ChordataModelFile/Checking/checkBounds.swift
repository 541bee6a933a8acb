internal import ChordataDiagnostics
internal import ChordataModel
internal import ChordataPredicate

extension ModelResolver {
    /// Finds bounds that no value can meet, and invalid regular expressions.
    mutating func checkBounds(_ attribute: AttributeDescription, _ element: ElementSyntax, owner: String) {
        let bounds = AttributeBounds(of: attribute)
        if let bounds, bounds.isEmpty {
            report(
                .contradictoryBounds,
                "the minimum of '\(attribute.name)' of '\(owner)' is greater than its maximum, so no value can be saved; "
                    + "exchange them",
                at: element.place(
                    element.attribute(.minDateTimeInterval) == nil ? .minValueString : .minDateTimeInterval
                )
            )
        }
        if attribute.attributeType == .string, case .integer(let greatest)? = attribute.maximumValue, greatest < 0 {
            report(
                .contradictoryBounds,
                "the maximum length of '\(attribute.name)' of '\(owner)' is negative, so no value can be saved; "
                    + "correct or remove it",
                at: element.place(.maxValueString)
            )
        }
        if let bounds { checkDefault(attribute, against: bounds, element, owner: owner) }
        if let pattern = attribute.regularExpression { checkPattern(pattern, of: attribute, element, owner: owner) }
    }

    /// Finds a default that the bounds reject, so that a new object cannot be saved unchanged.
    private mutating func checkDefault(
        _ attribute: AttributeDescription,
        against bounds: AttributeBounds,
        _ element: ElementSyntax,
        owner: String
    ) {
        guard let value = attribute.defaultValue, let violation = bounds.violation(by: value) else { return }
        let place =
            switch violation {
            case .belowMinimum: "below its minimum"
            case .aboveMaximum: "above its maximum"
            }
        report(
            .contradictoryBounds,
            "the default of '\(attribute.name)' of '\(owner)' is \(place), so a new object cannot be saved "
                + "unchanged; change one of the two",
            at: element.place(
                element.attribute(.defaultDateTimeInterval) == nil ? .defaultValueString : .defaultDateTimeInterval
            )
        )
    }

    private mutating func checkPattern(
        _ pattern: String,
        of attribute: AttributeDescription,
        _ element: ElementSyntax,
        owner: String
    ) {
        let name = attribute.name
        let place = element.place(.regularExpressionString)
        let length = pattern.utf8.count
        guard elementsWithCheckedPattern.insert(element.index).inserted else { return }
        patternLength += length
        guard length <= RegularExpression.maximumLength, patternLength <= Self.maximumPatternLength else {
            // This is reported once for all patterns.
            guard length > RegularExpression.maximumLength || patternLength - length <= Self.maximumPatternLength else {
                return
            }
            report(
                .limitExceeded,
                length > RegularExpression.maximumLength
                    ? "the regular expression of '\(name)' of '\(owner)' has more than \(RegularExpression.maximumLength) "
                        + "bytes; check the value in code instead"
                    : "the regular expressions of this model have more than \(Self.maximumPatternLength) bytes together; "
                        + "check some values in code instead",
                at: place
            )
            return
        }
        if let expression = RegularExpression(pattern, options: []) {
            checkDefault(attribute, against: expression, element, owner: owner)
            return
        }
        report(
            .malformedRegularExpression,
            "the regular expression of '\(name)' of '\(owner)' is malformed, so no value can be saved; "
                + "correct or remove it",
            at: place
        )
    }

    private mutating func checkDefault(
        _ attribute: AttributeDescription,
        against expression: RegularExpression,
        _ element: ElementSyntax,
        owner: String
    ) {
        guard case .string(let text)? = attribute.defaultValue else { return }
        let reason: String
        do throws(FetchPredicateError) {
            if try expression.matches(text) { return }
            reason = "does not match its regular expression"
        } catch {
            reason = "cannot be matched against its regular expression: \(error.message)"
        }
        report(
            .contradictoryBounds,
            "the default of '\(attribute.name)' of '\(owner)' \(reason), so a new object cannot be saved unchanged; "
                + "change one of the two",
            at: element.place(.defaultValueString)
        )
    }

    mutating func checkBounds(_ relationship: RelationshipDescription, _ element: ElementSyntax, owner: String) {
        // The counts of a to-one relationship have no effect.
        guard relationship.isToMany, relationship.maximumCount > 0,
            relationship.minimumCount > relationship.maximumCount
        else { return }
        report(
            .contradictoryBounds,
            "the minimum count of '\(relationship.name)' of '\(owner)' is greater than its maximum count, so "
                + "\(relationship.isOptional ? "the relationship can only be empty" : "no object can be saved"); exchange them",
            at: element.place(.minCount)
        )
    }
}
