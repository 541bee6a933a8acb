internal import ChordataModel

/// The minimum and maximum number of objects of a relationship.
struct RelationshipRule: Sendable {
    let field: Field
    private let minimum: Int
    private let maximum: Int

    /// Creates the rule of a field; `nil` if every number is valid.
    init?(_ field: Field) {
        guard let relationship = field.relationship else { return nil }
        // A to-one relationship has one object or none, regardless of the model's counts.
        minimum = relationship.isToMany ? max(relationship.minimumCount, 0) : 0
        maximum = relationship.isToMany ? max(relationship.maximumCount, 0) : 0
        if !field.isRequired && minimum == 0 && maximum == 0 { return nil }
        self.field = field
    }

    /// Returns the violation by a relationship's count.
    func violation(byCount count: Int) -> AttributeRule.Violation? {
        if count == 0 {
            // An optional relationship may be empty, regardless of its minimum.
            if !field.isRequired { return nil }
            if minimum == 0 { return ValidationRules.missing }
        }
        if count < minimum {
            return (
                .relationshipLacksMinimumCount,
                "has \(describe(count)); the minimum is \(minimum); add objects"
            )
        }
        if maximum > 0, count > maximum {
            return (
                .relationshipExceedsMaximumCount,
                "has \(describe(count)); the maximum is \(maximum); remove objects"
            )
        }
        return nil
    }

    private func describe(_ count: Int) -> String { count == 1 ? "1 object" : "\(count) objects" }
}
