internal import ChordataDiagnostics
internal import ChordataModel
internal import ChordataSQL

/// Reports tables and columns that are renamed or removed: older programs, and programs that read the tables with their
/// own SQL, do not find them.
func readerRemark(_ change: ModelChange, _ match: MigrationMatch, _ names: VersionNames) -> PlanRemark? {
    guard changesNames(change, match) else { return nil }
    return remark(
        .migrationBreaksReaders,
        "'\(names.destination)' changes the tables that programs read with their own SQL: \(sentence(change)); "
            + "update these programs",
        on: change,
        match
    )
}

private func changesNames(_ change: ModelChange, _ match: MigrationMatch) -> Bool {
    guard let name = change.oldEntityName ?? change.entityName, let old = match.sourceMapping.entity(named: name)
    else { return false }
    let new = match.models.destinationEntity(of: name).flatMap { match.destinationMapping.entity(named: $0.name) }
    switch change.subject {
    case .entity:
        if change.kind == .removed || change.kind == .renamed { return true }
        return change.kind == .changed && change.aspect == .superentityName && new?.tableName != old.tableName
    case .attribute, .relationship:
        // A property that is removed with its entity is reported with the entity.
        return new.map { changesColumns(change, of: old, $0) } ?? false
    default: return false
    }
}

/// Returns a Boolean value that indicates whether a property's values are stored in another place.
private func changesColumns(_ change: ModelChange, of old: EntityMapping, _ new: EntityMapping) -> Bool {
    guard let property = change.oldName ?? change.name else { return false }
    let aspects: [ModelChange.Aspect?] = [.isTransient, .isToMany, .inverseName, .allowsExternalBinaryDataStorage]
    if change.kind == .added || change.kind == .changed && !aspects.contains(change.aspect) { return false }
    // Only to-manys are stored in another place if they have another inverse.
    if change.aspect == .inverseName, old.relationship(named: property)?.relationship.isToMany != true { return false }
    if change.aspect == .allowsExternalBinaryDataStorage {
        // A column has either the bytes or their number.
        return old.isExternal(property) != new.isExternal(change.name ?? property)
    }
    let newColumns = change.kind == .removed ? [] : new.columnNames(of: change.name ?? property)
    return !old.columnNames(of: property).isSubset(of: newColumns)
}

/// Reports columns that are renamed because another property has their name now.
func readerRemarks(_ plan: TablePlan, _ names: VersionNames) -> [PlanRemark] {
    guard let existingTable = plan.existingTable, existingTable.name == plan.table.name else { return [] }
    return plan.columns.filter { !$0.column.name.hasPrefix("_order_") }.compactMap { column -> PlanRemark? in
        guard !column.causes.contains(where: { $0.kind == .renamed }) else { return nil }
        for (source, value) in column.values.sorted(by: { $0.key < $1.key }) {
            guard let origin = value.origin, origin != column.column.name,
                let flow = plan.flows.first(where: { $0.source == source && $0.origin == existingTable.name })
            else { continue }
            return PlanRemark(
                id: .migrationBreaksReaders,
                message:
                    "'\(names.destination)' changes the tables that programs read with their own SQL: column "
                    + "'\(origin)' of '\(existingTable.name)' is now called '\(column.column.name)' for objects of "
                    + "'\(flow.destination)'; update these programs",
                entity: flow.destination
            )
        }
        return nil
    }
}

extension EntityMapping {
    fileprivate func isExternal(_ property: String) -> Bool {
        attribute(at: property.split(separator: ".").map(String.init))?.externalTableName != nil
    }

    /// The columns and join tables of a property or of an element of a composite, which has its path.
    fileprivate func columnNames(of property: String) -> Set<String> {
        let path = property.split(separator: ".").map(String.init)
        let columns = attributes.filter { $0.path.starts(with: path) }.map(\.columnName)
        switch relationship(named: property)?.storage {
        case .column(let name): return [name]
        case .joinTable(let name, _, _, _): return [name]
        default: return Set(columns)
        }
    }
}
