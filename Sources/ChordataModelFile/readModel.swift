package import ChordataDiagnostics
internal import ChordataModel

/// Reads one version of a model.
///
/// When the diagnostics have an error there is no version.
package func readModel(
    _ file: ModelSourceFile,
    versionName: String
) -> (version: ModelVersion?, diagnostics: [Diagnostic]) {
    switch parseSyntax(file) {
    case .failure(let failure): return (nil, [failure.diagnostic])
    case .success(let root):
        guard root.name == "model" else {
            return (
                nil,
                [
                    Diagnostic(
                        .notAModel,
                        "the root element is '\(root.name)', not 'model'; is this a model's 'contents' file?",
                        at: root.location
                    )
                ]
            )
        }
        var resolver = ModelResolver(root)
        let model = resolver.resolve()
        let diagnostics = resolver.diagnostics.sortedByLocation()
        guard let model, !diagnostics.hasErrors else { return (nil, diagnostics) }
        return (ModelVersion(name: versionName, model: model, locations: resolver.locations), diagnostics)
    }
}

/// Turns elements into a model, collecting everything that is wrong.
struct ModelResolver {
    let root: ElementSyntax
    let entityElements: [ElementSyntax]
    let entityNames: [String]
    private let entityNameSet: Set<String>
    let compositeElements: [String: ElementSyntax]
    var diagnostics: [Diagnostic] = []
    var locations = ModelLocations()

    init(_ root: ElementSyntax) {
        self.root = root
        entityElements = root.children(named: "entity")
        entityNames = entityElements.compactMap { $0["name"] }
        entityNameSet = Set(entityNames)
        compositeElements = Dictionary(
            root.children(named: "composite").compactMap { element in element["name"].map { ($0, element) } },
            uniquingKeysWith: { first, _ in first }
        )
    }

    mutating func report(
        _ id: DiagnosticID,
        _ message: String,
        at location: SourceLocation,
        notes: [Diagnostic.Note] = []
    ) {
        diagnostics.append(Diagnostic(id, message, at: location, notes: notes))
    }

    func hasEntity(_ name: String) -> Bool { entityNameSet.contains(name) }

    /// How many levels entities may inherit over.
    static let maximumInheritanceDepth = 64
    /// How many names that are unknown are compared with the known ones, which takes time for each pair.
    private static let maximumSuggestionCount = 20
    private var suggestionCount = 0
    /// How many elements the composite attributes of all entities may have together.
    static let maximumCompositeElementCount = 20_000
    var compositeElementCount = 0

    /// `; did you mean 'x'?`, when a name is near and not too many have been looked for.
    mutating func suggestion(_ name: String, _ candidates: [String]) -> String {
        suggestionCount += 1
        guard suggestionCount <= Self.maximumSuggestionCount else { return "" }
        return ChordataModelFile.suggestion(name, candidates)
    }

    mutating func resolve() -> ManagedObjectModel? {
        checkElements()
        checkDuplicates(entityElements, of: "entity", within: "the model")
        let composites = root.children(named: "composite")
        checkDuplicates(composites, of: "composite", within: "the model")
        for composite in composites {
            checkDuplicates(
                composite.children(named: "attribute"),
                of: "attribute",
                within: "composite '\(composite["name"] ?? "")'"
            )
        }
        for kind in [("fetchRequest", "fetch request"), ("configuration", "configuration")] {
            let elements = root.children(named: kind.0)
            checkDuplicates(elements, of: kind.1, within: "the model", requiresIdentifier: false)
        }
        for element in entityElements {
            if let name = element["name"] { locations.entities[name] = element.place("name") }
        }
        checkInheritance()
        var entities = entityElements.compactMap { resolveEntity($0) }
        guard !diagnostics.hasErrors else { return nil }
        dropRedeclaredProperties(&entities)
        checkConstraints(entities)
        clearBrokenInverses(&entities)
        guard !diagnostics.hasErrors else { return nil }
        do {
            return try ManagedObjectModel(
                versionIdentifier: root["userDefinedModelVersionIdentifier"] ?? "",
                entities: entities,
                fetchRequestTemplates: root.children(named: "fetchRequest").compactMap { resolveTemplate($0) },
                configurations: root.children(named: "configuration").compactMap { element in
                    element["name"].map { name in
                        .init(
                            name: name,
                            entityNames: element.children(named: "memberEntity").compactMap { $0["name"] }
                        )
                    }
                }
            )
        } catch {
            report(.notAModel, error.description, at: root.location)
            return nil
        }
    }

