package import ChordataDiagnostics
internal import ChordataModel
internal import ChordataPredicate

/// Returns the likely problems of a bundle's current version, and its invalid predicates and expressions.
///
/// Other versions should not be changed, so warnings about them are of no use.
package func checkModel(_ bundle: ModelBundle) -> [Diagnostic] {
    let version = bundle.currentVersion
    var checker = ModelChecker(model: version.model, locations: version.locations, isHistory: bundle.isHistory)
    checker.checkEntities()
    checker.checkInverses()
    checker.checkDeleteRules()
    checker.checkPredicates()
    checker.checkRenaming(since: bundle.versions[..<bundle.currentVersionIndex].map(\.model))
    return checker.diagnostics.sortedByLocation()
}

/// Finds properties and entities of an older version that have the same renaming identifier: the step to this
/// version cannot be inferred.
///
/// Renaming identifiers are not part of the hash of a version, so they can be corrected also in older versions.
package func checkRenamingClaims(of version: ModelVersion) -> [Diagnostic] {
    var checker = ModelChecker(model: version.model, locations: version.locations, isHistory: true)
    checker.checkClaims()
    return checker.diagnostics.sortedByLocation()
}

/// Checks a model and the contents of its file.
struct ModelChecker {
    let model: ManagedObjectModel
    let locations: ModelLocations
    let isHistory: Bool
    private(set) var diagnostics: [Diagnostic] = []
    /// The relationships of the destination entities that have been looked up so far, including inherited ones.
    private var relationships: [String: [String: RelationshipDescription]] = [:]
    /// The number of unknown names that may still be compared with the known ones, which takes time for each pair.
    private var suggestionCount = 20

    init(model: ManagedObjectModel, locations: ModelLocations, isHistory: Bool) {
        self.model = model
        self.locations = locations
        self.isHistory = isHistory
    }

    mutating func report(
        _ id: DiagnosticID,
        _ message: String,
        at location: SourceLocation?,
        severity: Diagnostic.Severity? = nil,
        notes: [Diagnostic.Note] = [],
        fixIts: [FixIt] = []
    ) {
        diagnostics.append(
            Diagnostic(id, message, at: location ?? locations.model, severity: severity, notes: notes, fixIts: fixIts)
        )
    }

    /// Returns a relationship that an entity declares or inherits.
    mutating func relationship(_ name: String, of entity: String) -> RelationshipDescription? {
        if let known = relationships[entity] { return known[name] }
        let found = model.entity(named: entity)?.relationshipsByName ?? [:]
        relationships[entity] = found
        return found[name]
    }

    /// Returns the location of an attribute's value in a property's element, or of the property's name without the
    /// attribute.
    func place(_ name: ModelName, of property: String, of entity: String) -> SourceLocation? {
        locations.propertyElement(property, of: entity).map { $0.attribute(name)?.valueLocation ?? $0.place(.name) }
    }

    /// Returns the name that was most likely meant; `nil` if too many names have been looked up.
    mutating func nearest(to name: String, among candidates: () -> [String]) -> String? {
        guard suggestionCount > 0 else { return nil }
        suggestionCount -= 1
        return nearestName(to: name, among: candidates())
    }

    /// Returns the entities that a check needs; selecting them by index avoids copies of all other entities.
    func entities(where isWanted: (EntityDescription) -> Bool) -> [EntityDescription] {
        model.entities.indices.filter { isWanted(model.entities[$0]) }.map { model.entities[$0] }
    }

    mutating func checkEntities() {
        for entity in entities(where: { $0.isAbstract && $0.subentityNames.isEmpty }) {
            report(
                .childlessAbstractEntity,
                "abstract entity '\(entity.name)' has no subentities, so it cannot have objects; make it concrete, "
                    + "or add a subentity",
                at: locations.entity(entity.name)
            )
        }
    }
}
