internal import ChordataModel
internal import ChordataSQL

// Repairs when all tables have their last form: references to deleted objects, both ends of relationships with an
// inverse, and the places of objects in a new order.

extension MigrationPlanner {
    func repairingReferences(_ tables: MigrationTables) -> [MigrationStep] {
        var steps: [MigrationStep] = []
        /// The columns that may have lost their inverse references.
        var clearedColumns: Set<String> = []
        for plan in tables.entities {
            for column in plan.columns where column.column.references != nil {
                let clearing = cleared(column, in: plan)
                steps += clearing
                if !clearing.isEmpty {
                    clearedColumns.insert(quoteIdentifier(plan.table.name) + quoteIdentifier(column.column.name))
                }
            }
        }
        for plan in tables.joins where plan.mayDangle { steps += cleaned(plan) }
        for plan in tables.externals where plan.mayDangle {
            guard case .external(let owner, let column) = plan.table.kind else { continue }
            steps.append(
                MigrationStep(
                    .deleteRows,
                    plan.table.name,
                    [
                        renderReferenceCleanup(
                            .deletesRows,
                            of: plan.table.name,
                            where: renderReferences(
                                from: "_id",
                                toNoneOf:
                                    "SELECT \"_id\" FROM \(quoteIdentifier(owner)) WHERE \(quoteIdentifier(column)) IS NOT NULL"
                            )
                        )
                    ],
                    causes: plan.causes,
                    remark: "bytes of deleted rows",
                    losesData: true
                )
            )
        }
        for plan in tables.externals {
            guard let fill = plan.fill, case .external(let owner, let column) = plan.table.kind else { continue }
            steps.append(
                MigrationStep(
                    .copyRows,
                    plan.table.name,
                    [
                        "INSERT OR IGNORE INTO \(quoteIdentifier(plan.table.name)) (\"_id\", \"bytes\") SELECT \"_id\", \(fill) "
                            + "FROM \(quoteIdentifier(owner)) WHERE \(quoteIdentifier(column)) IS NOT NULL"
                    ],
                    causes: plan.causes
                )
            )
        }
        steps += reconciledPairs(tables, clearedColumns)
        for plan in tables.entities { steps += initializedOrders(plan) }
        for plan in tables.joins { steps += initializedOrders(plan) }
        return steps
    }

    // MARK: References

    /// To-ones that reference missing objects, or objects of an entity that is not their destination.
    private func cleared(_ plan: ColumnPlan, in table: TablePlan) -> [MigrationStep] {
        var destinationName: String?
        var mayLeadNowhere = plan.values.values.contains { $0.expression != nil }
        for flow in table.flows {
            guard let entity = mapping.entity(named: flow.destination),
                let mapped = entity.relationships.first(where: { $0.storage == .column(plan.column.name) })
            else { continue }
            destinationName = mapped.relationship.destinationEntityName
            guard let old = match.sourceRelationship(named: mapped.name, of: flow.destination), !old.isToMany else {
                // It takes the values of its inverse, which may reference other objects.
                if plan.values[flow.source]?.origin != nil { mayLeadNowhere = true }
                continue
            }
            if !destinations(of: old, in: mapped.relationship).lost.isEmpty { mayLeadNowhere = true }
        }
        guard mayLeadNowhere, let destinationName else { return [] }
        return [
            MigrationStep(
                .updateRows,
                table.table.name,
                [
                    renderReferenceCleanup(
                        .nullifies(column: plan.column.name),
                        of: table.table.name,
                        where: renderReferences(from: plan.column.name, toNoneOf: selectKeys(of: destinationName))
                    )
                ],
                causes: plan.causes,
                remark: "references to deleted objects",
                losesData: true,
                dependsOnData: true
            )
        ]
    }

