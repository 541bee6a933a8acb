internal import ChordataModel
internal import ChordataPredicate
internal import ChordataSQL

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A derived attribute, ready to be computed.
private struct DerivedReader {
    let field: Field
    let read: (AnyObject) throws(FetchPredicateError) -> AttributeValue?
}

/// Objects whose derived attributes are computed in memory.
struct DerivedObjects: DerivationRounds {
    private let saver: ContextSaver
    /// The derived attributes that are computed in memory, by entity.
    private let derivations: [[Derivation]]
    private let now = Date()
    private var readers: [Int: [DerivedReader]] = [:]
    private var seen: Set<ManagedObject> = []

    init(_ saver: ContextSaver, _ derivations: [[Derivation]]) {
        self.saver = saver
        self.derivations = derivations.map { $0.filter { !$0.isStored } }
    }

    mutating func derive(_ objects: [ManagedObject]) throws -> [ManagedObject]? {
        var changed: [ManagedObject] = []
        for object in objects {
            let readers = try derivedReaders(of: object.runtimeEntity)
            if try derive(readers, of: object) { changed.append(object) }
        }
        return changed.isEmpty ? nil : changed
    }

    mutating func trackChanges(of objects: [ManagedObject]) -> Bool {
        let count = seen.count
        seen.formUnion(objects)
        return seen.count > count
    }

    func dependents(of changed: [ManagedObject]) throws -> [ManagedObject]? {
        try changed.filter { derivations[$0.runtimeEntity.index].contains(where: \.readsDerived) } + owners(of: changed)
    }

    func entityNames(of changed: [ManagedObject]) -> Set<String> { Set(changed.map(\.runtimeEntity.entity.name)) }

    private mutating func derivedReaders(of type: RuntimeEntity) throws -> [DerivedReader] {
        if let known = readers[type.index] { return known }
        let access = ManagedObjectAccess(schema: saver.schema, loadsExternalData: true)
        let made = try derivations[type.index].map { derivation in
            let bound = try derivation.expression.bind(to: type.entity.name, in: saver.schema.model, now: now)
            return DerivedReader(field: derivation.field, read: makeReader(bound.expression, access: access))
        }
        readers[type.index] = made
        return made
    }

    /// Computes the derived attributes of an object.
    /// - Returns: A Boolean value that indicates whether one of the values has changed.
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
            saver.editor.recordChange(of: object, field: field.index)
            guard setAttributeValue(value, field.kind, at: object.address(of: field)) else {
                throw ValidationError.invalidDerivation(of: field, object.objectID)
            }
            hasChanged = true
        }
        return hasChanged
    }

    /// Returns the objects whose derived attributes follow a path to one of the changed objects.
    func owners(of changed: [ManagedObject]) throws -> [ManagedObject] {
        var found: [ManagedObject] = []
        var seen: Set<ManagedObject> = []
        let schema = saver.schema
        try schema.forEachPath(of: derivations) { type, path, destination in
            var sources = changed.filter { schema.model.entity($0.runtimeEntity.entity.name, isKindOf: destination) }
            for step in path.indices.reversed() where !sources.isEmpty {
                let owner = step == 0 ? type.entity.name : path[step - 1].destinationEntityName
                var next: Set<ManagedObject> = []
                sources = try sources.flatMap { try owners(of: $0, path[step], ownerName: owner) }
                    .filter { next.insert($0).inserted }
            }
            for source in sources where source.runtimeEntity === type && seen.insert(source).inserted {
                found.append(source)
            }
        }
        return found
    }

    /// Returns the objects that have an object at the other end of a relationship.
    private func owners(
        of object: ManagedObject,
        _ relationship: RelationshipDescription,
        ownerName: String
    ) throws -> [ManagedObject] {
        if let inverse = relationship.inverseName.flatMap({ object.runtimeEntity.field(named: $0) }),
            let back = object.runtimeEntity.relationships[inverse.index]
        {
            return saver.editor.targets(of: object, back)
        }
        let format = relationship.isToMany ? "ANY %K == %@" : "%K == %@"
        return try saver.fetcher.fetch(
            FetchRequest<ManagedObject>(entityName: ownerName).where(format: format, relationship.name, object)
        )
    }
}

extension ValidationError {
    /// Returns the error for a required derived attribute that has no value.
    static func missingDerivation(of field: Field, _ objectID: ManagedObjectID) -> ValidationError {
        derivation(of: field, objectID, .missingMandatoryProperty, "required, and has no value; make it optional")
    }

    /// Returns the error for a derived attribute whose value does not have the attribute's type.
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
    /// Returns a value in the attribute's type; `nil` if it is not a valid value of the type.
    func fitting(_ value: AttributeValue) -> AttributeValue? { kind.base.visit(FittingValue(value: value)) ?? nil }
}

private struct FittingValue: FieldVisitor {
    let value: AttributeValue

    func visit<T: FieldValue>(_: T.Type) -> AttributeValue? {
        guard let fitting = T(value), !fitting.isNotANumber else { return nil }
        return fitting.attributeValue
    }
}
