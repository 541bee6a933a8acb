package import ChordataModel

/// The table and column of each property of a model.
///
/// All code that writes SQL (schema, fetches, saves, migrations) uses the mapping; no other code knows the names of
/// tables.
package struct SchemaMapping: Sendable, Hashable {
    package let model: ManagedObjectModel
    /// The tables, in the order in which they are created: metadata first, then one per root entity, then join and side
    /// tables.
    package let tables: [Table]
    package let entities: [EntityMapping]
    /// The full-text indexes, in the order of the entities that declare them.
    package let fullTextIndexes: [FullTextIndex]

    private let entityIndexByName: [String: Int]
    private let tableIndexByName: [String: Int]

    package init(
        model: ManagedObjectModel,
        tables: [Table],
        entities: [EntityMapping],
        fullTextIndexes: [FullTextIndex] = []
    ) {
        self.model = model
        self.tables = tables
        self.entities = entities
        self.fullTextIndexes = fullTextIndexes
        self.entityIndexByName = Dictionary(
            uniqueKeysWithValues: entities.enumerated().map { ($1.entityName, $0) }
        )
        self.tableIndexByName = Dictionary(uniqueKeysWithValues: tables.enumerated().map { ($1.name, $0) })
    }

    /// Returns the mapping of an entity.
    package func entity(named name: String) -> EntityMapping? { entityIndexByName[name].map { entities[$0] } }
    /// Returns the table of an entity.
    package func tableName(of entityName: String) -> String? {
        entityIndexByName[entityName].map { entities[$0].tableName }
    }

    // A mapping is large, and looking up a name must not copy it, because these functions are called for each column of
    // each fetch.

    /// Returns the column of an attribute, or of an element of a composite.
    func columnName(at path: [String], of entityName: String) -> String? {
        guard let place = entityIndexByName[entityName] else { return nil }
        for index in entities[place].attributes.indices where entities[place].attributes[index].path == path {
            return entities[place].attributes[index].columnName
        }
        return nil
    }

    /// Returns the column that contains the key of a to-one relationship.
    func columnName(ofToOne name: String, of entityName: String) -> String? {
        guard let place = entityIndexByName[entityName] else { return nil }
        for index in entities[place].relationships.indices where entities[place].relationships[index].name == name {
            if case .column(let column) = entities[place].relationships[index].storage { return column }
        }
        return nil
    }

    /// Returns the table with a name.
    package func table(named name: String) -> Table? { tableIndexByName[name].map { tables[$0] } }
    /// Returns the full-text index that contains the objects of an entity: its own, or that of a superentity.
    package func fullTextIndex(of entityName: String) -> FullTextIndex? {
        fullTextIndexes.first { model.entity(entityName, isKindOf: $0.declaration.entityName) }
    }

    /// Returns the side table of the bytes whose lengths a column contains.
    package func externalTable(ofColumn column: String, in table: String) -> Table? {
        tables.first { $0.kind == .external(table: table, column: column) }
    }
}

/// The table and columns of an entity.
package struct EntityMapping: Sendable, Hashable {
    package var entityName: String
    /// The table that the entity shares with its whole hierarchy.
    package var tableName: String
    /// A Boolean value that indicates whether the table has an `_entity` column, which contains the entity's name.
    package var isInHierarchy: Bool
    /// The stored attributes in the order of `EntityDescription.attributes`, composites flattened to their elements.
    package var attributes: [AttributeMapping]
    /// The stored relationships in the order of `EntityDescription.relationships`.
    package var relationships: [RelationshipMapping]

    package init(
        entityName: String,
        tableName: String,
        isInHierarchy: Bool,
        attributes: [AttributeMapping],
        relationships: [RelationshipMapping]
    ) {
        self.entityName = entityName
        self.tableName = tableName
        self.isInHierarchy = isInHierarchy
        self.attributes = attributes
        self.relationships = relationships
    }

    package func attribute(at path: [String]) -> AttributeMapping? { attributes.first { $0.path == path } }
    package func relationship(named name: String) -> RelationshipMapping? { relationships.first { $0.name == name } }
}

/// One stored attribute's column.
package struct AttributeMapping: Sendable, Hashable {
    /// The attribute's name or, for an element of a composite, the names from the attribute to the element.
    package var path: [String]
    package var attribute: AttributeDescription
    /// The column of the value, or of its number of bytes if these are in a side table.
    package var columnName: String
    /// The table of the bytes of a value that is stored externally.
    package var externalTableName: String?

    package init(
        path: [String],
        attribute: AttributeDescription,
        columnName: String,
        externalTableName: String? = nil
    ) {
        self.path = path
        self.attribute = attribute
        self.columnName = columnName
        self.externalTableName = externalTableName
    }
}

/// The storage of one relationship.
package struct RelationshipMapping: Sendable, Hashable {
    package enum Storage: Sendable, Hashable {
        /// A to-one relationship: a column of the entity's own table contains the other row's `_id`.
        case column(String)
        /// A to-many relationship whose inverse is to-one: the destination's rows contain the reference.
        case inverseColumn(table: String, column: String, orderColumn: String?)
        /// A to-many relationship without a to-one inverse: rows of a join table.
        case joinTable(table: String, sourceColumn: String, destinationColumn: String, orderColumn: String?)
    }

    package var name: String
    package var relationship: RelationshipDescription
    package var storage: Storage

    package init(name: String, relationship: RelationshipDescription, storage: Storage) {
        self.name = name
        self.relationship = relationship
        self.storage = storage
    }
}
