internal import ChordataModel
internal import ChordataPredicate
package import ChordataSQL
internal import Synchronization

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// An entity as the runtime uses it: its class, and the locations of its properties in memory and in the store.
///
/// It is created once per container; values that are computed later are protected by a lock, so any context may read
/// it.
@usableFromInline package final class RuntimeEntity: Sendable {
    /// A relationship with the data that its two ends need about each other; it is a class, because passing a reference
    /// costs almost nothing.
    package final class Relationship: Sendable {
        /// The field in this entity.
        let field: Int
        let description: RelationshipDescription
        /// The index of the destination in ``StoreSchema/runtimeEntities``.
        package let destination: Int
        /// The index of the identity map that contains the destination's objects.
        package let destinationRootIndex: Int
        /// The field of the inverse in the destination.
        package let inverseField: Int?
        package let isInverseToMany: Bool
        /// The field of the inverse if that is a to-one relationship.
        package var inverseToOne: Int? { isInverseToMany ? nil : inverseField }
        /// The storage in the database; `nil` for a transient relationship.
        package let storage: RelationshipMapping.Storage?

        init(
            field: Int,
            description: RelationshipDescription,
            destination: Int,
            destinationRootIndex: Int,
            inverseField: Int?,
            isInverseToMany: Bool,
            storage: RelationshipMapping.Storage?
        ) {
            self.field = field
            self.description = description
            self.destination = destination
            self.destinationRootIndex = destinationRootIndex
            self.inverseField = inverseField
            self.isInverseToMany = isInverseToMany
            self.storage = storage
        }
    }

    package let entity: EntityDescription
    package let mapping: EntityMapping
    /// The identifier of the store, or of the stores of the coordinator together.
    let storeUUID: UUID
    /// The identifiers of the stores that have objects of the entity; `nil` if the coordinator has one store.
    private let storeIdentifiers: StorePartition.StoreIdentifiers?
    /// The permanent keys of the store's objects that had provisional ones.
    let provisionalKeys: ProvisionalKeys
    /// The store for which predicates are bound.
    let storeIdentity: StoreIdentity
    /// Returns the identifier of the store that has the object with a row key.
    func storeUUID(ofKey key: Int64) -> UUID { storeIdentifiers?[key] ?? storeUUID }
    /// The index in ``StoreSchema/runtimeEntities``.
    package let index: Int
    /// The index of the root entity among the root entities, and so of the identity map that contains the objects.
    package let rootIndex: Int
    let objectClass: ManagedObject.Type
    let hooks: LifecycleHooks
    /// The key paths by which objects were sorted.
    let sortKeyPaths = Mutex<[String: BoundKeyPath]>([:])
    /// A Boolean value that indicates whether objects have no class of their own.
    let isDynamic: Bool
    /// A Boolean value that indicates whether the class may override properties.
    let hasOverridableProperties: Bool
    /// The size and alignment of the fields of an object without a class of its own.
    let dynamicSize: Int
    /// Every property, level by level from the root: attributes, then relationships, in the order of the model.
    package let fields: [Field]
    /// The relationships, by field; `nil` for attributes.
    package let relationships: [Relationship?]
    /// The fields that have a column of their own, in the order of the INSERT statement.
    package let columnFields: [Field]
    /// The data for transferring the values of ``columnFields`` between rows and memory.
    package let columns: [ColumnField]
    /// The statements that write rows.
    let statements: RowStatements
    /// The attributes whose bytes are in a side table.
    package let externalFields: [ExternalField]
    /// The values of a new object.
    let defaults: [(field: Field, value: AttributeValue)]
    /// The transient properties: their values belong to an object, not to its row.
    let transientFields: [Field]
    /// A Boolean value that indicates whether an object that is created from a row has values that the row does not
    /// have.
    let hasTransientDefaults: Bool
    /// The fields that have a column of their own.
    let columnMask: PropertyMask
    /// The derived attributes that have columns.
    let derivedMask: PropertyMask
    /// The to-many relationships for which a save writes this end: pairs, and positions in an order.
    let writtenToManys: [Relationship]
    /// The relationships through which a deletion affects other objects immediately; through other relationships, a
    /// deletion reads nothing (D9).
    let deletionRelationships: [Relationship]
    /// The to-one relationships whose inverses are to-one relationships; each end has a column.
    let oneToOnes: [Relationship]
    /// A Boolean value that indicates whether relationships may still reference a deleted object because no rule
    /// removes the reference: a relationship has no inverse, or the rule No Action or Deny.
    let leavesReferences: Bool
    /// The rules that a save checks.
    let validation: ValidationRules
    /// The offsets of to-one and to-many relationships in the memory of objects.
    let toOneOffsets: [Int]
    let toManys: [(field: Int, offset: Int, isOrdered: Bool)]
    /// The data to follow a relationship, by field; attributes have placeholders.
    let relationshipFields: [RelationshipField]
    /// The required attributes that have no value yet in a new object.
    let initiallyUnset: PropertyMask
    /// The offsets in a ``RowStorage``, by field; -1 for fields without a column.
    let blockOffsets: [Int]
    let blockSize: Int
    /// The fields of which a single one fits into ``ObjectChanges`` itself.
    let smallFields: PropertyMask
    /// The field that is observed in place of each field: for an element of a composite, the first element.
    let observedFields: [Int]
    private let fieldIndexByName: [String: Int]

    /// - Parameters:
    ///   - tableColumns: The names of all columns of the table, including those of other entities.
    ///   - hasOneWayRelationships: Whether a relationship of any entity has no inverse.
    init(
        entity: EntityDescription,
        mapping: EntityMapping,
        tableColumns: [String],
        storeUUID: UUID,
        storeIdentifiers: StorePartition.StoreIdentifiers? = nil,
        provisionalKeys: ProvisionalKeys,
        index: Int,
        rootIndex: Int,
        objectClass: ManagedObject.Type,
        fields: [Field],
        relationships: [Relationship?],
        hasOneWayRelationships: Bool,
        dialect: any SQLDialect
    ) {
        self.entity = entity
        self.mapping = mapping
        self.storeUUID = storeUUID
        self.storeIdentifiers = storeIdentifiers
        storeIdentity = StoreIdentity(
            uuid: storeUUID,
            several: storeIdentifiers?.several,
            permanentKeys: provisionalKeys
        )
        self.provisionalKeys = provisionalKeys
        self.index = index
        self.rootIndex = rootIndex
        self.objectClass = objectClass
        hooks = LifecycleHooks(of: objectClass)
        isDynamic = objectClass == DynamicManagedObject.self
        hasOverridableProperties = objectClass.hasOverridableProperties
        dynamicSize = fields.last.map { $0.offset + $0.kind.layout.size } ?? 0
        self.fields = fields
        self.relationships = relationships
        self.columnFields = fields.filter { $0.columnName != nil }
        defaults = fields.compactMap { field in field.attribute?.defaultValue.map { (field, $0) } }
        transientFields = fields.filter {
            $0.attribute?.isTransient == true || $0.relationship?.isTransient == true
        }
        hasTransientDefaults = transientFields.contains { $0.attribute?.defaultValue != nil }
        leavesReferences =
            hasOneWayRelationships
            || relationships.contains { relationship in
                relationship.map { [.noAction, .deny].contains($0.description.deleteRule) } == true
            }
        externalFields = fields.compactMap { ExternalField($0, of: mapping, dialect) }
        toOneOffsets = fields.filter { $0.kind.base == .toOne }.map(\.offset)
        toManys = fields.filter { $0.kind.base == .toMany }.map {
            ($0.index, $0.offset, $0.relationship?.isOrdered == true)
        }
        relationshipFields = zip(fields, relationships).map { field, relationship in
            RelationshipField(
                offset: field.offset,
                destination: relationship?.destination ?? -1,
                rootIndex: relationship?.destinationRootIndex ?? -1,
                isOrdered: relationship?.description.isOrdered ?? false,
                hasToOneInverse: relationship?.inverseToOne != nil
            )
        }
        var unset = PropertyMask()
        for field in fields where field.isRequired && field.attribute?.defaultValue == nil && field.attribute != nil {
            unset.insert(field.index)
        }
        initiallyUnset = unset
        var layout = StructLayout()
        blockOffsets = fields.map { field in
            guard field.columnName != nil else { return -1 }
            return layout.place(field.blockKind)
        }
        blockSize = layout.size
        var small = PropertyMask()
        for field in fields where ObjectChanges.hasRoom(for: field.blockKind) { small.insert(field.index) }
        smallFields = small
        var firsts: [Substring: Int] = [:]
        observedFields = fields.map { field in
            let name = field.name.prefix { $0 != "." }
            let first = firsts[name] ?? field.index
            firsts[name] = first
            return first
        }
        self.fieldIndexByName = Dictionary(uniqueKeysWithValues: fields.map { ($0.name, $0.index) })
        let offsets = blockOffsets
        columns = columnFields.map { field in
            ColumnField(
                kind: field.kind,
                isRequired: field.isRequired,
                index: field.index,
                offset: field.offset,
                blockOffset: offsets[field.index]
            )
        }
        var mask = PropertyMask()
        for field in columnFields { mask.insert(field.index) }
        columnMask = mask
        var derivedMask = PropertyMask()
        for field in columnFields where field.attribute?.isDerived == true { derivedMask.insert(field.index) }
        self.derivedMask = derivedMask
        writtenToManys = relationships.compactMap { relationship in
            guard let relationship, relationship.description.isToMany else { return nil }
            switch relationship.storage {
            case .joinTable, .inverseColumn(_, _, orderColumn: .some): return relationship
            case .inverseColumn, .column, nil: return nil
            }
        }
        deletionRelationships = relationships.compactMap { $0 }.filter {
            $0.description.deleteRule == .cascade || $0.description.deleteRule == .nullify && $0.inverseField != nil
        }
        oneToOnes = relationships.compactMap { $0 }.filter {
            !$0.description.isToMany && $0.inverseField != nil && !$0.isInverseToMany && $0.storage != nil
        }
        validation = ValidationRules(
            fields: fields,
            relationships: relationships,
            columns: columns,
            objectClass: objectClass
        )
        statements = RowStatements(of: entity, mapping, columnFields, tableColumns: tableColumns)
    }

    /// Traps if the entity is abstract, because no object of it can be created.
    @inline(__always)
    func checkConcrete() {
        precondition(
            !entity.isAbstract,
            "entity '\(entity.name)' is abstract and cannot be instantiated; insert an object of a subentity: "
                + entity.subentityNames.map { "'\($0)'" }.joined(separator: ", ")
        )
    }

    func field(named name: String) -> Field? { fieldIndexByName[name].map { fields[$0] } }

    /// The placeholder entity of an object that is only examined to find its storage.
    static let probe = RuntimeEntity(
        entity: EntityDescription(name: "probe"),
        mapping: EntityMapping(
            entityName: "probe",
            tableName: "probe",
            isInHierarchy: false,
            attributes: [],
            relationships: []
        ),
        tableColumns: [],
        storeUUID: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)),
        provisionalKeys: ProvisionalKeys(),
        index: 0,
        rootIndex: 0,
        objectClass: ManagedObject.self,
        fields: [],
        relationships: [],
        hasOneWayRelationships: false,
        dialect: SQLiteDialect()
    )
}
