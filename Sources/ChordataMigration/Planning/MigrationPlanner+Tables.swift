internal import ChordataModel
internal import ChordataSQL

extension MigrationPlanner {
    /// Plans the tables of entities: whose rows go there, which old table each takes the place of, and its columns.
    mutating func planTables() -> [TablePlan] {
        let flows = Dictionary(grouping: planFlows()) { flow in
            mapping.entity(named: flow.destination)?.tableName ?? flow.destination
        }
        let existingTables = planExistingTables(flows)
        return mapping.tables.compactMap { table in
            guard case .entity = table.kind else { return nil }
            var plan = TablePlan(
                table: table,
                existingTable: existingTables[table.name],
                newName: newName(of: table, replacing: existingTables[table.name]),
                flows: flows[table.name] ?? []
            )
            plan.columns = planColumns(of: plan)
            return plan
        }
    }

    /// The name of a table while an old one with its name may exist.
    func newName(of table: Table, replacing existingTable: Table?) -> String {
        let isTaken = sourceMapping.tables.contains { old in
            foldedName(old.name) == foldedName(table.name)
                || old.indexes.contains { foldedName($0.name) == foldedName(table.name) }
        }
        return existingTable == nil && !isTaken ? table.name : "_new_" + table.name
    }

    /// The destination of the rows of each old entity.
    private mutating func planFlows() -> [RowFlow] {
        var flows: [RowFlow] = []
        for entity in match.destination.entities {
            guard let old = match.sourceEntity(of: entity.name), !old.isAbstract,
                let origin = sourceMapping.entity(named: old.name)?.tableName
            else { continue }
            if entity.isAbstract {
                refuse(
                    "entity '\(entity.name)' became abstract, and stores may have objects of it",
                    remedy: "keep it concrete",
                    entity: entity.name
                )
                requireNoObjects(of: entity)
            }
            flows.append(RowFlow(source: old.name, destination: entity.name, origin: origin))
        }
        return flows
    }

    /// The old table that each table of entities takes the place of; each is taken by one at most.
    private mutating func planExistingTables(_ flows: [String: [RowFlow]]) -> [String: Table] {
        var existingTables: [String: Table] = [:]
        var taken: Set<String> = []
        func take(_ old: String, for table: Table) {
            guard taken.insert(old).inserted else { return }
            existingTables[table.name] = sourceMapping.table(named: old)
        }
        // First where the topmost entity of one is that of the other.
        for table in mapping.tables {
            guard case .entity(let root) = table.kind, let old = match.sourceEntity(of: root),
                old.superentityName == nil, let mapped = sourceMapping.entity(named: old.name)
            else { continue }
            take(mapped.tableName, for: table)
        }
        for table in mapping.tables where existingTables[table.name] == nil {
            guard case .entity(let root) = table.kind, let flows = flows[table.name] else { continue }
            let origins = Set(flows.map(\.origin))
            if origins.count > 1, match.sourceEntity(of: root) == nil {
                let names = flows.map { "'\($0.destination)'" }.sorted().joined(separator: ", ")
                refuse(
                    "entities \(names) were in different hierarchies and are in one now, below '\(root)'",
                    remedy: "keep separate hierarchies",
                    entity: root
                )
            }
            if let origin = origins.subtracting(taken).min() { take(origin, for: table) }
        }
        return existingTables
    }

    // MARK: Columns

    private mutating func planColumns(of plan: TablePlan) -> [ColumnPlan] {
        var plans = plan.table.columns.map { ColumnPlan(column: $0) }
        let indexes = Dictionary(uniqueKeysWithValues: plans.indices.map { (plans[$0].column.name, $0) })
        for flow in plan.flows {
            for name in ["_id", "_version"] {
                if let index = indexes[name] { plans[index].values[flow.source] = ColumnValue(origin: name) }
            }
        }
        for entity in mapping.entities where entity.tableName == plan.table.name {
            let flow = plan.flows.first { $0.destination == entity.entityName }
            for attribute in entity.attributes {
                guard let index = indexes[attribute.columnName] else { continue }
                plans[index].causes = causes.ofProperty(
                    attribute.path[0],
                    declaredBy: declarer(of: attribute.path[0], in: entity.entityName)
                )
                if let flow { planAttribute(attribute, flow, &plans[index]) }
            }
            if let flow { requireToManys(of: entity, flow) }
            for relationship in entity.relationships {
                guard case .column(let name) = relationship.storage, let index = indexes[name] else { continue }
                let found = causes.ofProperty(
                    relationship.name,
                    declaredBy: declarer(of: relationship.name, in: entity.entityName)
                )
                plans[index].causes = found
                let orderIndex = indexes["_order_" + name]
                if let orderIndex { plans[orderIndex].causes = found }
                guard let flow else { continue }
                let order = planToOne(relationship, flow, &plans[index])
                if let orderIndex { plans[orderIndex].values[flow.source] = order }
            }
        }
        if let existingTable = plan.existingTable { keepEmptyColumns(of: plan.table, existingTable, &plans, indexes) }
        return plans
    }

