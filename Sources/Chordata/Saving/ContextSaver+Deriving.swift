internal import ChordataModel
internal import ChordataPredicate
internal import ChordataSQL
internal import Synchronization

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

// Derived attributes: computed on the way to the store (5B step 4), from what is in memory by then.

/// An attribute whose value follows from others.
struct Derivation: Sendable {
    let field: Field
    let expression: FetchExpression
    /// The properties of other objects that it depends on.
    let dependencies: Set<FetchDependency>
    /// The ways to these objects.
    let paths: Set<[RelationshipDescription]>
    /// The properties of the object itself that it is made of.
    let propertyNames: Set<String>
    /// A Boolean value that indicates whether one of them is derived too.
    let readsDerived: Bool
    /// A Boolean value that indicates whether its value is another one each time.
    let isTimeDependent: Bool
    /// A Boolean value that indicates whether SQL can compute it.
    let isRenderable: Bool
    /// A Boolean value that indicates whether a save computes it by SQL, so that it reads no objects at the other ends
    /// of relationships; otherwise it does so in memory, before it validates the object.
    fileprivate(set) var isStored = false

    init(_ field: Field, format: String, of entityName: String, in model: ManagedObjectModel)
        throws(FetchPredicateError)
    {
        self.field = field
        expression = try FetchExpression(format: format)
        let moment = TimeDependence()
        let typed = try expression.bind(to: entityName, in: model, moment: moment)
        let bound = typed.expression
        isRenderable = bound.isRenderable && typed.type != .opaque
        dependencies = bound.dependencies
        paths = Set(dependencies.map(\.path))
        let own = bound.groupedKeyPaths
        propertyNames = Set(own.compactMap { $0.relationships.first?.name ?? $0.attributePath.joined(separator: ".") })
        readsDerived = own.contains { $0.relationships.isEmpty && $0.attribute?.isDerived == true }
        isTimeDependent = moment.matters
    }
}

/// A derived attribute, ready to be computed.
private struct DerivedReader {
    let field: Field
    let read: (AnyObject) throws(FetchPredicateError) -> AttributeValue?
}

extension StoreSchema {
    /// The derived attributes by entity.
    /// - Throws: ``FetchPredicateError`` where an expression does not fit the model.
    func derivations() throws(FetchPredicateError) -> [[Derivation]] {
        if let known = derivationCache.withLock({ $0 }) { return known }
        let made = try makeDerivations()
        derivationCache.withLock { $0 = made }
        return made
    }

    private func makeDerivations() throws(FetchPredicateError) -> [[Derivation]] {
        var derivations: [[Derivation]] = []
        for type in entityTypes {
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

/// The derived attributes of a model, and those from which they derive.
private struct DerivationGraph {
    private struct Place: Hashable {
        let type: Int
        let derivation: Int
    }

    /// The attributes from which one derives.
    private var sources: [Place: Set<Place>] = [:]
    /// The attributes that derive from each other in any way, by one of them.
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
                                schema.entityTypes[source.type].entity.name,
                                isKindOf: dependency.entityName
                            )
                    }
                }
            )
        }
        for place in places where groups[place] == nil { group(places, from: place) }
        // Rounds of SQL compute what derives from other rows in a number of rounds that the model limits. In a cycle,
        // such as a number that each object adds to, it is as large as the number of rows.
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