    private func cleaned(_ plan: JoinTablePlan) -> [MigrationStep] {
        var ends: [String: Set<String>] = [:]
        for entity in mapping.entities where match.destination.entity(named: entity.entityName)?.isAbstract == false {
            for relationship in entity.relationships {
                guard case .joinTable(plan.table.name, let source, let destination, _) = relationship.storage else {
                    continue
                }
                ends[source, default: []].insert(entity.entityName)
                ends[destination, default: []].formUnion(
                    match.destination.concreteEntities(of: relationship.relationship.destinationEntityName)
                )
            }
        }
        let conditions = ["source", "destination"].map { column in
            // Without objects that could be there nothing stays.
            guard let entities = ends[column] else { return "1" }
            let keys = entities.sorted().compactMap { mapping.entity(named: $0)?.tableName }
            let tables = Set(keys).sorted().map { table in
                let names = entities.filter { mapping.entity(named: $0)?.tableName == table }
                return selectKeys(in: table, of: names)
            }
            return renderReferences(from: column, toNoneOf: tables.joined(separator: " UNION ALL "))
        }
        return [
            MigrationStep(
                .deleteRows,
                plan.table.name,
                [
                    renderReferenceCleanup(
                        .deletesRows,
                        of: plan.table.name,
                        where: conditions.joined(separator: " OR ")
                    )
                ],
                causes: plan.causes,
                remark: "join rows of deleted objects",
                losesData: true,
                dependsOnData: true
            )
        ]
    }

    private func selectKeys(of entityName: String) -> String {
        let table = mapping.entity(named: entityName)?.tableName ?? entityName
        return selectKeys(in: table, of: Set(match.destination.concreteEntities(of: entityName)))
    }

    /// The keys of the rows of some entities of the destination that share a table.
    private func selectKeys(in table: String, of entities: Set<String>) -> String {
        let select = "SELECT \"_id\" FROM \(quoteIdentifier(table))"
        let all = mapping.entities.filter { entity in
            entity.tableName == table && match.destination.entity(named: entity.entityName)?.isAbstract == false
        }
        guard mapping.table(named: table)?.hasEntityColumn == true, !Set(all.map(\.entityName)).isSubset(of: entities)
        else { return select }
        return "\(select) WHERE \(condition(entities.sorted()))"
    }

    // MARK: Both ends of a pair

    /// One-to-ones one end of which was computed from the other, or cleared: references without a matching inverse are
    /// cleared.
    private func reconciledPairs(_ tables: MigrationTables, _ clearedColumns: Set<String>) -> [MigrationStep] {
        var steps: [MigrationStep] = []
        for plan in tables.entities {
            for column in plan.columns
            where column.dependsOnData
                || clearedColumns.contains(quoteIdentifier(plan.table.name) + quoteIdentifier(column.column.name))
            {
                for entity in mapping.entities where entity.tableName == plan.table.name {
                    guard let mapped = entity.relationships.first(where: { $0.storage == .column(column.column.name) }),
                        let description = match.destination.entity(named: entity.entityName),
                        let inverse = match.destination.inverse(of: mapped.relationship, in: description),
                        !inverse.relationship.isToMany,
                        let other = mapping.entity(named: inverse.entity.name),
                        case .column(let otherColumn)? = other.relationship(named: inverse.relationship.name)?.storage
                    else { continue }
                    let remark = column.dependsOnData ? Self.oldestKeeps : "references without a matching inverse"
                    for step in [
                        oneWay(
                            plan.table.name,
                            column.column.name,
                            other.tableName,
                            otherColumn,
                            column.causes,
                            remark
                        ),
                        oneWay(
                            other.tableName,
                            otherColumn,
                            plan.table.name,
                            column.column.name,
                            column.causes,
                            remark
                        ),
                    ] where !steps.contains(step) { steps.append(step) }
                }
            }
        }
        return steps
    }