    // MARK: The model as a whole

    private mutating func checkElements() {
        let known: Set = ["entity", "elements", "fetchRequest", "configuration", "composite"]
        for child in root.children where !known.contains(child.name) {
            report(.unknownElement, "element '\(child.name)' is unknown and ignored", at: child.location)
        }
    }

    mutating func checkDuplicates(
        _ elements: [ElementSyntax],
        of kind: String,
        within owner: String,
        requiresIdentifier: Bool = true
    ) {
        var first: [String: SourceLocation] = [:]
        for element in elements {
            guard let name = element["name"] else {
                report(.missingName, "\(kind) has no name; give it one", at: element.location)
                continue
            }
            if requiresIdentifier, !isIdentifier(name) {
                report(
                    .invalidName,
                    "'\(name)' cannot be the name of \(kind.first == "e" || kind.first == "a" ? "an" : "a") \(kind); "
                        + "use letters, digits and underscores, at most 128, and begin with a letter",
                    at: element.place("name")
                )
            } else if let earlier = first[name] {
                report(
                    .duplicateName,
                    "\(kind) '\(name)' stands twice in \(owner); rename one",
                    at: element.place("name"),
                    notes: [Diagnostic.Note("the first is here", at: earlier)]
                )
            } else {
                first[name] = element.place("name")
            }
        }
    }

    private func isIdentifier(_ name: String) -> Bool {
        guard let first = name.utf8.first, name.utf8.count <= 128, !(48...57).contains(first) else { return false }
        return name.utf8.allSatisfy {
            (65...90).contains($0) || (97...122).contains($0) || (48...57).contains($0) || $0 == 95
        }
    }

    private mutating func checkInheritance() {
        let parents = Dictionary(
            entityElements.compactMap { element in
                element["name"].flatMap { name in element["parentEntity"].map { (name, $0) } }
            },
            uniquingKeysWith: { first, _ in first }
        )
        for element in entityElements {
            guard let name = element["name"], let parent = element["parentEntity"] else { continue }
            guard hasEntity(parent) else {
                let suggestion = suggestion(parent, entityNames)
                report(
                    .unknownSuperentity,
                    "parent entity '\(parent)' of '\(name)' does not exist\(suggestion)",
                    at: element.place("parentEntity")
                )
                continue
            }
            var seen: Set = [name]
            var current: String? = parent
            while let ancestor = current {
                guard seen.count <= Self.maximumInheritanceDepth else {
                    report(
                        .limitExceeded,
                        "entity '\(name)' inherits over more than \(Self.maximumInheritanceDepth) levels",
                        at: element.place("parentEntity")
                    )
                    // Once is enough: those below it inherit over more.
                    return
                }
                guard seen.insert(ancestor).inserted else {
                    if ancestor == name {
                        report(
                            .cyclicInheritance,
                            "entity '\(name)' inherits from itself; change its parent entity",
                            at: element.place("parentEntity")
                        )
                    }
                    break
                }
                current = parents[ancestor]
            }
        }
    }

