internal import ChordataDiagnostics
internal import ChordataModel
internal import ChordataSQL

// Lints that only the plans of tables show: values that become equal, references that are dropped, columns whose names
// are reused.

extension MigrationPlanner {
    static var oldestKeeps: String {
        "if several objects reference the same object, only the oldest keeps its reference"
    }

    /// To-ones that are new ends of relationships from several objects.
    mutating func findKeptByTheOldest(_ plan: TablePlan) {
        for column in plan.columns where column.dependsOnData {
            for change in column.causes {
                add(
                    .migrationDependsOnData,
                    "\(sentence(change)) in '\(destinationName)', and \(Self.oldestKeeps); make it to-many to keep all",
                    change
                )
            }
        }
    }

    // MARK: Links

    /// Relationships with the same destination as before, to which some of its objects do not belong any more.
    mutating func findLostLinks() {
        for entity in match.destination.entities {
            for relationship in entity.declaredRelationships where !relationship.isTransient {
                guard let old = match.sourceRelationship(named: relationship.name, of: entity.name), !old.isTransient,
                    match.destinationEntity(of: old.destinationEntityName)?.name == relationship.destinationEntityName
                else { continue }
                let left = destinations(of: old, in: relationship).lost.compactMap {
                    match.destinationEntity(of: $0)?.name
                }
                guard !left.isEmpty else { continue }
                let names = left.sorted().map { "'\($0)'" }.joined(separator: ", ")
                add(
                    Finding(
                        id: .migrationLosesData,
                        message:
                            "'\(relationship.name)' of '\(entity.name)' can no longer reference objects of \(names), "
                            + "because '\(relationship.destinationEntityName)' is no longer their superentity in "
                            + "'\(destinationName)'; to keep these references, first release a version with a separate relationship to these objects and let your code move the references to it, or keep these entities as subentities",
                        entity: entity.name,
                        property: relationship.name
                    )
                )
            }
        }
    }

    // MARK: Uniqueness

    /// Values that must be unique, and were not, or become equal.
    mutating func findCollisions(_ plan: TablePlan) {
        for index in plan.table.indexes where index.isUnique {
            guard let constraint = mapping.uniquenessConstraint(of: index, tableName: plan.table.name),
                !isNewConstraint(constraint), let collision = collision(index, plan)
            else { continue }
            let names = constraint.properties.map { "'\($0)'" }.joined(separator: ", ")
            add(
                Finding(
                    id: .migrationDependsOnData,
                    message:
                        "\(names) of '\(constraint.entityName)' must be unique: a store in which \(collision.reason) "
                        + "cannot be migrated to '\(destinationName)'; \(collision.remedy)",
                    entity: constraint.entityName,
                    property: constraint.properties.first
                )
            )
        }
    }

    /// The new property is reported already.
    private func isNewConstraint(_ constraint: (entityName: String, properties: [String])) -> Bool {
        causes.changes.contains { change in
            change.subject == .uniquenessConstraint && change.kind != .removed
                && change.entityName == constraint.entityName
                && change.name.map { $0 == constraint.properties.sorted().joined(separator: ", ") } != false
        }
    }

    /// The reason why two rows may get the same values of an index, and what to do; `nil` where they had different
    /// ones.
    private func collision(_ index: Index, _ plan: TablePlan) -> (reason: String, remedy: String)? {
        let remedy = "before the migration, make the values unique with a program of version '\(sourceName)'"
        let columns = index.elements.compactMap { element in
            plan.columns.first { $0.column.name == element.columnName }
        }
        let flows = plan.flows.filter { flow in columns.allSatisfy { $0.values[flow.source] != nil } }
        for flow in flows {
            let values = columns.compactMap { $0.values[flow.source] }
            if values.allSatisfy({ $0.origin == nil && $0.expression == nil && $0.fill != nil }) {
                return (
                    "there are two or more objects of '\(flow.destination)', which all get the same default value,",
                    "make the property optional without a default, or give the objects different values in a migration stage"
                )
            }
            if values.contains(where: { $0.fill != nil }) { return ("two objects have no value", remedy) }
            if values.contains(where: { $0.expression != nil }),
                columns.contains(where: { $0.causes.contains(where: \.mayLoseData) })
            {
                return ("two objects would end up with the same value", remedy)
            }
        }
        let sources = Set(
            flows.map { flow in
                OldColumns(table: flow.origin, names: Set(columns.compactMap { $0.values[flow.source]?.origin }))
            }
        )
        guard let only = sources.first else { return nil }
        let wasUnique =
            sources.count == 1
            && sourceMapping.table(named: only.table)?.indexes.contains { old in
                old.isUnique && Set(old.elements.map(\.columnName)) == only.names
            } == true
        return wasUnique ? nil : ("two objects have the same value", remedy)
    }

    private struct OldColumns: Hashable {
        var table: String
        var names: Set<String>
    }

    // MARK: Readers

    /// Columns that are called otherwise because another property has their name now.
    mutating func findBreaks(_ plan: TablePlan) {
        guard let existingTable = plan.existingTable, existingTable.name == plan.table.name else { return }
        for column in plan.columns where !column.column.name.hasPrefix("_order_") {
            for (source, value) in column.values.sorted(by: { $0.key < $1.key }) {
                guard let origin = value.origin, origin != column.column.name,
                    !column.causes.contains(where: { $0.kind == .renamed }),
                    let flow = plan.flows.first(where: { $0.source == source && $0.origin == existingTable.name })
                else { continue }
                add(
                    Finding(
                        id: .migrationBreaksReaders,
                        message:
                            "'\(destinationName)' changes the tables that programs read with their own SQL: column "
                            + "'\(origin)' of '\(existingTable.name)' is now called '\(column.column.name)' for objects of "
                            + "'\(flow.destination)'; update these programs",
                        entity: flow.destination
                    )
                )
                break
            }
        }
    }
}
