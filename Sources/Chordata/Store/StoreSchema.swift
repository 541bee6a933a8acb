internal import ChordataModel
internal import ChordataSQL

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A model with its classes, its tables, and all that follows from the two; shared by every context of a container.
final class StoreSchema: Sendable {
    let model: ManagedObjectModel
    let mapping: SchemaMapping
    /// In the order of the model.
    let entityTypes: [EntityType]
    /// How many identity maps a context needs: one per root entity.
    let rootCount: Int
    /// Whether an attribute is derived.
    let hasDerivations: Bool
    /// Whether a class has a hook that saves call.
    let hasWillSave: Bool
    let hasDidSave: Bool
    /// Whether a class has a hook that is called when an object becomes a fault.
    let hasFaultHooks: Bool
    private let indexByName: [String: Int]
    private let indexByClass: [ObjectIdentifier: Int]
    /// By entity type: how rows of the entity and of those below it are read.
    private let projections: [Projection]
    /// By entity type and field: how the members of a to-many are read, for the key of their owner.
    private let membersSQL: [[SQLText?]]
    /// The same for a JSON array of owners, whose key comes as the last column.
    private let allMembersSQL: [[SQLText?]]

    init(model: ManagedObjectModel, mapping: SchemaMapping, classes: [ManagedObject.Type], storeUUID: UUID) {
        self.model = model
        self.mapping = mapping
        let indexByName = Dictionary(uniqueKeysWithValues: model.entities.enumerated().map { ($1.name, $0) })
        let classByName = Dictionary(
            classes.map { ($0.entityName, $0) },
            uniquingKeysWith: { first, second in
                preconditionFailure("classes \(first) and \(second) are both of entity '\(first.entityName)'")
            }
        )
        var rootIndexByName: [String: Int] = [:]
        for entity in model.entities where entity.superentityName == nil {
            rootIndexByName[entity.name] = rootIndexByName.count
        }
        let drafts = model.entities.map { entity -> (ManagedObject.Type, EntityMapping, [Field]) in
            guard let entityMapping = mapping.entity(named: entity.name) else {
                preconditionFailure("entity '\(entity.name)' is not in the schema mapping")
            }
            if classes.isEmpty {
                let fields = makeFields(of: entity, in: model, mapping: entityMapping, layout: nil)
                return (DynamicManagedObject.self, entityMapping, fields)
            }
            guard let objectClass = classByName[entity.name] else {
                preconditionFailure("entity '\(entity.name)' has no class; generate the code again from this model")
            }
            var layout = ClassLayout()
            objectClass.describe(objectClass.init(.probe), in: &layout)
            let fields = makeFields(of: entity, in: model, mapping: entityMapping, layout: layout)
            return (objectClass, entityMapping, fields)
        }
        entityTypes = model.entities.enumerated().map { index, entity in
            let (objectClass, entityMapping, fields) = drafts[index]
            let relationships = fields.map { field -> EntityType.Relationship? in
                guard let description = field.relationship,
                    let destination = indexByName[description.destinationEntityName]
                else { return nil }
                let inverse = description.inverseName.flatMap { name in
                    drafts[destination].2.first { $0.name == name && $0.relationship != nil }
                }
                return EntityType.Relationship(
                    field: field.index,
                    description: description,
                    destination: destination,
                    inverseField: inverse?.index,
                    isInverseToMany: inverse?.relationship?.isToMany ?? false,
                    storage: entityMapping.relationship(named: description.name)?.storage
                )
            }
            return EntityType(
                entity: entity,
                mapping: entityMapping,
                storeUUID: storeUUID,
                index: index,
                rootIndex: rootIndexByName[entity.rootEntityName] ?? 0,
                objectClass: objectClass,
                fields: fields,
                relationships: relationships
            )
        }
        rootCount = rootIndexByName.count
        hasDerivations = entityTypes.contains { $0.fields.contains { $0.attribute?.isDerived == true } }
        hasWillSave = entityTypes.contains { $0.hooks.willSave != nil }
        hasDidSave = entityTypes.contains { $0.hooks.didSave != nil }
        hasFaultHooks = entityTypes.contains { $0.hooks.turnsIntoFault }
        self.indexByName = indexByName
        indexByClass = Dictionary(
            uniqueKeysWithValues: entityTypes.filter { !$0.isDynamic }.map {
                (ObjectIdentifier($0.objectClass), $0.index)
            }
        )
        let types = entityTypes
        let projections = types.map { type in
            let closure = model.subentityClosure(of: type.entity.name).compactMap { indexByName[$0] }
            return Projection(of: type, concrete: closure.map { types[$0] })
        }
        self.projections = projections
        membersSQL = types.map { type in
            type.relationships.map { $0.flatMap { selectMembers(of: $0, projections[$0.destination], ofMany: false) } }
        }
        allMembersSQL = types.map { type in
            type.relationships.map { $0.flatMap { selectMembers(of: $0, projections[$0.destination], ofMany: true) } }
        }
    }

