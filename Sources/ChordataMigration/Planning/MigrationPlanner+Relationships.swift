internal import ChordataModel
internal import ChordataSQL

extension MigrationPlanner {
    // MARK: To-ones

    /// Plans the column of a to-one.
    /// - Returns: The places of its objects in an ordered inverse.
    mutating func planToOne(_ mapped: RelationshipMapping, _ flow: RowFlow, _ plan: inout ColumnPlan) -> ColumnValue {
        let relationship = mapped.relationship
        let entity = declarer(of: relationship.name, in: flow.destination)
        let old = match.sourceRelationship(named: relationship.name, of: flow.destination)
        var value = ColumnValue()
        var order = ColumnValue()
        if let old, !old.isTransient {
            if old.isToMany {
                refuse(
                    "relationship '\(relationship.name)' of '\(entity)' changed from to-many to to-one, and it is unknown which "
                        + "object to keep",
                    entity: entity,
                    property: relationship.name
                )
                plan.values[flow.source] = value
                return order
            }
            if !destinations(of: old, in: relationship).kept.isEmpty, let links = links(of: old, in: flow.source) {
                value.origin = links.destination
                if keepsOrder(ofInverseOf: relationship, in: flow.destination) { order.origin = links.inverseOrder }
            }
        }
        let others = linksFromOtherEnd(of: relationship, in: flow.destination, except: old, of: flow.source)
        if let links = others.first(where: { $0.table == flow.origin && $0.source == "_id" }), value.origin == nil {
            // The old row has the reference: the to-many at the other end had this inverse, and has another one now.
            value.origin = links.destination
            order.origin = links.inverseOrder
        } else if !others.isEmpty {
            // Of several the oldest.
            func oldest(_ column: String, _ links: LinkSource) -> String {
                let (source, destination) = (quoteIdentifier(links.source), quoteIdentifier(links.destination))
                return "(SELECT \(quoteIdentifier(column)) FROM \(quoteIdentifier(links.table)) AS \"_link\" "
                    + "WHERE \"_link\".\(source) = \(quoteIdentifier(flow.origin)).\"_id\" AND \"_link\".\(destination) IS NOT NULL "
                    + "ORDER BY \"_link\".\(destination) LIMIT 1)"
            }
            let parts = others.map { oldest($0.destination, $0) }
            let all = value.origin.map { [quoteIdentifier($0)] } ?? []
            if all.isEmpty, parts.count == 1 {
                value.expression = parts[0]
                order.expression = others[0].inverseOrder.map { oldest($0, others[0]) }
            } else {
                value.expression = "coalesce(\((all + parts).joined(separator: ", ")))"
            }
            plan.dependsOnData = true
            plan.losesData = true
        }
        let isEmpty = value.origin == nil && value.expression == nil
        let hasNewDestination = old.map { isEmpty || !destinations(of: $0, in: relationship).lost.isEmpty } ?? false
        let becameRequired = old?.isOptional == true
        if !relationship.isOptional, hasNewDestination || old == nil && isEmpty || becameRequired {
            let what = hasNewDestination ? "has a new destination and is" : becameRequired ? "became" : "is new and"
            leaveInvalid(
                "relationship '\(relationship.name)' of '\(entity)' \(what) required, so existing objects cannot be "
                    + "saved until it is set; make it optional, or set it in your code",
                entity: entity,
                property: relationship.name
            )
        }
        plan.values[flow.source] = value
        return order
    }

    /// Returns a Boolean value that indicates whether the order of the relationship at the other end is one that it
    /// had; a new one does not take that of what was there before.
    private func keepsOrder(ofInverseOf relationship: RelationshipDescription, in entityName: String) -> Bool {
        guard let entity = match.destination.entity(named: entityName),
            let inverse = match.destination.inverse(of: relationship, in: entity)
        else { return false }
        return match.destination.subentityClosure(of: inverse.entity.name).contains { name in
            match.sourceRelationship(named: inverse.relationship.name, of: name)?.isOrdered == true
        }
    }

