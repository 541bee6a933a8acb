package import ChordataDiagnostics
internal import ChordataModel

/// Finds what works and yet will hurt in a bundle's current version, and predicates and expressions that do not work.
///
/// Other versions are history, which nobody should change: what would be a warning there helps nobody.
package func checkModel(_ bundle: ModelBundle) -> [Diagnostic] {
    let version = bundle.currentVersion
    var checker = ModelChecker(model: version.model, locations: version.locations)
    checker.checkEntities()
    checker.checkInverses()
    checker.checkDeleteRules()
    checker.checkBounds()
    checker.checkPredicates()
    checker.checkRenaming(since: bundle.versions[..<bundle.currentVersionIndex].map(\.model))
    return checker.diagnostics.sortedByLocation()
}

/// Looks at a model and at what stood in its file.
struct ModelChecker {
    let model: ManagedObjectModel
    let locations: ModelLocations
    private(set) var diagnostics: [Diagnostic] = []

    init(model: ManagedObjectModel, locations: ModelLocations) {
        self.model = model
        self.locations = locations
    }

    mutating func report(
        _ id: DiagnosticID,
        _ message: String,
        at location: SourceLocation?,
        notes: [Diagnostic.Note] = []
    ) {
        diagnostics.append(Diagnostic(id, message, at: location ?? locations.model, notes: notes))
    }

    mutating func report(_ diagnostic: Diagnostic) { diagnostics.append(diagnostic) }

    /// The value of an attribute of a property's element, or the property's name.
    func place(_ name: ModelName, of property: String, of entity: String) -> SourceLocation? {
        locations.propertyElement(property, of: entity).map { $0.attribute(name)?.valueLocation ?? $0.place(.name) }
    }

    mutating func checkEntities() {
        for entity in model.entities where entity.isAbstract && entity.subentityNames.isEmpty {
            report(
                .childlessAbstractEntity,
                "abstract entity '\(entity.name)' has no subentities, so there can be no objects of it; "
                    + "make it concrete, or let another entity inherit from it",
                at: locations.entity(entity.name)
            )
        }
    }

    /// Finds bounds that nothing can meet, and regular expressions that are none.
    mutating func checkBounds() {
        for entity in model.entities {
            for attribute in entity.declaredAttributes {
                if let least = attribute.minimumValue, let greatest = attribute.maximumValue,
                    isGreater(least, than: greatest)
                {
                    report(
                        .contradictoryBounds,
                        "the minimum of '\(attribute.name)' of '\(entity.name)' is greater than its maximum, "
                            + "so no value can be saved; exchange them",
                        at: place(.minValueString, of: attribute.name, of: entity.name)
                    )
                }
                if let pattern = attribute.regularExpression, !isRegularExpression(pattern) {
                    report(
                        .malformedRegularExpression,
                        "the regular expression of '\(attribute.name)' of '\(entity.name)' is malformed, "
                            + "so no value can be saved; correct or remove it",
                        at: place(.regularExpressionString, of: attribute.name, of: entity.name)
                    )
                }
            }
            for relationship in entity.declaredRelationships
            where relationship.maximumCount > 0 && relationship.minimumCount > relationship.maximumCount {
                report(
                    .contradictoryBounds,
                    "the least count of '\(relationship.name)' of '\(entity.name)' is greater than the greatest, "
                        + "so no object can be saved; exchange them",
                    at: place(.minCount, of: relationship.name, of: entity.name)
                )
            }
        }
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
