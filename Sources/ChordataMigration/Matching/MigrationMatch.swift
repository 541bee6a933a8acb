internal import ChordataModel
internal import ChordataSQL

/// The first stage: the matching elements of two versions, the tables of both, and the changes between them.
struct MigrationMatch {
    let models: ModelMatch
    let sourceMapping: SchemaMapping
    let destinationMapping: SchemaMapping
    let causes: MigrationCauses

    init(_ source: ManagedObjectModel, _ destination: ManagedObjectModel) {
        models = ModelMatch(source: source, destination: destination)
        sourceMapping = makeSchemaMapping(of: source)
        destinationMapping = makeSchemaMapping(of: destination)
        causes = MigrationCauses(compareModels(source, destination))
    }

    var source: ManagedObjectModel { models.source }
    var destination: ManagedObjectModel { models.destination }
}

extension MigrationMatch {
    // MARK: Entities

    /// Returns the entity of the destination that declares a property: the given entity or one of its superentities.
    func declarer(of property: String, in entityName: String) -> String {
        destination.lineage(of: entityName).first { $0.declares(property) }?.name ?? entityName
    }

    /// The old entity that declares a property.
    func sourceDeclarer(of property: String, in entityName: String) -> String? {
        source.lineage(of: entityName).first { $0.declares(property) }?.name
    }

    /// Returns a Boolean value that indicates whether an old entity has objects of its own.
    func isConcreteSource(_ name: String) -> Bool { source.entity(named: name)?.isAbstract == false }

    /// Returns a Boolean value that indicates whether an entity of the destination has objects of its own.
    func isConcreteDestination(_ name: String) -> Bool { destination.entity(named: name)?.isAbstract == false }

    /// The old entities whose rows are in a table.
    func concreteEntities(in table: Table) -> [String] {
        sourceMapping.entities.filter { $0.tableName == table.name && isConcreteSource($0.entityName) }
            .map(\.entityName)
    }

    /// Returns the condition that an old row belongs to one of some entities; `nil` if the table has no other rows.
    func conditionUnlessAll(_ entities: [String], in table: Table) -> RowCondition? {
        guard table.hasEntityColumn, !Set(concreteEntities(in: table)).isSubset(of: entities) else { return nil }
        return .isOf(Set(entities))
    }

    // MARK: Destinations

    /// The objects that an old relationship could reference and still can, by old entity.
    func destinations(
        of old: RelationshipDescription,
        in new: RelationshipDescription
    ) -> (kept: [String], lost: [String]) {
        var (kept, lost): ([String], [String]) = ([], [])
        for name in source.concreteEntities(of: old.destinationEntityName) {
            if let later = models.destinationEntity(of: name),
                destination.entity(later.name, isKindOf: new.destinationEntityName)
            {
                kept.append(name)
            } else {
                lost.append(name)
            }
        }
        // If there can be no objects, the relationship is still the same.
        if kept.isEmpty, lost.isEmpty { kept = [old.destinationEntityName] }
        return (kept, lost)
    }
}

extension EntityDescription {
    fileprivate func declares(_ property: String) -> Bool {
        declaredAttributes.contains { $0.name == property } || declaredRelationships.contains { $0.name == property }
    }
}

extension Table {
    /// A Boolean value that indicates whether each row has the name of its entity.
    var hasEntityColumn: Bool { columns.contains { $0.name == "_entity" } }
}
