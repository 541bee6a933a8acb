internal import ChordataModel
internal import ChordataPredicate
internal import ChordataSQL

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

// Derived attributes: computed on the way to the store (5B step 4), from what is in memory by then.

extension ManagedObjectContext {
    /// Computes the derived attributes of what is about to be saved, and of the objects that depend on it.
    func deriveAttributes() throws {
        guard schema.hasDerivations else { return }
        var objects = DerivedObjects(self, try schema.derivations())
        let changed = graph.changedObjects
        try objects.deriveInRounds(changed + objects.owners(of: changed))
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

    // MARK: By SQL

    /// Reads what derives from objects before they are written; `nil` where nothing is computed by SQL.
    func storedDerivations(of objects: [ManagedObject], _ connection: SQLiteConnection) throws -> StoredDerivations? {
        guard schema.hasDerivations else { return nil }
        let derivations = try schema.derivations()
        guard derivations.contains(where: { $0.contains(where: \.isStored) }) else { return nil }
        var (former, written): ([Int: [Int64]], [Int: [Int64]]) = ([:], [:])
        for object in objects {
            let index = object.entityType.index
            if object.state == .updated || object.state == .deleted { former[index, default: []].append(object.key) }
            if object.state == .updated || object.state == .inserted { written[index, default: []].append(object.key) }
        }
        let writer = BatchUpdateWriter(schema: schema, connection: connection)
        var stored = StoredDerivations(writer, derivations, written, assigned: nil)
        try stored.readFormerOwners(of: former)
        return stored
    }

    /// Computes derived attributes after objects were written.
    /// - Returns: The rows that were written for that.
    func derive(_ stored: StoredDerivations, of objects: [ManagedObject], _ connection: SQLiteConnection) throws
        -> [DerivedRow]
    {
        let derivations = try schema.derivations()
        var moved: [Int: Set<Int64>] = [:]
        for object in objects where object.state == .inserted || object.state == .updated {
            let type = object.entityType
            let isAffected = derivations[type.index].contains { derivation in
                guard derivation.isStored else { return false }
                if object.state == .inserted || derivation.isTimeDependent { return true }
                let names = derivation.propertyNames.union(derivation.paths.map { $0[0].name })
                return names.contains { name in
                    type.field(named: name).map { object.changes?.changed.contains($0.index) == true } ?? false
                }
            }
            if isAffected { moved[type.index, default: []].insert(object.key) }
        }
        return try readRows(of: stored.derive(moved: moved), connection)
    }

    /// Reads rows after their derived attributes were computed.
    /// - Parameter counts: The keys of the rows, by entity type, with the number of times that each was written.
    func readRows(of counts: [Int: [Int64: Int]], _ connection: SQLiteConnection) throws -> [DerivedRow] {
        var rows: [DerivedRow] = []
        for (index, counts) in counts.orderedByKey {
            let read = try reader.toleratingUnreadableValues {
                try reader.readPersistedRows(of: counts.keys.sorted(), inTableOf: schema.entityTypes[index], connection)
            }
            rows += read.map { DerivedRow(row: $0, baseVersion: $0.version - Int64(counts[$0.key] ?? 0)) }
        }
        return rows
    }

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
            if !editor.takeDerivedValues(derived, into: known), !inbox.isEmpty {
                // Where the changes of others wait to be merged, these come after them.
                inbox.post(ChangeSet(rows: [changes(of: derived)]))
            }
        }
    }
}

// MARK: In memory

/// A derived attribute, ready to be computed.
private struct DerivedReader {
    let field: Field
    let read: (AnyObject) throws(FetchPredicateError) -> AttributeValue?
}

/// Objects whose derived attributes are computed in memory.
private struct DerivedObjects: DerivationRounds {
    private let context: ManagedObjectContext
    /// The derived attributes that are computed in memory, by entity.
    private let derivations: [[Derivation]]
    private let now = Date()
    private var readers: [Int: [DerivedReader]] = [:]
    private var seen: Set<ManagedObject> = []

    init(_ context: ManagedObjectContext, _ derivations: [[Derivation]]) {
        self.context = context
        self.derivations = derivations.map { $0.filter { !$0.isStored } }
    }

    mutating func derive(_ objects: [ManagedObject]) throws -> [ManagedObject]? {
        var changed: [ManagedObject] = []
        for object in objects {
            let readers = try derivedReaders(of: object.entityType)
            if try derive(readers, of: object) { changed.append(object) }
        }
        return changed.isEmpty ? nil : changed
    }

    mutating func noteChanges(of objects: [ManagedObject]) -> Bool {
        let count = seen.count
        seen.formUnion(objects)
        return seen.count > count
    }

    func dependents(of changed: [ManagedObject]) throws -> [ManagedObject]? {
        try changed.filter { derivations[$0.entityType.index].contains(where: \.readsDerived) } + owners(of: changed)
    }

    func entityNames(of changed: [ManagedObject]) -> Set<String> { Set(changed.map(\.entityType.entity.name)) }

    private mutating func derivedReaders(of type: RuntimeEntity) throws -> [DerivedReader] {
        if let known = readers[type.index] { return known }
        let access = ManagedObjectAccess(schema: context.schema, loadsExternalData: true)
        let made = try derivations[type.index].map { derivation in
            let bound = try derivation.expression.bind(to: type.entity.name, in: context.schema.model, now: now)
            return DerivedReader(field: derivation.field, read: makeReader(bound.expression, access: access))
        }
        readers[type.index] = made
        return made
    }

    /// Computes the derived attributes of an object.
    /// - Returns: A Boolean value that indicates whether one of them had another value.
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
            context.editor.recordChange(of: object, field: field.index)
            guard setAttributeValue(value, field.kind, at: object.address(of: field)) else {
                throw ValidationError.invalidDerivation(of: field, object.objectID)
            }
            hasChanged = true
        }
        return hasChanged
    }

    /// The objects whose derived attributes go along a path to one of these.
    func owners(of changed: [ManagedObject]) throws -> [ManagedObject] {
        var found: [ManagedObject] = []
        var seen: Set<ManagedObject> = []
        let schema = context.schema
        try schema.forEachPath(of: derivations) { type, path, destination in
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
            return context.editor.targets(of: object, back)
        }
        let format = relationship.isToMany ? "ANY %K == %@" : "%K == %@"
        return try context.fetch(
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