extension ContextSaver {
    /// Computes the derived attributes of what is about to be saved, and of the objects that depend on it.
    func deriveAttributes() throws {
        guard schema.hasDerivations else { return }
        let derivations = try schema.derivations()
        let now = Date()
        var readers: [Int: [DerivedReader]] = [:]
        func derivedReaders(of type: RuntimeEntity) throws -> [DerivedReader] {
            if let known = readers[type.index] { return known }
            let made = try derivations[type.index].filter { !$0.isStored }.map { derivation in
                let bound = try derivation.expression.bind(to: type.entity.name, in: schema.model, now: now)
                return DerivedReader(
                    field: derivation.field,
                    read: makeReader(
                        bound.expression,
                        access: ManagedObjectAccess(schema: schema, loadsExternalData: true)
                    )
                )
            }
            readers[type.index] = made
            return made
        }
        // What one object changes, others may derive from; a chain of such steps is as long as the model makes it.
        var changed = graph.changedObjects
        var again = changed
        var seen: Set<ManagedObject> = []
        var roundsWithoutNews = 0
        while roundsWithoutNews < ChangeLimitExceededError.limit {
            let dependent = try again + dependents(of: changed, derivations)
            changed = try dependent.filter { try derive(derivedReaders(of: $0.entityType), of: $0) }
            if changed.isEmpty { return }
            again = changed.filter { derivations[$0.entityType.index].contains(where: \.readsDerived) }
            let count = seen.count
            seen.formUnion(changed)
            roundsWithoutNews = seen.count == count ? roundsWithoutNews + 1 : 0
        }
        throw ChangeLimitExceededError(derivationsOf: Set(changed.map(\.entityType.entity.name)))
    }

    /// Computes the derived attributes of an object; true when one changed.
    private func derive(_ readers: [DerivedReader], of object: ManagedObject) throws -> Bool {
        guard !readers.isEmpty, object.state != .deleted, object.state != .detached else { return false }
        object.readRowOfFault()
        var hasChanged = false
        for reader in readers {
            let field = reader.field
            let derived = try reader.read(object)
            if derived == nil, field.isRequired {
                throw ValidationError.missingDerivation(of: field, object.objectID)
            }
            let value = derived.flatMap { convert($0, to: field.kind.base) }.flatMap { field.fitting($0) }
            guard (value == nil) == (derived == nil) else {
                throw ValidationError.invalidDerivation(of: field, object.objectID)
            }
            if value == attributeValue(field.kind, at: object.address(of: field)) { continue }
            editor.recordChange(of: object, field: field.index)
            guard setAttributeValue(value, field.kind, at: object.address(of: field)) else {
                throw ValidationError.invalidDerivation(of: field, object.objectID)
            }
            hasChanged = true
        }
        return hasChanged
    }

    /// Takes over the rows of objects of which only derived attributes were changed, here or in the store.
    func takeNewRows(of conflicts: [MergeConflict]) throws {
        for conflict in conflicts {
            guard let row = conflict.row, try editor.refresh(conflict.sourceObject, from: row) else { continue }
            try editor.settleOneToOnes(of: conflict.sourceObject, row.values)
            graph.event.refreshed.append(conflict.sourceObject)
        }
    }

    /// Brings the objects that derived attributes are computed from up to their rows, where they have no changes of
    /// their own: the store has changed since they were read.
    func refreshSources(ofDerivationsIn objects: [ManagedObject]) throws {
        guard schema.hasDerivations else { return }
        let derivations = try schema.derivations()
        for object in objects where object.state == .updated || object.state == .inserted {
            for path in Set(derivations[object.entityType.index].flatMap(\.paths)) {
                var ends = [object]
                for step in path {
                    ends = ends.flatMap { end in
                        end.entityType.field(named: step.name).flatMap { end.entityType.relationships[$0.index] }
                            .map { editor.targets(of: end, $0) } ?? []
                    }
                    let outdated = ends.filter { $0.state == .clean && !$0.isFault }
                    for (index, group) in Dictionary(grouping: outdated, by: \.entityType.index).orderedByKey {
                        let keys = Set(group.map(\.key)).sorted()
                        graph.event.refreshed += try editor.refreshRows(of: keys, type: schema.entityTypes[index])
                    }
                }
            }
        }
    }

    // MARK: In the store

    /// The changes of rows by derived attributes, as other contexts merge them.
    func changes(of derived: DerivedRow) -> ChangeSet.Row {
        let type = derived.row.values.entityType
        return ChangeSet.Row(
            kind: .updated,
            type: type,
            key: derived.row.key,
            version: derived.row.version,
            values: derived.row.values,
            changes: FieldChanges(fields: type.derivedMask, baseVersion: derived.baseVersion)
        )
    }