    /// The objects that an old relationship could reference and still can, by old entity.
    func destinations(
        of old: RelationshipDescription,
        in new: RelationshipDescription
    ) -> (kept: [String], lost: [String]) {
        var (kept, lost): ([String], [String]) = ([], [])
        for name in match.source.concreteEntities(of: old.destinationEntityName) {
            if let later = match.destinationEntity(of: name),
                match.destination.entity(later.name, isKindOf: new.destinationEntityName)
            {
                kept.append(name)
            } else {
                lost.append(name)
            }
        }
        // Where there can be no objects, the relationship is the same all the same.
        if kept.isEmpty, lost.isEmpty { kept = [old.destinationEntityName] }
        return (kept, lost)
    }

    /// The place of a relationship's join rows in the old version; `nil` if it is transient.
    func links(of relationship: RelationshipDescription, in entityName: String) -> LinkSource? {
        guard let entity = sourceMapping.entity(named: entityName),
            let storage = entity.relationship(named: relationship.name)?.storage
        else { return nil }
        func column(_ name: String, in table: String) -> String? {
            sourceMapping.table(named: table)?.columns.contains { $0.name == name } == true ? name : nil
        }
        switch storage {
        case .column(let name):
            return LinkSource(
                table: entity.tableName,
                source: "_id",
                destination: name,
                inverseOrder: column("_order_" + name, in: entity.tableName)
            )
        case .inverseColumn(let table, let name, _):
            return LinkSource(
                table: table,
                source: name,
                destination: "_id",
                order: column("_order_" + name, in: table)
            )
        case .joinTable(let table, let sourceColumn, _, _):
            let links = LinkSource(
                table: table,
                source: "source",
                destination: "destination",
                order: column("_order", in: table),
                inverseOrder: column("_inverse_order", in: table)
            )
            return sourceColumn == "source" ? links : links.reversed
        }
    }

    /// The pairs that the relationship at the other end had, seen from this end, unless they are those that this end
    /// had itself.
    private func linksFromOtherEnd(
        of relationship: RelationshipDescription,
        in entityName: String,
        except old: RelationshipDescription?,
        of oldEntityName: String
    ) -> [LinkSource] {
        guard let entity = match.destination.entity(named: entityName),
            let inverse = match.destination.inverse(of: relationship, in: entity)
        else { return [] }
        var found: [LinkSource] = []
        for name in match.destination.subentityClosure(of: inverse.entity.name) {
            guard let source = match.sourceEntity(of: name),
                let before = match.sourceRelationship(named: inverse.relationship.name, of: name), !before.isTransient,
                !isInverse(before, of: source, to: old, of: oldEntityName),
                mayReference(before, oldEntityName), let links = links(of: before, in: source.name)?.reversed,
                !found.contains(links)
            else { continue }
            found.append(links)
        }
        return found
    }

    /// Returns a Boolean value that indicates whether two old relationships were each other's inverse.
    private func isInverse(
        _ relationship: RelationshipDescription,
        of entity: EntityDescription,
        to other: RelationshipDescription?,
        of otherEntityName: String
    ) -> Bool {
        guard let other, let inverse = match.source.inverse(of: relationship, in: entity) else { return false }
        return inverse.relationship.name == other.name
            && match.source.entity(otherEntityName, isKindOf: inverse.entity.name)
    }

    /// Returns a Boolean value that indicates whether an old relationship could reference objects of an old entity.
    private func mayReference(_ relationship: RelationshipDescription, _ entityName: String) -> Bool {
        match.source.entity(entityName, isKindOf: relationship.destinationEntityName)
            || match.source.entity(relationship.destinationEntityName, isKindOf: entityName)
    }

    /// Refuses a property that says it is what another one of the entity is by its name (R4): one of the two is
    /// inherited, or the model would have been refused before.
    mutating func rejectDuplicateRenamingIDs() {
        for entity in match.destination.entities where match.sourceEntity(of: entity.name) != nil {
            let names = Set(entity.attributes.map(\.name) + entity.relationships.map(\.name))
            let claims =
                entity.attributes.map { ($0.name, match.sourceAttribute(named: $0.name, of: entity.name)?.name) }
                + entity.relationships.map {
                    ($0.name, match.sourceRelationship(named: $0.name, of: entity.name)?.name)
                }
            for (name, old) in claims {
                // A new one may have the name; one that the entity inherits, and that is what it was, may not.
                guard let old, old != name, names.contains(old),
                    match.sourceAttribute(named: old, of: entity.name) == nil,
                    match.sourceRelationship(named: old, of: entity.name) == nil,
                    isOld(old, of: declarer(of: old, in: entity.name))
                else { continue }
                refuse(
                    "'\(name)' of '\(entity.name)' has the renaming identifier of '\(old)', which '\(entity.name)' "
                        + "still has; only one property can be migrated from it",
                    remedy: "remove the renaming identifier",
                    entity: entity.name,
                    property: name
                )
            }
        }
    }

