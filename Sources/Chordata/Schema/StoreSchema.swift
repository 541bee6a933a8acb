internal import ChordataModel
package import ChordataSQL
internal import Synchronization

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// A model with its classes, its tables, and all data that is derived from them; shared by all contexts of a container.
package final class StoreSchema: Sendable {
    let model: ManagedObjectModel
    package let mapping: SchemaMapping
    /// The SQL of the store's database.
    package let dialect: any SQLDialect
    /// The entities, in the order of the model.
    package let runtimeEntities: [RuntimeEntity]
    /// The stores of a coordinator that has several; `nil` for one store.
    let partition: StorePartition?
    /// The tables in which SQLite does not check the types of values.
    let nonStrictTables: Set<String>
    /// The names of the full-text indexes that the store does not have.
    let missingFullTextIndexes: Set<String>
    /// The number of a context's identity maps: one per root entity.
    let rootCount: Int
    /// A Boolean value that indicates whether an attribute is derived.
    package let hasDerivations: Bool
    /// The derived attributes by entity; `nil` until they are needed.
    let derivationCache = Mutex<[[Derivation]]?>(nil)
    /// A Boolean value that indicates whether an attribute's bytes are in a side table.
    let hasExternalData: Bool
    /// A Boolean value that indicates whether a relationship has no inverse.
    package let hasOneWayRelationships: Bool
    /// A Boolean value that indicates whether a class has a hook that saves call.
    let hasWillSave: Bool
    let hasDidSave: Bool
    /// A Boolean value that indicates whether there are relationships that are written outside of the objects' rows.
    let hasWrittenToManys: Bool
    /// A Boolean value that indicates whether a class has a hook that validates.
    let hasValidationHooks: Bool
    /// A Boolean value that indicates whether a class has a hook that is called when an object becomes a fault.
    let hasFaultHooks: Bool
    /// The permanent keys of objects that had provisional ones.
    let provisionalKeys: ProvisionalKeys
    private let indexByName: [String: Int]
    private let indexByClass: [ObjectIdentifier: Int]
    /// For each entity type, the projection that reads rows of the entity and of its subentities.
    private let projections: [Projection]
    /// For each entity type and field, the statements that read the members of a to-many relationship for the key of
    /// their owner.
    private let membersSQL: [[MembersSQL?]]

    /// - Parameters:
    ///   - nonStrictTables: The tables in which SQLite does not check the types of values.
    ///   - missingFullTextIndexes: The names of the full-text indexes that the store does not have.
    ///   - partition: The stores of a coordinator that has several.
    package init(
        model: ManagedObjectModel,
        mapping: SchemaMapping,
        classes: [ManagedObject.Type],
        storeUUID: UUID,
        nonStrictTables: Set<String>,
        missingFullTextIndexes: Set<String> = [],
        partition: StorePartition? = nil,
        dialect: any SQLDialect = SQLiteDialect()
    ) {
        self.dialect = dialect
        self.partition = partition
        self.nonStrictTables = nonStrictTables
        self.missingFullTextIndexes = missingFullTextIndexes
        let provisionalKeys = ProvisionalKeys()
        self.provisionalKeys = provisionalKeys
        self.model = model
        self.mapping = mapping
        let indexByName = Dictionary(uniqueKeysWithValues: model.entities.enumerated().map { ($1.name, $0) })
        let classByName = Dictionary(
            classes.map { ($0.entityName, $0) },
            uniquingKeysWith: { first, second in
                preconditionFailure("classes \(first) and \(second) both represent entity '\(first.entityName)'")
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
                preconditionFailure(
                    "entity '\(entity.name)' has no class; generate the code again from the current model"
                )
            }
            var layout = ClassLayout()
            objectClass.describe(objectClass.init(.probe), in: &layout)
            let fields = makeFields(of: entity, in: model, mapping: entityMapping, layout: layout)
            return (objectClass, entityMapping, fields)
        }
        func inverse(of relationship: RelationshipDescription) -> Field? {
            guard let destination = indexByName[relationship.destinationEntityName] else { return nil }
            return relationship.inverseName.flatMap { name in
                drafts[destination].2.first { $0.name == name && $0.relationship != nil }
            }
        }
        let hasOneWayRelationships = drafts.contains { draft in
            draft.2.contains { field in field.relationship.map { inverse(of: $0) == nil } == true }
        }
        self.hasOneWayRelationships = hasOneWayRelationships
        runtimeEntities = model.entities.enumerated().map { index, entity in
            let (objectClass, entityMapping, fields) = drafts[index]
            let relationships = fields.map { field -> RuntimeEntity.Relationship? in
                guard let description = field.relationship,
                    let destination = indexByName[description.destinationEntityName]
                else { return nil }
                let inverse = inverse(of: description)
                return RuntimeEntity.Relationship(
                    field: field.index,
                    description: description,
                    destination: destination,
                    destinationRootIndex: rootIndexByName[model.entities[destination].rootEntityName] ?? 0,
                    inverseField: inverse?.index,
                    isInverseToMany: inverse?.relationship?.isToMany ?? false,
                    storage: entityMapping.relationship(named: description.name)?.storage
                )
            }
            return RuntimeEntity(
                entity: entity,
                mapping: entityMapping,
                tableColumns: mapping.table(named: entityMapping.tableName)?.columns.map(\.name) ?? [],
                storeUUID: storeUUID,
                storeIdentifiers: partition?.identifiers(of: entity, in: model),
                provisionalKeys: provisionalKeys,
                index: index,
                rootIndex: rootIndexByName[entity.rootEntityName] ?? 0,
                objectClass: objectClass,
                fields: fields,
                relationships: relationships,
                hasOneWayRelationships: hasOneWayRelationships,
                dialect: dialect
            )
        }
        rootCount = rootIndexByName.count
        hasDerivations = runtimeEntities.contains { $0.fields.contains { $0.attribute?.isDerived == true } }
        hasExternalData = runtimeEntities.contains { !$0.externalFields.isEmpty }
        hasWillSave = runtimeEntities.contains { $0.hooks.willSave != nil }
        hasWrittenToManys = runtimeEntities.contains { !$0.writtenToManys.isEmpty }
        hasDidSave = runtimeEntities.contains { $0.hooks.didSave != nil }
        hasValidationHooks = runtimeEntities.contains { $0.validation.callsHooks }
        hasFaultHooks = runtimeEntities.contains { $0.hooks.turnsIntoFault }
        self.indexByName = indexByName
        indexByClass = Dictionary(
            uniqueKeysWithValues: runtimeEntities.filter { !$0.isDynamic }.map {
                (ObjectIdentifier($0.objectClass), $0.index)
            }
        )
        let types = runtimeEntities
        let projections = types.map { type in
            let closure = model.subentityClosure(of: type.entity.name).compactMap { indexByName[$0] }
            return Projection(
                of: type,
                concrete: closure.map { types[$0] },
                checksTypes: nonStrictTables.contains(type.mapping.tableName),
                dialect
            )
        }
        self.projections = projections
        membersSQL = types.map { type in
            type.relationships.map { $0.flatMap { MembersSQL(of: $0, projections[$0.destination], dialect) } }
        }
    }

    package func runtimeEntity(named name: String) -> RuntimeEntity? { indexByName[name].map { runtimeEntities[$0] } }
    func runtimeEntity(of objectClass: ManagedObject.Type) -> RuntimeEntity? {
        indexByClass[ObjectIdentifier(objectClass)].map { runtimeEntities[$0] }
    }

    /// Returns a Boolean value that indicates whether a change of a to-one relationship writes more than its column,
    /// because its inverse is a to-one relationship or is ordered.
    func isWrittenAtBothEnds(_ relationship: RuntimeEntity.Relationship) -> Bool {
        guard let inverse = relationship.inverseField else { return false }
        let other = runtimeEntities[relationship.destination].fields[inverse].relationship
        return !relationship.isInverseToMany || other?.isOrdered == true
    }

    package func projection(of type: RuntimeEntity) -> Projection { projections[type.index] }
    func membersSQL(of relationship: RuntimeEntity.Relationship, in type: RuntimeEntity) -> MembersSQL? {
        membersSQL[type.index][relationship.field]
    }
}

