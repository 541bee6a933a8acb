package import ChordataModel

/// Decides in which table and column each property of a model is stored: the native layout, which is what a person
/// would write by hand.
///
/// - One table per root entity, named after the entity, for the rows of its whole hierarchy; `_entity` contains the
///   name of a row's entity if the hierarchy has more than one.
/// - One column per stored attribute, named after the attribute; a composite's elements are `<attribute>_<element>`.
/// - An attribute that allows external storage has the length of its bytes in that column, and the bytes in a side
///   table `_external_<Table>_<column>`, so that rows are read without them.
/// - A to-one relationship is an indexed column that references the `_id` of the destination's table. A to-many
///   relationship whose inverse is to-one has no column of its own: the destination's rows contain the reference and,
///   if the relationship is ordered, their position in `_order_<column of the reference>`. Any other to-many
///   relationship is a join table `<Entity>_<relationship>`, shared by both sides of a many-to-many pair and named
///   after the side that comes first by entity and relationship name. `_order` is the position of a pair among those of
///   its source, `_inverse_order` its position among those of its destination. A to-many relationship that is its own
///   inverse has two rows for each pair, one per direction.
///
/// - A full-text index that an entity's user info declares is `_fulltext_<Entity>`; the names of its triggers are this
///   name with a suffix (``FullTextIndex``).
///
/// Names that begin with an underscore are reserved for Chordata: a property `_x` is stored in `property_x`, an entity
/// `_X` in `entity_X` (and an entity `sqlite_x` in `entity_sqlite_x`, because SQLite reserves that prefix).
///
/// SQLite folds the case of names, and siblings in a hierarchy may share a property's name. If several properties claim
/// the same column, the one declared nearest to the root gets it and, at the same level, the one whose entity comes
/// first by name; the others get `<column>_<Entity>`, with a number from 2 on if that is taken too. So a new property
/// never renames the columns of other properties, except if its entity comes before theirs. Tables and indexes that
/// claim the same name get numbers, in the order of their names. Nothing depends on the order of the model, so
/// reordering the model does not change any name.
package func makeSchemaMapping(of model: ManagedObjectModel) -> SchemaMapping {
    let names = allocateNames(for: model)
    let entities = model.entities.map { mapEntity($0, of: model, names: names) }
    let tables =
        model.entities.filter { $0.superentityName == nil }.map { makeEntityTable(root: $0, of: model, names: names) }
        + makeJoinTables(of: model, names: names) + makeExternalTables(of: model, names: names)
    return SchemaMapping(
        model: model,
        tables: Table.systemTables + addIndexes(to: tables, of: model, entities: entities),
        entities: entities,
        fullTextIndexes: makeFullTextIndexes(of: model, entities)
    )
}

private func mapEntity(_ entity: EntityDescription, of model: ManagedObjectModel, names: SchemaNames) -> EntityMapping {
    let root = model.entity(named: entity.rootEntityName)
    var attributes: [AttributeMapping] = []
    var relationships: [RelationshipMapping] = []
    for ancestor in model.lineage(of: entity.name) {
        for attribute in storedAttributes(declaredBy: ancestor, of: model) {
            let key = PropertyKey(entityName: ancestor.name, path: attribute.path)
            guard let column = names.columns[key] else { continue }
            attributes.append(
                AttributeMapping(
                    path: attribute.path,
                    attribute: attribute.attribute,
                    columnName: column,
                    externalTableName: names.externalTables[key]
                )
            )
        }
        for relationship in storedRelationships(declaredBy: ancestor, of: model) {
            guard
                let storage = storage(
                    of: DeclaredRelationship(entity: ancestor, relationship: relationship),
                    in: model,
                    names: names
                )
            else { continue }
            relationships.append(
                RelationshipMapping(name: relationship.name, relationship: relationship, storage: storage)
            )
        }
    }
    return EntityMapping(
        entityName: entity.name,
        tableName: names.tables[entity.rootEntityName] ?? entity.rootEntityName,
        isInHierarchy: root?.subentityNames.isEmpty == false,
        attributes: attributes,
        relationships: relationships
    )
}

/// Returns the attributes that an entity declares and that have a column, without those that it inherits already.
func storedAttributes(
    declaredBy entity: EntityDescription,
    of model: ManagedObjectModel
) -> [(path: [String], attribute: AttributeDescription)] {
    var seen = Set(model.lineage(of: entity.name).dropLast().flatMap { $0.declaredAttributes.map(\.name) })
    return entity.declaredAttributes.filter { seen.insert($0.name).inserted }.flatMap { $0.storedLeaves() }
}

/// Returns the relationships that an entity declares and that are stored, without those that it inherits already.
func storedRelationships(
    declaredBy entity: EntityDescription,
    of model: ManagedObjectModel
) -> [RelationshipDescription] {
    var seen = Set(model.lineage(of: entity.name).dropLast().flatMap { $0.declaredRelationships.map(\.name) })
    return entity.declaredRelationships.filter { seen.insert($0.name).inserted && !$0.isTransient }
}