    private func isOld(_ name: String, of entity: String) -> Bool {
        match.sourceAttribute(named: name, of: entity)?.name == name
            || match.sourceRelationship(named: name, of: entity)?.name == name
    }

    /// Refuses a relationship that replaces several relationships with different destinations.
    ///
    /// It is unknown which of their objects it should reference. Core Data refuses WordPress 19 to 21, in which
    /// everything else is inferred.
    mutating func refuseMergedRelationships() {
        for entity in match.destination.entities {
            for relationship in entity.declaredRelationships where !relationship.isTransient {
                var destinations: Set<String> = []
                for name in match.destination.subentityClosure(of: entity.name) {
                    let old = match.sourceRelationship(named: relationship.name, of: name)
                    if let old, !old.isTransient { destinations.insert(old.destinationEntityName) }
                }
                let apart = destinations.filter { name in
                    destinations.contains { other in
                        !match.source.entity(name, isKindOf: other) && !match.source.entity(other, isKindOf: name)
                    }
                }
                guard !apart.isEmpty else { continue }
                let names = apart.sorted().map { "'\($0)'" }.joined(separator: " and ")
                refuse(
                    "relationship '\(relationship.name)' of '\(entity.name)' replaces several relationships, which referenced \(names)",
                    remedy: "keep separate relationships",
                    entity: entity.name,
                    property: relationship.name
                )
            }
        }
    }

    // MARK: Join tables

    mutating func planJoinTables(_ tables: [TablePlan]) -> [JoinTablePlan] {
        var taken: Set<String> = []
        return mapping.tables.compactMap { table in
            guard case .join(let owner, let name) = table.kind else { return nil }
            let (links, mayDangle) = linksOfJoinTable(table)
            let existingTable = existingJoinTable(table, links, tables).flatMap {
                taken.insert($0.name).inserted ? $0 : nil
            }
            return JoinTablePlan(
                table: table,
                existingTable: existingTable,
                newName: newName(of: table, replacing: existingTable),
                links: links,
                mayDangle: mayDangle,
                causes: causes.ofProperty(name, declaredBy: owner)
            )
        }
    }

    /// The old join table with the very pairs, and the same way round.
    private func existingJoinTable(_ table: Table, _ links: [LinkSource], _ tables: [TablePlan]) -> Table? {
        guard let source = links.first, links.count == 1, source.source == "source",
            let old = sourceMapping.table(named: source.table), case .join = old.kind
        else { return nil }
        for name in ["source", "destination"] {
            let (before, after) = (old.reference(of: name), table.reference(of: name))
            guard tables.first(where: { $0.table.name == after })?.existingTable?.name == before else { return nil }
        }
        return old
    }

    /// The source of a join table's rows, and whether some of their objects may be missing.
    private mutating func linksOfJoinTable(_ table: Table) -> (links: [LinkSource], mayDangle: Bool) {
        var found: [LinkSource] = []
        var mayDangle = false
        for entity in mapping.entities {
            guard let old = match.sourceEntity(of: entity.entityName) else { continue }
            for relationship in entity.relationships {
                guard case .joinTable(table.name, let column, _, _) = relationship.storage,
                    let before = match.sourceRelationship(named: relationship.name, of: entity.entityName),
                    var links = links(of: before, in: old.name)
                else { continue }
                if !keepsOrder(ofInverseOf: relationship.relationship, in: entity.entityName) {
                    links.inverseOrder = nil
                }
                let destinations = destinations(of: before, in: relationship.relationship)
                if destinations.kept.isEmpty { continue }
                if !destinations.lost.isEmpty || mayBeginElsewhere(links, than: table, column) { mayDangle = true }
                let oriented = column == "source" ? links : links.reversed
                if !found.contains(oriented) { found.append(oriented) }
                // What is its own inverse has each pair both ways.
                guard match.destination.isOwnInverse(relationship.relationship, in: entity.entityName),
                    !match.source.isOwnInverse(before, in: old.name), !found.contains(oriented.reversed)
                else { continue }
                found.append(oriented.reversed)
            }
        }
        return (found, mayDangle)
    }