/// The columns that a fetch of an entity reads, and the positions of each concrete entity's own columns among them.
package final class Projection: Sendable {
    let columnNames: [String]
    package let selectList: SelectList
    /// The columns that identify the object of a row.
    let identitySelectList: SelectList
    let tableName: String
    /// The statement that reads the row with a key.
    let selectByKey: SQLText
    /// The SQL function to which rows with all columns are passed; `nil` if the rows are returned.
    let rowFunction: String?
    /// The statement that reads the rows with some keys.
    let selectMany: SQLText
    /// The column of the entity's name; `nil` when all rows are of one entity.
    let entityColumn: Int32?
    let concrete: [Member]

    final class Member: @unchecked Sendable {  // No lock: never written after init.
        let type: RuntimeEntity
        /// The type's fields that have a column; in plain memory, because each row iterates over them.
        let fields: UnsafeBufferPointer<MappedColumn>
        /// A Boolean value that indicates whether the table may contain values whose types are not those of its
        /// columns.
        let checksTypes: Bool

        init(type: RuntimeEntity, columns: [Int32], checksTypes: Bool) {
            self.type = type
            let memory = UnsafeMutableBufferPointer<MappedColumn>.allocate(capacity: columns.count)
            _ = memory.initialize(from: zip(type.columns, columns).map { MappedColumn(field: $0, column: $1) })
            fields = UnsafeBufferPointer(memory)
            self.checksTypes = checksTypes
        }

        deinit { fields.deallocate() }
    }

    private let memberByEntityName: [String: Int]

    init(of type: RuntimeEntity, concrete types: [RuntimeEntity], checksTypes: Bool, _ dialect: any SQLDialect) {
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
            return Member(type: type, columns: columns, checksTypes: checksTypes)
        }
        columnNames = names
        selectList = SelectList(names)
        identitySelectList = SelectList(Array(names.prefix(entityColumn == nil ? 2 : 3)))
        tableName = type.mapping.tableName
        let columns = names.map(quoteIdentifier).joined(separator: ", ")
        rowFunction = dialect.rowFunction(columnCount: names.count)
        selectMany = SQLText(
            "SELECT \(rowFunction.map { "\($0)(\(columns))" } ?? columns) FROM \(quoteIdentifier(tableName)) WHERE \(dialect.isAmongKeys("\"_id\"", at: 1))"
        )
        selectByKey = SQLText(
            "SELECT \(columns) FROM \(quoteIdentifier(tableName)) WHERE \"_id\" = \(dialect.parameters(1...1))"
        )
        memberByEntityName = Dictionary(
            uniqueKeysWithValues: types.enumerated().map { ($1.entity.name, $0) }
        )
    }

    /// Returns the member to which a row belongs.
    @inline(__always)
    func member(of row: StoreRow) throws(StoreError) -> Member {
        guard let entityColumn else { return concrete[0] }
        let name = row.text(at: entityColumn) ?? ""
        guard let index = memberByEntityName[name] else {
            throw StoreError(
                .incompatibleModel,
                "a row of '\(concrete[0].type.mapping.tableName)' has _entity '\(name)', which is not an entity of that table in the model; another program wrote it; correct or delete the row"
            )
        }
        return concrete[index]
    }
}