    func entityType(named name: String) -> EntityType? { indexByName[name].map { entityTypes[$0] } }
    func entityType(of objectClass: ManagedObject.Type) -> EntityType? {
        indexByClass[ObjectIdentifier(objectClass)].map { entityTypes[$0] }
    }
    func projection(of type: EntityType) -> Projection { projections[type.index] }
    func membersSQL(of relationship: EntityType.Relationship, in type: EntityType) -> SQLText? {
        membersSQL[type.index][relationship.field]
    }
    func allMembersSQL(of relationship: EntityType.Relationship, in type: EntityType) -> SQLText? {
        allMembersSQL[type.index][relationship.field]
    }
}

/// Selects the rows that a to-many leads to from one row, or from many, in their order if there is one.
private func selectMembers(
    of relationship: EntityType.Relationship,
    _ projection: Projection,
    ofMany isOfMany: Bool
) -> SQLText? {
    let columns = projection.columnNames.map { "t." + quoteIdentifier($0) }.joined(separator: ", ")
    let table = quoteIdentifier(projection.tableName)
    let source: String
    let owner: String
    let order: String?
    switch relationship.storage {
    case .column, nil: return nil
    case .inverseColumn(_, let column, let orderColumn):
        source = "\(table) AS t"
        owner = "t.\(quoteIdentifier(column))"
        order = orderColumn.map { "t.\(quoteIdentifier($0))" }
    case .joinTable(let join, let ownerColumn, let memberColumn, let orderColumn):
        source = "\(quoteIdentifier(join)) AS j JOIN \(table) AS t ON t.\"_id\" = j.\(quoteIdentifier(memberColumn))"
        owner = "j.\(quoteIdentifier(ownerColumn))"
        order = orderColumn.map { "j.\(quoteIdentifier($0))" }
    }
    let ordering = order.map { " ORDER BY \($0), t.\"_id\"" } ?? ""
    return SQLText(
        isOfMany
            ? "SELECT \(columns), \(owner) FROM \(source) WHERE \(owner) IN (SELECT value FROM json_each(?))\(ordering)"
            : "SELECT \(columns) FROM \(source) WHERE \(owner) = ?\(ordering)"
    )
}

/// The columns that a fetch of an entity reads, and where each concrete entity finds its own among them.
final class Projection: Sendable {
    let columnNames: [String]
    let tableName: String
    /// Reads the row of a key.
    let selectByKey: SQLText
    /// Reads the rows of a JSON array of keys.
    let selectMany: SQLText
    /// The columns that tell which object a row is.
    var identityColumnNames: [String] { Array(columnNames.prefix(entityColumn == nil ? 2 : 3)) }
    /// Where the entity's name stands; `nil` when all rows are of one entity.
    let entityColumn: Int32?
    let concrete: [Member]

    final class Member: Sendable {
        let type: EntityType
        /// For each of the type's `columnFields`, the column of the result.
        let columns: [Int32]

        init(type: EntityType, columns: [Int32]) {
            self.type = type
            self.columns = columns
        }
    }

    private let memberByEntityName: [String: Int]

    init(of type: EntityType, concrete types: [EntityType]) {
        var names = ["_id", "_version"]
        entityColumn = type.mapping.isInHierarchy ? 2 : nil
        if type.mapping.isInHierarchy { names.append("_entity") }
        var positions: [String: Int32] = [:]
        concrete = types.map { type in
            let columns = type.columnFields.map { field -> Int32 in
                let name = field.columnName ?? ""  // `columnFields` are those that have one.
                if let position = positions[name] { return position }
                let position = Int32(names.count)
                positions[name] = position
                names.append(name)
                return position
            }
            return Member(type: type, columns: columns)
        }
        columnNames = names
        tableName = type.mapping.tableName
        let columns = names.map(quoteIdentifier).joined(separator: ", ")
        selectMany = SQLText(
            "SELECT \(columns) FROM \(quoteIdentifier(tableName)) WHERE \"_id\" IN (SELECT value FROM json_each(?))"
        )
        selectByKey = SQLText("SELECT \(columns) FROM \(quoteIdentifier(tableName)) WHERE \"_id\" = ?")
        memberByEntityName = Dictionary(
            uniqueKeysWithValues: types.enumerated().map { ($1.entity.name, $0) }
        )
    }

    /// The member that the statement's current row belongs to.
    @inline(__always)
    func member(of statement: SQLiteStatement) throws(StoreError) -> Member {
        guard let entityColumn else { return concrete[0] }
        let name = statement.text(at: entityColumn) ?? ""
        guard let index = memberByEntityName[name] else {
            throw StoreError(
                .incompatibleModel,
                "a row of '\(concrete[0].type.mapping.tableName)' is of entity '\(name)', which the model does not have there"
            )
        }
        return concrete[index]
    }
}