    /// Gives registered objects the derived values that a save has computed.
    ///
    /// An object whose row others have changed too keeps its version and its other values until it merges them.
    func takeDerivedValues(of rows: [DerivedRow]) {
        for derived in rows {
            let row = derived.row
            let type = row.values.entityType
            guard let known = graph.registered(key: row.key, rootIndex: type.rootIndex), !known.isFault,
                known.entityType === type
            else { continue }
            guard known.state == .clean else { continue }
            if !editor.takeDerivedValues(derived, into: known), !merger.inbox.isEmpty {
                // Where the changes of others wait to be merged, these come after them.
                merger.inbox.post(ChangeSet(rows: [changes(of: derived)]))
            }
        }
    }

    // MARK: In memory

    /// The objects whose derived attributes go along a path to one of these.
    private func dependents(of changed: [ManagedObject], _ derivations: [[Derivation]]) throws -> [ManagedObject] {
        var found: [ManagedObject] = []
        var seen: Set<ManagedObject> = []
        for type in schema.entityTypes where !type.entity.isAbstract {
            for path in Set(derivations[type.index].filter { !$0.isStored }.flatMap(\.paths)) {
                let destination = path[path.count - 1].destinationEntityName
                var sources = changed.filter { schema.model.entity($0.entityType.entity.name, isKindOf: destination) }
                for step in path.indices.reversed() where !sources.isEmpty {
                    let owner = step == 0 ? type.entity.name : path[step - 1].destinationEntityName
                    var next: Set<ManagedObject> = []
                    sources = try sources.flatMap { try owners(of: $0, path[step], ownerName: owner) }
                        .filter { next.insert($0).inserted }
                }
                for source in sources where source.entityType === type && seen.insert(source).inserted {
                    found.append(source)
                }
            }
        }
        return found
    }

    /// The objects that have an object at the other end of a relationship.
    private func owners(
        of object: ManagedObject,
        _ relationship: RelationshipDescription,
        ownerName: String
    ) throws -> [ManagedObject] {
        if let inverse = relationship.inverseName.flatMap({ object.entityType.field(named: $0) }),
            let back = object.entityType.relationships[inverse.index]
        {
            return editor.targets(of: object, back)
        }
        let format = relationship.isToMany ? "ANY %K == %@" : "%K == %@"
        return try fetcher.fetch(
            FetchRequest<ManagedObject>(entityName: ownerName).where(format: format, relationship.name, object)
        )
    }
}

extension ValidationError {
    /// A required derived attribute has no value.
    static func missingDerivation(of field: Field, _ objectID: ManagedObjectID) -> ValidationError {
        derivation(of: field, objectID, .missingMandatoryProperty, "required, and has no value; make it optional")
    }

    /// The value of a derived attribute has not its type.
    static func invalidDerivation(of field: Field, _ objectID: ManagedObjectID) -> ValidationError {
        let reason = "and its value is not valid for the attribute's type; change this type"
        return derivation(of: field, objectID, .managedObjectValidation, reason)
    }

    private static func derivation(
        of field: Field,
        _ objectID: ManagedObjectID,
        _ code: Failure.Code,
        _ reason: String
    ) -> ValidationError {
        let reason = "is derived, \(reason) in the model"
        return ValidationError(failures: [Failure(code, objectID, propertyName: field.name, reason: reason)])
    }
}

extension Field {
    /// A value in the attribute's type; `nil` where it is not one of its values.
    func fitting(_ value: AttributeValue) -> AttributeValue? { kind.base.visit(FittingValue(value: value)) ?? nil }
}

private struct FittingValue: FieldVisitor {
    let value: AttributeValue

    func visit<T: FieldValue>(_: T.Type) -> AttributeValue? {
        guard let fitting = T(value), !fitting.isNotANumber else { return nil }
        return fitting.attributeValue
    }
}
