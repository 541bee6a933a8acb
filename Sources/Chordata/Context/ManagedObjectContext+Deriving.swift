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
        var isFirst = true
        while !changed.isEmpty {
            var dependent = try dependents(of: changed, derivations)
            if isFirst { dependent = changed + dependent }
            isFirst = false
            changed = try dependent.filter { try derive(derivedReaders(of: $0.entityType), of: $0) }
        }
    }

    /// Computes the derived attributes of an object; true when one changed.
    private func derive(_ readers: [DerivedReader], of object: ManagedObject) throws -> Bool {
        guard !readers.isEmpty, object.state != .deleted, object.state != .gone else { return false }
        object.readRowOfFault()
        var hasChanged = false
        for reader in readers {
            let field = reader.field
            let derived = try reader.read(object)
            let value = derived.flatMap { convert($0, to: field.kind.base) }
            let isConverted = (value == nil) == (derived == nil)
            if isConverted, value == attributeValue(field.kind, at: object.address(of: field)) { continue }
            recordChange(of: object, field: field.index)
            guard isConverted, setAttributeValue(value, field.kind, at: object.address(of: field))
            else {
                let reason = "is derived, and its value does not fit the attribute; give it a larger type in the model"
                throw ValidationError(failures: [
                    ValidationError.Failure(
                        .managedObjectValidation,
                        of: object,
                        propertyName: field.name,
                        reason: reason
                    )
                ])
            }
            hasChanged = true
        }
        return hasChanged
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

/// A number as the attribute has it: without a fraction where that has none, and dates as seconds.
private func convert(_ value: AttributeValue, to kind: FieldKind.Base) -> AttributeValue? {
    switch (value, kind) {
    case (.double(let number), .int16), (.double(let number), .int32), (.double(let number), .int64):
        return Int64(exactly: number.rounded(.towardZero)).map { .integer($0) }
    case (.decimal(let number), .int16), (.decimal(let number), .int32), (.decimal(let number), .int64):
        return convert(.double(Double("\(number)") ?? .nan), to: kind)
    case (.decimal(let number), .double), (.decimal(let number), .float):
        return Double("\(number)").map { .double($0) }
    case (.integer(let number), .decimal): return .decimal(Decimal(number))
    case (.double(let number), .decimal): return number.isFinite ? .decimal(Decimal(number)) : nil
    case (.date(let date), .double), (.date(let date), .float): return .double(date.timeIntervalSinceReferenceDate)
    case (.integer(let number), .date): return .date(Date(timeIntervalSinceReferenceDate: Double(number)))
    case (.double(let number), .date): return .date(Date(timeIntervalSinceReferenceDate: number))
    default: return value
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
