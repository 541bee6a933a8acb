internal import ChordataModel
internal import ChordataSQL

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// An entity as the runtime works with it: its class, where its properties live in memory, and where in the store.
///
/// Made once per container and never changed, so any context may read it.
final class EntityType: Sendable {
    /// A relationship with what its two ends need of each other.
    struct Relationship: Sendable {
        /// The field in this entity.
        let field: Int
        let description: RelationshipDescription
        /// The destination's place in ``StoreSchema/entityTypes``.
        let destination: Int
        /// The field of the inverse in the destination.
        let inverseField: Int?
        let isInverseToMany: Bool
        /// `nil` for a transient relationship.
        let storage: RelationshipMapping.Storage?
    }

    let entity: EntityDescription
    let mapping: EntityMapping
    let storeUUID: UUID
    /// The place in ``StoreSchema/entityTypes``.
    let index: Int
    /// The place of the root entity's table among the root entities: which identity map holds the objects.
    let rootIndex: Int
    let objectClass: ManagedObject.Type
    let hooks: LifecycleHooks
    /// Whether objects have no class of their own.
    let isDynamic: Bool
    /// How much memory an object without a class of its own needs for its fields.
    let dynamicSize: Int
    /// Every property, level by level from the root: attributes, then relationships, in the order of the model.
    let fields: [Field]
    /// By field; `nil` for attributes.
    let relationships: [Relationship?]
    /// The fields that have a column of their own, in the order of the INSERT statement.
    let columnFields: [Field]
    /// What moving these between row and memory needs.
    let columns: [ColumnField]
    let insertSQL: String
    let deleteSQL: String
    /// The values of a new object.
    let defaults: [(field: Field, value: AttributeValue)]
    /// The columns whose field may have a value that is not a number.
    let columnsWithNaN: [ColumnField]
    /// The relationships that must lead somewhere.
    let requiredRelationships: [Field]
    /// Where objects keep their to-ones and to-manys.
    let toOneOffsets: [Int]
    let toManyOffsets: [Int]
    /// The required attributes that a new object does not have yet.
    let initiallyUnset: PropertyMask
    /// By field: where a ``FieldBlock`` keeps the fields that have a column.
    let blockOffsets: [Int]
    let blockSize: Int
    private let fieldIndexByName: [String: Int]

    init(
        entity: EntityDescription,
        mapping: EntityMapping,
        storeUUID: UUID,
        index: Int,
        rootIndex: Int,
        objectClass: ManagedObject.Type,
        fields: [Field],
        relationships: [Relationship?]
    ) {
        self.entity = entity
        self.mapping = mapping
        self.storeUUID = storeUUID
        self.index = index
        self.rootIndex = rootIndex
        self.objectClass = objectClass
        hooks = LifecycleHooks(of: objectClass)
        isDynamic = objectClass == DynamicManagedObject.self
        dynamicSize = fields.last.map { $0.offset + $0.kind.layout.size } ?? 0
        self.fields = fields
        self.relationships = relationships
        self.columnFields = fields.filter { $0.columnName != nil }
        defaults = fields.compactMap { field in field.attribute?.defaultValue.map { (field, $0) } }
        requiredRelationships = fields.filter { $0.relationship != nil && $0.isRequired }
        toOneOffsets = fields.filter { $0.kind.base == .toOne }.map(\.offset)
        toManyOffsets = fields.filter { $0.kind.base == .toMany }.map(\.offset)
        var unset = PropertyMask()
        for field in fields where field.isRequired && field.attribute?.defaultValue == nil && field.attribute != nil {
            unset.insert(field.index)
        }
        initiallyUnset = unset
        var layout = StructLayout()
        blockOffsets = fields.map { field in
            guard field.columnName != nil else { return 0 }
            return layout.place(field.kind.base == .toOne ? FieldKind(.int64) : field.kind)
        }
        blockSize = layout.size
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
        columnsWithNaN = columns.filter { [.double, .float, .date, .decimal].contains($0.kind.base) }
        var names = ["_id", "_version"]
        if mapping.isInHierarchy { names.append("_entity") }
        names += columnFields.compactMap(\.columnName)
        deleteSQL = "DELETE FROM \(quoteIdentifier(mapping.tableName)) WHERE \"_id\" = ? AND \"_version\" = ?"
        insertSQL = """
            INSERT INTO \(quoteIdentifier(mapping.tableName)) (\(names.map(quoteIdentifier).joined(separator: ", "))) \
            VALUES (\(names.map { _ in "?" }.joined(separator: ", ")))
            """
    }

    /// The statement that writes the changed columns of a row that nobody else changed.
    func updateSQL(for changed: PropertyMask) -> String {
        let assignments = columnFields.filter { changed.contains($0.index) }
            .compactMap { $0.columnName.map { quoteIdentifier($0) + " = ?" } }
        return """
            UPDATE \(quoteIdentifier(mapping.tableName)) \
            SET \(assignments.joined(separator: ", ")), "_version" = "_version" + 1 \
            WHERE "_id" = ? AND "_version" = ?
            """
    }

    func field(named name: String) -> Field? { fieldIndexByName[name].map { fields[$0] } }

    /// Stands in for the entity of an object that is only looked at to find its storage.
    static let probe = EntityType(
        entity: EntityDescription(name: "probe"),
        mapping: EntityMapping(
            entityName: "probe",
            tableName: "probe",
            isInHierarchy: false,
            attributes: [],
            relationships: []
        ),
        storeUUID: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)),
        index: 0,
        rootIndex: 0,
        objectClass: ManagedObject.self,
        fields: [],
        relationships: []
    )
}