    /// Xcode lets an entity repeat a property of its parent; with the same type it is one property.
    private mutating func dropRedeclaredProperties(_ entities: inout [EntityDescription]) {
        let byName = Dictionary(uniqueKeysWithValues: entities.map { ($0.name, $0) })
        for index in entities.indices {
            var ancestor = entities[index].superentityName
            while let parent = ancestor.flatMap({ byName[$0] }) {
                for inherited in parent.declaredAttributes {
                    guard let own = entities[index].declaredAttributes.firstIndex(where: { $0.name == inherited.name })
                    else { continue }
                    let attribute = entities[index].declaredAttributes.remove(at: own)
                    if attribute.attributeType != inherited.attributeType {
                        reportRedeclaration(attribute.name, entities[index].name, parent.name)
                    }
                }
                for inherited in parent.declaredRelationships {
                    guard
                        let own = entities[index].declaredRelationships.firstIndex(where: { $0.name == inherited.name })
                    else { continue }
                    let relationship = entities[index].declaredRelationships.remove(at: own)
                    if relationship.destinationEntityName != inherited.destinationEntityName
                        || relationship.isToMany != inherited.isToMany
                    {
                        reportRedeclaration(relationship.name, entities[index].name, parent.name)
                    }
                }
                ancestor = parent.superentityName
            }
        }
    }

    private mutating func reportRedeclaration(_ property: String, _ entity: String, _ parent: String) {
        let location = locations.property(property, of: entity) ?? root.location
        report(
            .redeclaredProperty,
            "'\(property)' of '\(entity)' has another type than in its parent entity '\(parent)'; rename one",
            at: location
        )
    }

    private mutating func checkConstraints(_ entities: [EntityDescription]) {
        let byName = Dictionary(uniqueKeysWithValues: entities.map { ($0.name, $0) })
        for element in entityElements {
            guard let entity = element["name"].flatMap({ byName[$0] }) else { continue }
            var names: [String] = []
            var current: EntityDescription? = entity
            while let level = current {
                names += level.declaredAttributes.map(\.name) + level.declaredRelationships.map(\.name)
                current = level.superentityName.flatMap { byName[$0] }
            }
            for group in element.children(named: "uniquenessConstraints").flatMap({
                $0.children(named: "uniquenessConstraint")
            }) {
                for constraint in group.children(named: "constraint") {
                    guard let value = constraint["value"], !names.contains(value) else { continue }
                    let suggestion = suggestion(value, names)
                    report(
                        .unknownConstraintProperty,
                        "uniqueness constraint of '\(entity.name)' names '\(value)', which is not a property\(suggestion)",
                        at: constraint.place("value")
                    )
                }
            }
        }
    }

    /// An inverse that does not lead back is none; Xcode only warns about it.
    private mutating func clearBrokenInverses(_ entities: inout [EntityDescription]) {
        let byName = Dictionary(uniqueKeysWithValues: entities.map { ($0.name, $0) })
        func lineage(_ name: String) -> [EntityDescription] {
            var result: [EntityDescription] = []
            var current = byName[name]
            while let entity = current {
                result.append(entity)
                current = entity.superentityName.flatMap { byName[$0] }
            }
            return result
        }
        for index in entities.indices {
            for position in entities[index].declaredRelationships.indices {
                let relationship = entities[index].declaredRelationships[position]
                guard let inverseName = relationship.inverseName else { continue }
                let inverse = lineage(relationship.destinationEntityName).lazy
                    .flatMap(\.declaredRelationships).first { $0.name == inverseName }
                let owner = entities[index].name
                let pointsBack = inverse.map { found in
                    found.inverseName == relationship.name
                        && (lineage(found.destinationEntityName).contains { $0.name == owner }
                            || lineage(owner).contains { $0.name == found.destinationEntityName })
                }
                if pointsBack == true { continue }
                entities[index].declaredRelationships[position].inverseName = nil
                let reason = pointsBack == nil ? "does not exist" : "does not lead back"
                report(
                    .unknownInverse,
                    "inverse '\(inverseName)' of '\(relationship.name)' of '\(owner)' \(reason) in "
                        + "'\(relationship.destinationEntityName)', so the relationship has none; set it at both ends",
                    at: locations.property(relationship.name, of: owner) ?? root.location
                )
            }
        }
    }
}
