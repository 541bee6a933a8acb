internal import ChordataModel
internal import ChordataSQL

/// Lays out the fields of an entity's class, level by level from the root.
///
/// This order is what generated code and the runtime agree on: within a level the attributes come first, then the
/// relationships, each in the order of the model; composites have no field.
func makeFields(of entity: EntityDescription, in model: ManagedObjectModel, mapping: EntityMapping, layout: ClassLayout)
    -> [Field]
{
    var fields: [Field] = []
    let lineage = model.lineage(of: entity.name)
    precondition(
        layout.levels.count == lineage.count,
        "class of entity '\(entity.name)' has \(layout.levels.count) levels of storage instead of \(lineage.count); "
            + "generate the code again from this model"
    )
    for (level, ancestor) in zip(layout.levels, lineage) {
        var structLayout = StructLayout()
        func add(_ property: Field.Property, _ kind: FieldKind, isStored: Bool, columnName: String?) {
            let offset = level.offset + structLayout.place(kind)
            fields.append(
                Field(
                    index: fields.count,
                    property: property,
                    kind: kind,
                    offset: offset,
                    isStored: isStored,
                    columnName: columnName
                )
            )
        }
        for attribute in ancestor.declaredAttributes {
            guard let kind = FieldKind(attribute) else { continue }
            let column = mapping.attribute(at: [attribute.name])?.columnName
            add(.attribute(attribute), kind, isStored: column != nil, columnName: column)
        }
        for relationship in ancestor.declaredRelationships {
            let stored = mapping.relationship(named: relationship.name)
            var column: String?
            if case .column(let name)? = stored?.storage { column = name }
            let kind = FieldKind(relationship.isToMany ? .toMany : .toOne)
            add(.relationship(relationship), kind, isStored: stored != nil, columnName: column)
        }
        precondition(
            structLayout.size == level.size || (structLayout.size == 0 && level.size <= 1),
            "storage of '\(ancestor.name)' has \(level.size) bytes instead of \(structLayout.size); "
                + "generate the code again from this model"
        )
    }
    return fields
}