    /// Finds the old columns of properties that no rows have, so that they need not be rebuilt.
    private func keepEmptyColumns(
        of table: Table,
        _ existingTable: Table,
        _ plans: inout [ColumnPlan],
        _ indexes: [String: Int]
    ) {
        func keep(_ name: String, _ old: String, _ plans: inout [ColumnPlan]) {
            guard let index = indexes[name], plans[index].values.isEmpty, plans[index].emptyOrigin == nil,
                let before = existingTable.columns.first(where: { $0.name == old }),
                before.type == plans[index].column.type
            else { return }
            plans[index].emptyOrigin = old
        }
        for entity in mapping.entities where entity.tableName == table.name {
            guard match.destination.entity(named: entity.entityName)?.isAbstract == true,
                let source = match.sourceEntity(of: entity.entityName),
                let old = sourceMapping.entity(named: source.name), old.tableName == existingTable.name
            else { continue }
            for attribute in entity.attributes {
                guard let path = match.sourcePath(of: attribute.path, in: entity.entityName),
                    let before = old.attribute(at: path),
                    before.attribute.attributeType == attribute.attribute.attributeType
                else { continue }
                keep(attribute.columnName, before.columnName, &plans)
            }
            for relationship in entity.relationships {
                guard case .column(let name) = relationship.storage,
                    let before = match.sourceRelationship(named: relationship.name, of: entity.entityName),
                    case .column(let oldName)? = old.relationship(named: before.name)?.storage
                else { continue }
                keep(name, oldName, &plans)
                keep("_order_" + name, "_order_" + oldName, &plans)
            }
        }
    }

    /// Reports to-manys that became required, or are new: existing objects may have no members.
    private mutating func requireToManys(of entity: EntityMapping, _ flow: RowFlow) {
        for relationship in entity.relationships.map(\.relationship)
        where relationship.isToMany && !relationship.isOptional {
            let old = match.sourceRelationship(named: relationship.name, of: flow.destination)
            guard old?.isOptional != false else { continue }
            let declarer = declarer(of: relationship.name, in: flow.destination)
            leaveInvalid(
                "relationship '\(relationship.name)' of '\(declarer)' \(old == nil ? "is new and" : "became") "
                    + "required, so existing objects cannot be saved until it is set; make it optional, or set it in "
                    + "your code",
                entity: declarer,
                property: relationship.name
            )
        }
    }

    /// The entity of the destination that declares a property: the given one or one above it.
    func declarer(of property: String, in entityName: String) -> String {
        match.destination.lineage(of: entityName).first { entity in
            entity.declaredAttributes.contains { $0.name == property }
                || entity.declaredRelationships.contains { $0.name == property }
        }?.name ?? entityName
    }

    // MARK: Attributes

