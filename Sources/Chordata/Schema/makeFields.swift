internal import ChordataModel
internal import ChordataSQL

/// Lays out the fields of an entity's class, level by level from the root.
///
/// Generated code and the runtime depend on this order: within a level, the attributes come first, then the
/// relationships, both in the order of the model; a composite is replaced by its leaves.
///
/// - Parameter layout: `nil` for an entity without a class of its own, whose fields are consecutive.
func makeFields(
    of entity: EntityDescription,
    in model: ManagedObjectModel,
    mapping: EntityMapping,
    layout: ClassLayout?
)
    -> [Field]
{
    var fields: [Field] = []
    let lineage = model.lineage(of: entity.name)
    if let layout {
        precondition(
            layout.levels.count == lineage.count,
            "the class of entity '\(entity.name)' and its superclasses were generated for "
                + "\(layout.levels.count) entities, but the model has \(lineage.count): the entity and its superentities; "
                + "generate the code again from the current model"
        )
    }
    var structLayout = StructLayout()
    for (index, ancestor) in lineage.enumerated() {
        let level = layout?.levels[index]
        if level != nil { structLayout = StructLayout() }
        func add(
            _ property: Field.Property,
            _ path: [String],
            _ kind: FieldKind,
            isStored: Bool,
            columnName: String?
        ) {
            let offset = (level?.offset ?? 0) + structLayout.place(kind)
            fields.append(
                Field(
                    index: fields.count,
                    property: property,
                    name: path.joined(separator: "."),
                    kind: kind,
                    offset: offset,
                    isStored: isStored,
                    columnName: columnName
                )
            )
        }
        for leaf in ancestor.declaredAttributes.flatMap(\.leaves) {
            guard let kind = FieldKind(leaf.attribute) else { continue }
            let column = mapping.attribute(at: leaf.path)?.columnName
            add(.attribute(leaf.attribute), leaf.path, kind, isStored: column != nil, columnName: column)
        }
        for relationship in ancestor.declaredRelationships {
            let stored = mapping.relationship(named: relationship.name)
            var column: String?
            if case .column(let name)? = stored?.storage { column = name }
            let kind = FieldKind(relationship.isToMany ? .toMany : .toOne)
            add(.relationship(relationship), [relationship.name], kind, isStored: stored != nil, columnName: column)
        }
        guard let level else { continue }
        precondition(
            structLayout.size == level.size || (structLayout.size == 0 && level.size <= 1),
            "the stored properties of the class of '\(ancestor.name)' have \(level.size) bytes instead of "
                + "\(structLayout.size); generate the code again from the current model"
        )
    }
    return fields
}
