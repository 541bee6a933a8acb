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
    /// The paths that it goes along, relationship by relationship.
    let paths: [[RelationshipDescription]]
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
                let expression = try FetchExpression(format: format)
                let bound = try expression.bind(to: type.entity.name, in: model).expression
                ofType.append(Derivation(field: field, expression: expression, paths: bound.relationshipPaths))
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
        func derivedReaders(of type: EntityType) throws -> [DerivedReader] {
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
        for round in 0..<EndlessChangesError.limit {
            var dependent = try dependents(of: changed, derivations)
            if round == 0 { dependent = changed + dependent }
            changed = try dependent.filter { try derive(derivedReaders(of: $0.entityType), of: $0) }
            if changed.isEmpty { return }
        }
        throw EndlessChangesError(derivationsOf: Set(changed.map(\.entityType.entity.name)))
    }

    /// Computes the derived attributes of an object; true when one changed.
    private func derive(_ readers: [DerivedReader], of object: ManagedObject) throws -> Bool {
        guard !readers.isEmpty, object.state != .deleted, object.state != .gone else { return false }
        object.readRowOfFault()
        var hasChanged = false
        for reader in readers {
            let field = reader.field
            let derived = try reader.read(object)
            if derived == nil, field.isRequired {
                let reason = "is derived and required, and has no value; make it optional in the model"
                throw derivationError(.missingMandatoryProperty, object, field, reason)
            }
            let value = derived.flatMap { convert($0, to: field.kind.base) }
            let isConverted =
                (value == nil) == (derived == nil) && value.map { PredicateValue.attribute($0).isNotANumber } != true
            if isConverted, value == attributeValue(field.kind, at: object.address(of: field)) { continue }
            recordChange(of: object, field: field.index)
            guard isConverted, setAttributeValue(value, field.kind, at: object.address(of: field))
            else {
                let reason = "is derived, and its value does not fit the attribute; give it a larger type in the model"
                throw derivationError(.managedObjectValidation, object, field, reason)
            }
            hasChanged = true
        }
        return hasChanged
    }

    private func derivationError(
        _ code: ValidationError.Failure.Code,
        _ object: ManagedObject,
        _ field: Field,
        _ reason: String
    ) -> ValidationError {
        ValidationError(failures: [
            ValidationError.Failure(code, of: object, propertyName: field.name, reason: reason)
        ])
    }

    /// The objects whose derived attributes go along a path to one of these.
    private func dependents(of changed: [ManagedObject], _ derivations: [[Derivation]]) throws -> [ManagedObject] {
        var found: [ManagedObject] = []
        var seen: Set<ManagedObject> = []
        for type in schema.entityTypes where !type.entity.isAbstract {
            for path in Set(derivations[type.index].flatMap(\.paths)) {
                for (position, relationship) in path.enumerated() {
                    var sources = changed.filter {
                        schema.model.entity($0.entityType.entity.name, isKindOf: relationship.destinationEntityName)
                    }
                    for step in (0...position).reversed() {
                        let owner = step == 0 ? type.entity.name : path[step - 1].destinationEntityName
                        sources = try sources.flatMap { try owners(of: $0, path[step], ownerName: owner) }
                    }
                    for source in sources where source.entityType === type && seen.insert(source).inserted {
                        found.append(source)
                    }
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

extension BoundExpression {
    /// The relationships that the value depends on, path by path.
    fileprivate var relationshipPaths: [[RelationshipDescription]] {
        switch self {
        case .value, .variable: []
        case .keyPath(let path): path.relationships.isEmpty ? [] : [path.relationships]
        case .function(_, let arguments): arguments.flatMap(\.relationshipPaths)
        case .cast(let operand, _): operand.relationshipPaths
        case .conditional(_, let first, let second): first.relationshipPaths + second.relationshipPaths
        case .aggregate(_, let collection), .element(let collection, _):
            collection.generators.flatMap { generator -> [[RelationshipDescription]] in
                switch generator.source {
                case .relationship(let path, let relationship): [path.relationships + [relationship]]
                case .list(let parts): parts.flatMap(\.relationshipPaths)
                }
            }
        }
    }
}