    private func oneWay(
        _ table: String,
        _ column: String,
        _ otherTable: String,
        _ otherColumn: String,
        _ causes: [ModelChange],
        _ remark: String
    ) -> MigrationStep {
        let (name, here) = (quoteIdentifier(column), quoteIdentifier(table))
        return MigrationStep(
            .updateRows,
            table,
            [
                renderReferenceCleanup(
                    .nullifies(column: column),
                    of: table,
                    where: "NOT EXISTS (SELECT 1 FROM \(quoteIdentifier(otherTable)) AS \"_other\" "
                        + "WHERE \"_other\".\"_id\" = \(here).\(name) AND \"_other\".\(quoteIdentifier(otherColumn)) = \(here).\"_id\")"
                )
            ],
            causes: causes,
            remark: remark,
            losesData: true,
            dependsOnData: true
        )
    }

    // MARK: Order

    private func initializedOrders(_ plan: TablePlan) -> [MigrationStep] {
        plan.columns.compactMap { column in
            guard column.column.name.hasPrefix("_order_") else { return nil }
            let owner = String(column.column.name.dropFirst("_order_".count))
            let ownerValues = plan.columns.first { $0.column.name == owner }?.values ?? [:]
            let isNew = ownerValues.contains { source, value in
                (value.origin != nil || value.expression != nil)
                    && column.values[source].map { $0.origin == nil && $0.expression == nil } != false
            }
            guard isNew else { return nil }
            let places = [
                "\(quoteIdentifier(column.column.name)) IS NULL", quoteIdentifier(column.column.name), "\"_id\"",
            ]
            return order(plan.table.name, column.column.name, groups: owner, key: ["_id"], by: places, column.causes)
        }
    }

    private func initializedOrders(_ plan: JoinTablePlan) -> [MigrationStep] {
        func isNew(_ column: String, _ path: KeyPath<LinkSource, String?>) -> Bool {
            plan.table.columns.contains { $0.name == column }
                && (plan.links.count > 1 || plan.links.contains { $0[keyPath: path] == nil })
        }
        /// Where no join row has a valid place, the column's values belong to an order that was removed.
        func places(_ column: String, _ path: KeyPath<LinkSource, String?>, _ last: String) -> [String] {
            let hasPlaces = plan.links.contains { $0[keyPath: path] != nil }
            return (hasPlaces ? ["\"\(column)\" IS NULL", "\"\(column)\""] : []) + ["\"\(last)\""]
        }
        let (name, key) = (plan.table.name, ["source", "destination"])
        var steps: [MigrationStep] = []
        if isNew("_order", \.order) {
            let places = places("_order", \.order, "destination")
            steps.append(order(name, "_order", groups: "source", key: key, by: places, plan.causes))
        }
        if isNew("_inverse_order", \.inverseOrder) {
            let places = places("_inverse_order", \.inverseOrder, "source")
            steps.append(order(name, "_inverse_order", groups: "destination", key: key, by: places, plan.causes))
        }
        return steps
    }

    /// Numbers objects by some expressions.
    private func order(
        _ table: String,
        _ column: String,
        groups: String,
        key: [String],
        by places: [String],
        _ causes: [ModelChange]
    ) -> MigrationStep {
        let (here, name, group) = (quoteIdentifier(table), quoteIdentifier(column), quoteIdentifier(groups))
        let columns = key.map(quoteIdentifier)
        let same = columns.map { "\"_ranked\".\($0) = \(here).\($0)" }.joined(separator: " AND ")
        return MigrationStep(
            .updateRows,
            table,
            [
                "UPDATE \(here) SET \(name) = \"_ranked\".\"_rank\" FROM (SELECT \(columns.joined(separator: ", ")), "
                    + "row_number() OVER (PARTITION BY \(group) ORDER BY \(places.joined(separator: ", "))) - 1 AS \"_rank\" "
                    + "FROM \(here) WHERE \(group) IS NOT NULL) AS \"_ranked\" WHERE \(same)"
            ],
            causes: causes,
            remark: "the initial order is the order in which the objects were created"
        )
    }
}
