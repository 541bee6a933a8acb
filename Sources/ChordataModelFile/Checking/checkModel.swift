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
}
