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
    /// Whether a class has a hook that saves call.
    let hasWillSave: Bool
    let hasDidSave: Bool
    /// Whether a class has a hook that is called when an object becomes a fault.
    let hasFaultHooks: Bool
    private let indexByName: [String: Int]
    private let indexByClass: [ObjectIdentifier: Int]
    /// By entity type: how rows of the entity and of those below it are read.
    private let projections: [Projection]

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
            guard let objectClass = classByName[entity.name] else {
                preconditionFailure("entity '\(entity.name)' has no class; generate the code again from this model")
            }
            guard let entityMapping = mapping.entity(named: entity.name) else {
                preconditionFailure("entity '\(entity.name)' is not in the schema mapping")
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
        hasWillSave = entityTypes.contains { $0.hooks.willSave != nil }
        hasDidSave = entityTypes.contains { $0.hooks.didSave != nil }
        hasFaultHooks = entityTypes.contains { $0.hooks.turnsIntoFault }
        self.indexByName = indexByName
        indexByClass = Dictionary(
            uniqueKeysWithValues: entityTypes.map { (ObjectIdentifier($0.objectClass), $0.index) }
        )
        let types = entityTypes
        projections = types.map { type in
            let closure = model.subentityClosure(of: type.entity.name).compactMap { indexByName[$0] }
            return Projection(of: type, concrete: closure.map { types[$0] })
        }
    }

    func entityType(named name: String) -> EntityType? { indexByName[name].map { entityTypes[$0] } }
    func entityType(of objectClass: ManagedObject.Type) -> EntityType? {
        indexByClass[ObjectIdentifier(objectClass)].map { entityTypes[$0] }
    }
    func projection(of type: EntityType) -> Projection { projections[type.index] }
}

/// The columns that a fetch of an entity reads, and where each concrete entity finds its own among them.
final class Projection: Sendable {
    let columnNames: [String]
    /// The columns that tell which object a row is.
    var identityColumnNames: [String] { Array(columnNames.prefix(entityColumn == nil ? 2 : 3)) }
    /// Where the entity's name stands; `nil` when all rows are of one entity.
    let entityColumn: Int32?
    let concrete: [Member]
    /// Reads the row of a key.
    let selectByKey: SQLText

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
        let columns = names.map(quoteIdentifier).joined(separator: ", ")
        selectByKey = SQLText("SELECT \(columns) FROM \(quoteIdentifier(type.mapping.tableName)) WHERE \"_id\" = ?")
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