    private mutating func planAttribute(_ mapped: AttributeMapping, _ flow: RowFlow, _ plan: inout ColumnPlan) {
        guard let attribute = match.destination.entity(named: flow.destination)?.attribute(named: mapped.path[0]),
            let leaf = attribute.leaves.first(where: { $0.path == mapped.path })?.attribute
        else { return }
        let name = mapped.path.joined(separator: ".")
        let entity = declarer(of: attribute.name, in: flow.destination)
        var value = ColumnValue()
        let old = match.sourceAttribute(named: attribute.name, of: flow.destination)
        if let old, !old.isTransient, !attribute.isDerived,
            (old.attributeType == .composite) != (attribute.attributeType == .composite)
        {
            refuseType(name, old.attributeType, attribute.attributeType, entity)
        }
        let path = match.sourcePath(of: mapped.path, in: flow.destination)
        let origin = path.flatMap { sourceMapping.entity(named: flow.source)?.attribute(at: $0) }
        let oldLeaf = path.flatMap { path in old?.leaves.first { $0.path == path }?.attribute }
        var isConverted = false
        // What is derived is computed behind the migration, from what there is then.
        let isComputed = leaf.isDerived && oldLeaf?.attributeType != leaf.attributeType
        if let origin, let oldLeaf, !isComputed {
            if let conversion = ValueConversion(from: oldLeaf.attributeType, to: leaf.attributeType) {
                value = converted(origin, to: mapped, conversion, flow)
                isConverted = true
                addCheck(of: conversion, quoteIdentifier(origin.columnName), leaf, name, flow, plan.causes)
            } else {
                refuseType(name, oldLeaf.attributeType, leaf.attributeType, entity)
            }
        }
        // What no old row has gets the default, whether it is required or not; what an old row has as NULL only if it
        // became required.
        let isNew = origin == nil && leaf.defaultValue != nil
        if !leaf.isDerived, isNew || !leaf.isOptional && (oldLeaf?.isOptional != false || !isConverted) {
            let fill = leaf.defaultValue.map { sqlLiteral($0) }
            value.fill = fill
            // The row has the length; the bytes come when the rows are there.
            if mapped.externalTableName != nil, case .data(let bytes)? = leaf.defaultValue {
                value.fill = "\(bytes.count)"
            }
            if !leaf.isOptional, fill == nil || fill == "NULL" {
                if origin == nil {
                    refuse(
                        "attribute '\(name)' of '\(entity)' is new, required and has no default",
                        remedy: "add a default, make it optional",
                        entity: entity,
                        property: attribute.name
                    )
                } else if isConverted {
                    refuse(
                        "attribute '\(name)' of '\(entity)' became required and has no default",
                        remedy: "add a default",
                        entity: entity,
                        property: attribute.name
                    )
                }
                requireValues(of: mapped, in: flow.destination)
            }
        }
        plan.values[flow.source] = value
    }

    /// The value of an old row's attribute as one of another type, or at another place.
    private func converted(
        _ origin: AttributeMapping,
        to mapped: AttributeMapping,
        _ conversion: ValueConversion,
        _ flow: RowFlow
    ) -> ColumnValue {
        var value = ColumnValue()
        let column = quoteIdentifier(origin.columnName)
        switch (origin.externalTableName, mapped.externalTableName) {
        case (nil, nil), (.some, .some):
            value.origin = origin.columnName
            if !conversion.isNone { value.expression = conversion.sql(column) }
        case (nil, .some): value.expression = "length(\(column))"
        case (let side?, nil):
            value.expression =
                "(SELECT \"bytes\" FROM \(quoteIdentifier(side)) AS \"_external\" "
                + "WHERE \"_external\".\"_id\" = \(quoteIdentifier(flow.origin)).\"_id\")"
        }
        return value
    }

    private mutating func addCheck(
        of conversion: ValueConversion,
        _ column: String,
        _ leaf: AttributeDescription,
        _ name: String,
        _ flow: RowFlow,
        _ causes: [ModelChange]
    ) {
        guard let misfit = conversion.misfit(column) else { return }
        checks.append(
            ValueCheck(
                flow: flow,
                misfit: misfit,
                message: "values of '\(name)' of '\(flow.destination)' do not fit into \(leaf.attributeType.rawValue)",
                causes: causes
            )
        )
    }

    private mutating func refuseType(_ name: String, _ old: AttributeType, _ new: AttributeType, _ entity: String) {
        refuse(
            "attribute '\(name)' of '\(entity)' changed from '\(old.rawValue)' to '\(new.rawValue)', which cannot be "
                + "converted automatically",
            entity: entity,
            property: name.split(separator: ".").first.map(String.init)
        )
    }
}

/// Something that must hold of old rows, or the migration fails and changes nothing.
struct ValueCheck: Hashable {
    var flow: RowFlow
    /// A condition on an old row that must not be met.
    var misfit: String
    /// A problem at a place.
    var message: String
    var causes: [ModelChange]
}
