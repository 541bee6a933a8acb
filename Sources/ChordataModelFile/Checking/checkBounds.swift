internal import ChordataDiagnostics
internal import ChordataModel
internal import ChordataPredicate

extension ModelResolver {
    /// Finds bounds that nothing can meet, and a regular expression that is none.
    mutating func checkBounds(_ attribute: AttributeDescription, _ element: ElementSyntax, owner: String) {
        if let least = attribute.minimumValue, let greatest = attribute.maximumValue, isGreater(least, than: greatest) {
            report(
                .contradictoryBounds,
                "the minimum of '\(attribute.name)' of '\(owner)' is greater than its maximum, so no value can be saved; "
                    + "exchange them",
                at: element.place(
                    element.attribute(.minDateTimeInterval) == nil ? .minValueString : .minDateTimeInterval
                )
            )
        }
        if let pattern = attribute.regularExpression, RegularExpression(pattern, options: []) == nil {
            report(
                .malformedRegularExpression,
                "the regular expression of '\(attribute.name)' of '\(owner)' is malformed, so no value can be saved; "
                    + "correct or remove it",
                at: element.place(.regularExpressionString)
            )
        }
    }

    mutating func checkBounds(_ relationship: RelationshipDescription, _ element: ElementSyntax, owner: String) {
        guard relationship.maximumCount > 0, relationship.minimumCount > relationship.maximumCount else { return }
        report(
            .contradictoryBounds,
            "the least count of '\(relationship.name)' of '\(owner)' is greater than the greatest, so no object can be saved; "
                + "exchange them",
            at: element.place(.minCount)
        )
    }
}

private func isGreater(_ left: AttributeValue, than right: AttributeValue) -> Bool {
    switch (left, right) {
    case (.integer(let a), .integer(let b)): a > b
    case (.double(let a), .double(let b)): a > b
    case (.decimal(let a), .decimal(let b)): a > b
    case (.date(let a), .date(let b)): a > b
    default: false  // Other values have no order.
    }
}
