internal import ChordataModel
internal import ChordataSQL

// What a program's stage needs: the values that the step itself does not carry over, and checks of what it has done.

extension MigrationPlanner {
    // MARK: Before

    /// Copies what the step drops or leaves empty into temporary tables, in which the stage looks it up.
    func puttingAside() -> [MigrationStep] {
        let columns = columnsAside()
        return sourceMapping.tables.compactMap { table in
            guard let names = columns[table.name], !names.isEmpty else { return nil }
            var keys: [String] = []
            if case .join = table.kind { keys = ["source", "destination"] } else { keys = ["_id"] }
            if table.hasEntityColumn { keys.append("_entity") }
            let all = keys + table.columns.map(\.name).filter { names.contains($0) && !keys.contains($0) }
            let list = all.map { quoteIdentifier($0) }.joined(separator: ", ")
            let name = quoteIdentifier(asideTableName(of: table.name))
            let isJoin = keys.first == "source"
            let declarations = all.map { $0 == "_id" ? "\"_id\" INTEGER PRIMARY KEY" : quoteIdentifier($0) }
            var statements = [
                "CREATE TEMP TABLE \(name) (\(declarations.joined(separator: ", ")))",
                "INSERT INTO temp.\(name) SELECT \(list) FROM \(quoteIdentifier(table.name))",
            ]
            // Stages ask for the rows that reference one.
            let references = table.columns.filter { $0.references != nil && names.contains($0.name) }.map(\.name)
            for key in isJoin ? keys : references {
                let index = quoteIdentifier(asideTableName(of: table.name) + "_" + key)
                statements.append("CREATE INDEX temp.\(index) ON \(name) (\(quoteIdentifier(key)))")
            }
            return MigrationStep(
                .putAside,
                table.name,
                statements,
                remark: "dropped data is kept until the stage has ended"
            )
        }
    }

    /// The columns that have what is not carried over as it is, by old table.
    private func columnsAside() -> [String: Set<String>] {
        var found: [String: Set<String>] = [:]
        for entity in sourceMapping.entities where match.source.entity(named: entity.entityName)?.isAbstract == false {
            // Removed entities keep only their keys.
            if match.destinationEntity(of: entity.entityName) == nil {
                found[entity.tableName, default: []].insert("_id")
            }
            for attribute in entity.attributes where !isCarried(attribute, of: entity.entityName) {
                found[entity.tableName, default: []].insert(attribute.columnName)
                if let side = attribute.externalTableName { found[side, default: []].insert("bytes") }
            }
            for relationship in entity.relationships where !isCarried(relationship.relationship, of: entity.entityName)
            {
                switch relationship.storage {
                case .column(let name): found[entity.tableName, default: []].formUnion([name, "_order_" + name])
                case .inverseColumn(let table, let name, _):
                    found[table, default: []].formUnion([name, "_order_" + name])
                case .joinTable(let table, _, _, _):
                    found[table, default: []].formUnion(["source", "destination", "_order", "_inverse_order"])
                }
            }
        }
        return found
    }

    private func isCarried(_ attribute: AttributeMapping, of entityName: String) -> Bool {
        guard let later = match.destinationEntity(of: entityName),
            let mapped = mapping.entity(named: later.name)?.attributes.first(where: { new in
                match.sourcePath(of: new.path, in: later.name) == attribute.path
            })
        else { return false }
        return attribute.attribute.attributeType == mapped.attribute.attributeType
    }

    private func isCarried(_ relationship: RelationshipDescription, of entityName: String) -> Bool {
        guard let later = match.destinationEntity(of: entityName),
            let new = later.relationships.first(where: { new in
                !new.isTransient
                    && match.sourceRelationship(named: new.name, of: later.name)?.name == relationship.name
            })
        else { return false }
        return new.isToMany == relationship.isToMany && new.isOrdered == relationship.isOrdered
            && destinations(of: relationship, in: new).lost.isEmpty
    }

    // MARK: Behind

    /// Checks behind the stage that all objects of an entity have a value.
    mutating func requireValues(of attribute: AttributeMapping, in entityName: String) {
        requireNone(
            "attribute '\(attribute.path.joined(separator: "."))' of '\(entityName)' is required, and the stage leaves objects "
                + "without a value",
            "\(quoteIdentifier(attribute.columnName)) IS NULL",
            of: entityName
        )
    }

    /// Checks behind the stage that an abstract entity has no objects.
    mutating func requireNoObjects(of entity: EntityDescription) {
        requireNone(
            "entity '\(entity.name)' is abstract, and the stage leaves objects of it",
            "TRUE",
            of: entity.name
        )
    }

    private mutating func requireNone(_ message: String, _ condition: String, of entityName: String) {
        guard isStage, let table = mapping.entity(named: entityName)?.tableName else { return }
        let isShared = mapping.table(named: table)?.hasEntityColumn == true
        let owner = isShared ? "\(self.condition([entityName])) AND " : ""
        stepsAfterStage.append(
            check(message, "EXISTS (SELECT 1 FROM \(quoteIdentifier(table)) WHERE \(owner)\(condition))", causes: [])
        )
    }
}
