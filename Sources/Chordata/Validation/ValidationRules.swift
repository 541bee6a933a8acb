internal import ChordataModel

/// The rules of an entity's objects, computed once.
///
/// The type is a class, because passing a reference costs almost nothing.
final class ValidationRules: Sendable {
    /// A property for which the class's hook is called.
    struct HookedProperty: Sendable {
        /// The index of the name in ``ValidationHooks/PropertyHook/names``.
        let place: Int
        let name: String
        /// The field of the property; `nil` for a composite.
        let field: Field?
    }

    /// The attributes that must have a value.
    let required: PropertyMask
    let attributes: [AttributeRule]
    let relationships: [RelationshipRule]
    /// The columns whose field may have a value that is not a number.
    let columnsWithNaN: [ColumnField]
    /// The relationships whose delete rule is Deny.
    let denying: [RuntimeEntity.Relationship]
    let hooks: ValidationHooks
    let hookedProperties: [HookedProperty]
    /// A Boolean value that indicates whether the class may override `validateForInsert()` and others.
    let isOverridable: Bool
    /// A Boolean value that indicates whether a new or changed object needs checks other than for missing values.
    let concernsChanges: Bool
    /// A Boolean value that indicates whether a deleted object needs checks.
    let concernsDeletion: Bool

    init(
        fields: [Field],
        relationships: [RuntimeEntity.Relationship?],
        columns: [ColumnField],
        objectClass: ManagedObject.Type
    ) {
        var required = PropertyMask()
        // A derived attribute is computed later in the save.
        for field in fields where field.isRequired && field.attribute?.isDerived == false {
            required.insert(field.index)
        }
        self.required = required
        attributes = fields.compactMap { AttributeRule($0) }
        self.relationships = fields.compactMap { RelationshipRule($0) }
        columnsWithNaN = columns.filter { [.double, .float, .date, .decimal].contains($0.kind.base) }
        denying = relationships.compactMap { $0?.description.deleteRule == .deny ? $0 : nil }
        hooks = ValidationHooks(of: objectClass)
        hookedProperties = (hooks.property?.names ?? []).enumerated().compactMap { place, name in
            let field = fields.first { $0.name == name }
            // Fetched properties have no field, and are not saved.
            guard field != nil || fields.contains(where: { $0.name.hasPrefix(name + ".") }),
                field?.attribute?.isDerived != true
            else { return nil }
            return HookedProperty(place: place, name: name, field: field)
        }
        isOverridable = objectClass is OverridableManagedObject.Type
        concernsChanges =
            !attributes.isEmpty || !self.relationships.isEmpty || !columnsWithNaN.isEmpty || !hookedProperties.isEmpty
            || hooks.insert != nil || hooks.update != nil || isOverridable
        concernsDeletion = !denying.isEmpty || hooks.delete != nil || isOverridable
    }

    /// A Boolean value that indicates whether the class has hooks, which may do anything.
    var callsHooks: Bool {
        isOverridable || !hookedProperties.isEmpty || hooks.insert != nil || hooks.update != nil || hooks.delete != nil
    }

    // MARK: Common to all properties

    static let missing: AttributeRule.Violation = (
        .missingMandatoryProperty,
        "is required and has no value; set it before saving, or make it optional or give it a default in the model"
    )

    static let deniedDeletion = "has delete rule Deny and is not empty; remove its objects first"

    static func notANumber(_ kind: FieldKind) -> AttributeRule.Violation {
        (
            kind.base == .date ? .invalidDate : .managedObjectValidation,
            "is not a number (NaN), which the store cannot represent; set another value"
        )
    }
}
