internal import ChordataModel
internal import ChordataSQL

/// Plans the join tables, and the source of their rows.
///
/// - Parameter existingTables: The old tables that tables of entities replace, by the names of the new tables.
func planJoinTables(_ existingTables: [String: Table], _ match: MigrationMatch) -> [JoinTablePlan] {
    var taken: Set<String> = []
    return match.destinationMapping.tables.compactMap { table in
        guard case .join(let owner, let name) = table.kind else { return nil }
        let (links, mayDangle) = linksOfJoinTable(table, match)
        let existingTable = existingJoinTable(table, links, existingTables, match).flatMap {
            taken.insert($0.name).inserted ? $0 : nil
        }
        return JoinTablePlan(
            table: table,
            existingTable: existingTable,
            newName: newName(of: table, replacing: existingTable, match),
            links: links,
            mayDangle: mayDangle,
            causes: match.causes.ofProperty(name, declaredBy: owner)
        )
    }
}

/// Returns the old join table with the same pairs in the same direction.
private func existingJoinTable(
    _ table: Table,
    _ links: [LinkSource],
    _ existingTables: [String: Table],
    _ match: MigrationMatch
) -> Table? {
    guard let source = links.first, links.count == 1, source.source == "source",
        let old = match.sourceMapping.table(named: source.table), case .join = old.kind
    else { return nil }
    let isSame = ["source", "destination"].allSatisfy { column in
        table.reference(of: column).flatMap { existingTables[$0]?.name } == old.reference(of: column)
    }
    return isSame ? old : nil
}

/// Returns the source of a join table's rows, and whether some of their objects may be missing.
private func linksOfJoinTable(_ table: Table, _ match: MigrationMatch) -> (links: [LinkSource], mayDangle: Bool) {
    var found: [LinkSource] = []
    var mayDangle = false
    for entity in match.destinationMapping.entities {
        guard let old = match.models.sourceEntity(of: entity.entityName) else { continue }
        for relationship in entity.relationships {
            guard case .joinTable(table.name, let column, _, _) = relationship.storage,
                let before = match.models.sourceRelationship(named: relationship.name, of: entity.entityName),
                var links = match.links(of: before, in: old.name)
            else { continue }
            if !match.keepsOrder(ofInverseOf: relationship.relationship, in: entity.entityName) {
                links.inverseOrder = nil
            }
            let destinations = match.destinations(of: before, in: relationship.relationship)
            if destinations.kept.isEmpty { continue }
            if !destinations.lost.isEmpty || mayHaveOtherSources(links, than: table, column, match) {
                mayDangle = true
            }
            let oriented = column == "source" ? links : links.reversed
            if !found.contains(oriented) { found.append(oriented) }
            // A relationship that is its own inverse has each pair in both directions.
            guard match.destination.isOwnInverse(relationship.relationship, in: entity.entityName),
                !match.source.isOwnInverse(before, in: old.name), !found.contains(oriented.reversed)
            else { continue }
            found.append(oriented.reversed)
        }
    }
    return (found, mayDangle)
}

/// Returns a Boolean value that indicates whether the sources of pairs may be objects whose new entity does not have
/// the relationship.
private func mayHaveOtherSources(
    _ links: LinkSource,
    than table: Table,
    _ column: String,
    _ match: MigrationMatch
) -> Bool {
    match.sourceMapping.entities.filter { match.isConcreteSource($0.entityName) }.contains { entity in
        let isSource = entity.relationships.contains {
            match.links(of: $0.relationship, in: entity.entityName) == links
        }
        guard isSource else { return false }
        let owner = match.models.destinationEntity(of: entity.entityName).flatMap {
            match.destinationMapping.entity(named: $0.name)
        }
        let isOwner = owner?.relationships.contains { relationship in
            if case .joinTable(table.name, column, _, _) = relationship.storage { true } else { false }
        }
        return isOwner != true
    }
}

extension ManagedObjectModel {
    fileprivate func isOwnInverse(_ relationship: RelationshipDescription, in entityName: String) -> Bool {
        guard let entity = entity(named: entityName), let inverse = inverse(of: relationship, in: entity) else {
            return false
        }
        return inverse.relationship.name == relationship.name
            && self.entity(entityName, isKindOf: inverse.entity.name)
    }
}

extension Table {
    /// The table that a column references.
    fileprivate func reference(of columnName: String) -> String? {
        columns.first { $0.name == columnName }?.references
    }
}