    /// Returns a Boolean value that indicates whether pairs may begin at objects whose new entity does not have the
    /// relationship.
    private func mayBeginElsewhere(_ links: LinkSource, than table: Table, _ column: String) -> Bool {
        for entity in sourceMapping.entities where match.source.entity(named: entity.entityName)?.isAbstract == false {
            let begins = entity.relationships.contains {
                self.links(of: $0.relationship, in: entity.entityName) == links
            }
            guard begins else { continue }
            let owner = match.destinationEntity(of: entity.entityName).flatMap { mapping.entity(named: $0.name) }
            let isOwner = owner?.relationships.contains { relationship in
                if case .joinTable(table.name, column, _, _) = relationship.storage { true } else { false }
            }
            if isOwner != true { return true }
        }
        return false
    }

    // MARK: Bytes that are stored externally

    func planExternalTables(_ tables: [TablePlan]) -> [ExternalTablePlan] {
        var taken: Set<String> = []
        return mapping.tables.compactMap { table in
            guard case .external(let owner, let column) = table.kind,
                let plan = tables.first(where: { $0.table.name == owner }),
                let columnPlan = plan.columns.first(where: { $0.column.name == column })
            else { return nil }
            var bytes: [ExternalTablePlan.Bytes] = []
            var owners: Set<String> = []
            var fill: String?
            for entity in mapping.entities where entity.tableName == owner {
                guard let attribute = entity.attributes.first(where: { $0.columnName == column }) else { continue }
                if columnPlan.values.values.contains(where: { $0.fill != nil }) {
                    fill = attribute.attribute.defaultValue.map { sqlLiteral($0) }
                }
                guard
                    let flow = plan.flows.first(where: { $0.destination == entity.entityName }),
                    let path = match.sourcePath(of: attribute.path, in: entity.entityName),
                    let old = sourceMapping.entity(named: flow.source)?.attribute(at: path)
                else { continue }
                owners.insert(flow.source)
                let place = old.externalTableName.map { ExternalTablePlan.Bytes(table: $0, column: "bytes") }
                let found = place ?? .init(table: flow.origin, column: old.columnName)
                if !bytes.contains(found) { bytes.append(found) }
            }
            var existingTable: Table?
            if let only = bytes.first, bytes.count == 1, let old = sourceMapping.table(named: only.table),
                case .external(let owner, _) = old.kind, owner == plan.existingTable?.name,
                taken.insert(old.name).inserted
            {
                existingTable = old
            }
            // Where no rows have the attribute there are no bytes, and the table is the same all the same.
            if bytes.isEmpty, columnPlan.values.isEmpty, let origin = columnPlan.emptyOrigin,
                let owner = plan.existingTable?.name,
                let old = sourceMapping.tables.first(where: { $0.kind == .external(table: owner, column: origin) }),
                taken.insert(old.name).inserted
            {
                existingTable = old
            }
            return ExternalTablePlan(
                table: table,
                existingTable: existingTable,
                newName: newName(of: table, replacing: existingTable),
                bytes: bytes,
                fill: fill,
                mayDangle: bytes.contains { !entitiesWithBytes($0).isSubset(of: owners) },
                causes: columnPlan.causes
            )
        }
    }

    /// The old entities that have bytes in a place.
    private func entitiesWithBytes(_ place: ExternalTablePlan.Bytes) -> Set<String> {
        let owners = sourceMapping.entities.filter { entity in
            match.source.entity(named: entity.entityName)?.isAbstract == false
                && entity.attributes.contains { attribute in
                    attribute.externalTableName == place.table
                        || entity.tableName == place.table && attribute.columnName == place.column
                }
        }
        return Set(owners.map(\.entityName))
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
    /// The table that a column refers to.
    func reference(of columnName: String) -> String? { columns.first { $0.name == columnName }?.references }
}
