internal import ChordataModel
internal import ChordataPredicate
internal import ChordataSQL
internal import Synchronization

/// A derived attribute, whose value is computed from other properties.
struct Derivation: Sendable {
    let field: Field
    let expression: FetchExpression
    /// The properties of other objects on which it depends.
    let dependencies: Set<FetchDependency>
    /// The relationship paths to these objects.
    let paths: Set<[RelationshipDescription]>
    /// The properties of the object itself from which the value is computed.
    let propertyNames: Set<String>
    /// A Boolean value that indicates whether one of these properties is derived too.
    let readsDerived: Bool
    /// A Boolean value that indicates whether the value depends on the time of the computation.
    let isTimeDependent: Bool
    /// A Boolean value that indicates whether SQL can compute it.
    let isRenderable: Bool
    /// A Boolean value that indicates whether a save computes the attribute with SQL, so that it reads no objects at
    /// the other ends of relationships; otherwise the save computes it in memory, before it validates the object.
    fileprivate(set) var isStored = false

    init(_ field: Field, format: String, of entityName: String, in model: ManagedObjectModel)
        throws(FetchPredicateError)
    {
        self.field = field
        expression = try FetchExpression(format: format)
        let timeDependence = TimeDependence()
        let typed = try expression.bind(to: entityName, in: model, timeDependence: timeDependence)
        let bound = typed.expression
        isRenderable = bound.isRenderable && typed.type != .opaque
        dependencies = bound.dependencies
        paths = Set(dependencies.map(\.path))
        let own = bound.groupedKeyPaths
        propertyNames = Set(own.compactMap { $0.relationships.first?.name ?? $0.attributePath.joined(separator: ".") })
        readsDerived = own.contains { $0.relationships.isEmpty && $0.attribute?.isDerived == true }
        isTimeDependent = timeDependence.isFound
    }
}

extension StoreSchema {
    /// Returns the derived attributes by entity.
    /// - Throws: ``FetchPredicateError`` if an expression is not valid for the model.
    func derivations() throws(FetchPredicateError) -> [[Derivation]] {
        if let known = derivationCache.withLock({ $0 }) { return known }
        let made = try makeDerivations()
        derivationCache.withLock { $0 = made }
        return made
    }

    private func makeDerivations() throws(FetchPredicateError) -> [[Derivation]] {
        var derivations: [[Derivation]] = []
        for type in runtimeEntities {
            var ofType: [Derivation] = []
            for field in type.fields {
                guard let format = field.attribute?.derivationExpression else { continue }
                ofType.append(try Derivation(field, format: format, of: type.entity.name, in: model))
            }
            derivations.append(ofType)
        }
        let graph = DerivationGraph(derivations, self)
        for (index, ofType) in derivations.enumerated() {
            for place in ofType.indices where !ofType[place].paths.isEmpty {
                derivations[index][place].isStored = graph.isComputedBySQL(index, place)
            }
        }
        return derivations
    }
}

/// The derived attributes of a model, and the derived attributes from which they derive.
private struct DerivationGraph {
    private struct Place: Hashable {
        let type: Int
        let derivation: Int
    }

    /// For each attribute, the attributes from which it derives.
    private var sources: [Place: Set<Place>] = [:]
    /// For each attribute, one attribute that represents its group; attributes that derive from each other in any way
    /// are a group.
    private var groups: [Place: Place] = [:]
    /// The groups that are computed in memory.
    private var groupsInMemory: Set<Place> = []

    init(_ derivations: [[Derivation]], _ schema: StoreSchema) {
        let places = derivations.indices.flatMap { type in
            derivations[type].indices.map { Place(type: type, derivation: $0) }
        }
        for place in places {
            let derivation = derivations[place.type][place.derivation]
            sources[place] = Set(
                places.filter { source in
                    let name = derivations[source.type][source.derivation].field.name
                    if source.type == place.type, derivation.propertyNames.contains(name) { return true }
                    return derivation.dependencies.contains { dependency in
                        dependency.propertyName == name
                            && schema.model.entity(
                                schema.runtimeEntities[source.type].entity.name,
                                isKindOf: dependency.entityName
                            )
                    }
                }
            )
        }
        for place in places where groups[place] == nil { group(places, from: place) }
        // SQL computes attributes that derive from other rows in rounds, whose number the model limits. In a cycle,
        // such as a number to which each object adds, the number of rounds is as large as the number of rows.
        for place in places {
            let derivation = derivations[place.type][place.derivation]
            let isOfOthers = !derivation.paths.isEmpty
            if isOfOthers && (!derivation.isRenderable || derivation.field.columnName == nil) || isInCycle(place) {
                groups[place].map { _ = groupsInMemory.insert($0) }
            }
        }
    }

    /// Returns a Boolean value that indicates whether an attribute that derives from other objects is computed by SQL;
    /// attributes that derive from each other are computed in the same way.
    func isComputedBySQL(_ type: Int, _ derivation: Int) -> Bool {
        groups[Place(type: type, derivation: derivation)].map { !groupsInMemory.contains($0) } ?? false
    }

    private mutating func group(_ places: [Place], from first: Place) {
        var pending = [first]
        while let place = pending.popLast() {
            guard groups[place] == nil else { continue }
            groups[place] = first
            pending += sources[place] ?? []
            pending += places.filter { sources[$0]?.contains(place) == true }
        }
    }

    private func isInCycle(_ place: Place) -> Bool {
        var seen: Set<Place> = []
        var pending = Array(sources[place] ?? [])
        while let next = pending.popLast() {
            if next == place { return true }
            if seen.insert(next).inserted { pending += sources[next] ?? [] }
        }
        return false
    }
}
