internal import ChordataModel
internal import ChordataPredicate

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
    /// The ways to the other objects that it depends on.
    let paths: Set<[RelationshipDescription]>
    /// The properties of the object itself that it is made of.
    let propertyNames: Set<String>
    /// A Boolean value that indicates whether one of them is derived too.
    let readsDerived: Bool
    /// A Boolean value that indicates whether its value is another one each time.
    let isTimeDependent: Bool

    init(_ field: Field, format: String, of entityName: String, in model: ManagedObjectModel)
        throws(FetchPredicateError)
    {
        self.field = field
        expression = try FetchExpression(format: format)
        let moment = TimeDependence()
        let bound = try expression.bind(to: entityName, in: model, moment: moment).expression
        paths = Set(bound.dependencies.map(\.path))
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
    func makeDerivations() throws(FetchPredicateError) -> [[Derivation]] {
        var derivations: [[Derivation]] = []
        for type in entityTypes {
            var ofType: [Derivation] = []
            for field in type.fields {
                guard let format = field.attribute?.derivationExpression else { continue }
                ofType.append(try Derivation(field, format: format, of: type.entity.name, in: model))
            }
            derivations.append(ofType)
        }
        return derivations
    }
}

extension ManagedObjectContext {
    /// Computes the derived attributes of what is about to be saved, and of the objects that depend on it.
    func deriveAttributes() throws {
        guard schema.hasDerivations else { return }
        let derivations = try self.derivations ?? schema.makeDerivations()
        self.derivations = derivations
        let now = Date()
        var readers: [Int: [DerivedReader]] = [:]
        func derivedReaders(of type: RuntimeEntity) throws -> [DerivedReader] {
            if let known = readers[type.index] { return known }
            let made = try derivations[type.index].map { derivation in
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
        var changed = changedObjects
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
            recordChange(of: object, field: field.index)
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
            guard let row = conflict.row, try refresh(conflict.sourceObject, from: row) else { continue }
            try settleOneToOnes(of: conflict.sourceObject, row.values)
            event.refreshed.append(conflict.sourceObject)
        }
    }

    /// Brings the objects that derived attributes are computed from up to their rows, where they have no changes of
    /// their own: the store has changed since they were read.
    func refreshSources(ofDerivationsIn objects: [ManagedObject]) throws {
        guard schema.hasDerivations else { return }
        let derivations = try self.derivations ?? schema.makeDerivations()
        self.derivations = derivations
        for object in objects where object.state == .updated || object.state == .inserted {
            for path in Set(derivations[object.entityType.index].flatMap(\.paths)) {
                var ends = [object]
                for step in path {
                    ends = ends.flatMap { end in
                        end.entityType.field(named: step.name).flatMap { end.entityType.relationships[$0.index] }
                            .map { targets(of: end, $0) } ?? []
                    }
                    let outdated = ends.filter { $0.state == .clean && !$0.isFault }
                    for (index, group) in Dictionary(grouping: outdated, by: \.entityType.index).orderedByKey {
                        let keys = Set(group.map(\.key)).sorted()
                        event.refreshed += try refreshRows(of: keys, type: schema.entityTypes[index])
                    }
                }
            }
        }
    }

    /// The objects whose derived attributes go along a path to one of these.
    private func dependents(of changed: [ManagedObject], _ derivations: [[Derivation]]) throws -> [ManagedObject] {
        var found: [ManagedObject] = []
        var seen: Set<ManagedObject> = []
        for type in schema.entityTypes where !type.entity.isAbstract {
            for path in Set(derivations[type.index].flatMap(\.paths)) {
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
            return targets(of: object, back)
        }
        let format = relationship.isToMany ? "ANY %K == %@" : "%K == %@"
        return try fetch(
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
