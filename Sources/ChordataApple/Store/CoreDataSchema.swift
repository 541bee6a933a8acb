internal import ChordataModel

/// A property of an entity of a model.
struct PropertyPath: Sendable, Hashable {
    var entityName: String
    /// The name of the property; for an element of a composite, the names from the attribute down.
    var names: [String]

    init(_ entityName: String, _ names: [String]) {
        self.entityName = entityName
        self.names = names
    }
}

/// The tables in which Core Data stores the objects of a model.
///
/// Core Data documents none of this. The rules were found in 168 stores of iOS 3 to iOS 17 and predict the tables of
/// all of them for which the model is known, except for names of entities that a migration left behind.
struct CoreDataSchema: Sendable {
    struct Column: Sendable, Hashable {
        var name: String
        /// The type in the CREATE TABLE statement.
        var type: String
    }

    struct Table: Sendable, Hashable {
        var name: String
        var columns: [Column]
        /// A Boolean value that indicates whether the table has the pairs of a relationship instead of objects.
        var isJoinTable: Bool
    }

    struct Index: Sendable {
        var name: String
        var table: String
        /// The columns, each with a Boolean value that indicates whether it is in ascending order.
        var columns: [(name: String, isAscending: Bool)]
        var isUnique: Bool
    }

    /// The location of a property's value in the rows of its entity.
    struct Place: Sendable, Hashable {
        var table: String
        var column: String
        /// For a to-one relationship to an entity with subentities: the column of the number of the object's entity.
        var entityColumn: String?
        /// For a to-one relationship whose inverse is ordered, and for a to-many without an inverse that is ordered:
        /// the column of the row's position among the rows that reference the same object.
        var orderColumn: String?
    }

    /// The table of the pairs of a many-to-many relationship.
    struct Pairs: Sendable, Hashable {
        var table: String
        /// The column of the primary keys of the objects that have the relationship.
        var sourceColumn: String
        /// The column of the primary keys of their members.
        var destinationColumn: String
        /// The column of a member's position among the members of its object, if the relationship is ordered.
        var orderColumn: String?
        /// The column of an object's position among the objects of its member, if the inverse relationship is ordered.
        var inverseOrderColumn: String?
        /// The inverse relationship, which may be the relationship itself.
        var inverse: PropertyPath
    }

    let model: ManagedObjectModel
    /// The entities in the order of their numbers, which begin with 1.
    let entityNames: [String]
    let entityNumbers: [String: Int]
    /// The tables of the root entities, then the join tables of the many-to-many relationships.
    private(set) var tables: [Table] = []
    private(set) var indexes: [Index] = []
    /// The locations of attributes and of to-one relationships, by the entity that declares them.
    private(set) var places: [PropertyPath: Place] = [:]
    /// The locations of to-many relationships without an inverse, in the rows of their members.
    private(set) var memberPlaces: [PropertyPath: Place] = [:]
    /// The pairs of many-to-many relationships, by the side that names the table.
    private(set) var pairs: [PropertyPath: Pairs] = [:]
    /// The relationships between an entity and itself for which the model does not determine the side that names the
    /// table.
    private(set) var ambiguousRelationships: [(entityName: String, first: String, second: String)] = []

    /// - Parameter tableNames: The names of the store's tables; they decide only what the model leaves open.
    init(of model: ManagedObjectModel, tableNames: Set<String> = []) {
        self.model = model
        let roots = model.entities.filter { $0.superentityName == nil }.map(\.name).sorted(by: Self.isOrdered)
        let names = roots.flatMap { Self.closure(of: $0, in: model) }
        entityNames = names
        entityNumbers = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0 + 1) })
        for root in roots { addTable(ofRoot: root) }
        addJoinTables(tableNames)
        addIndexes(roots)
    }

    // MARK: Names

    /// Returns a Boolean value that indicates whether an entity is numbered before another one; case is ignored.
    static func isOrdered(_ first: String, _ second: String) -> Bool {
        (first.lowercased(), first) < (second.lowercased(), second)
    }

    /// Returns an entity and all its subentities: each entity before its subentities, and siblings in the order of
    /// their numbers.
    private static func closure(of name: String, in model: ManagedObjectModel) -> [String] {
        var closure: [String] = []
        var pending = [name]
        while let next = pending.popLast() {
            closure.append(next)
            pending += (model.entity(named: next)?.subentityNames ?? []).sorted(by: isOrdered).reversed()
        }
        return closure
    }

    func closure(of name: String) -> [String] { Self.closure(of: name, in: model) }

    /// Returns the numbers of an entity and all its subentities.
    func numbers(below name: String) -> [Int] { closure(of: name).compactMap { entityNumbers[$0] } }

    static func tableName(ofRoot name: String) -> String { "Z" + name.uppercased() }

    /// Returns the table with the rows of an entity.
    func tableName(of entityName: String) -> String {
        Self.tableName(ofRoot: model.entity(named: entityName)?.rootEntityName ?? entityName)
    }

    // MARK: Properties

    /// Returns the attributes that an entity declares and that have a column, sorted by name, with the elements of
    /// composites in place of the composites.
    private func storedAttributes(of entity: EntityDescription) -> [(path: [String], attribute: AttributeDescription)] {
        func leaves(_ attribute: AttributeDescription, _ path: [String]) -> [([String], AttributeDescription)] {
            guard !attribute.isTransient, attribute.attributeType != .undefined, attribute.attributeType != .objectID
            else { return [] }
            let path = path + [attribute.name]
            guard attribute.attributeType == .composite else { return [(path, attribute)] }
            return attribute.elements.sorted { $0.name < $1.name }.flatMap { leaves($0, path) }
        }
        let inherited = inheritedNames(of: entity)
        return entity.declaredAttributes.filter { !inherited.contains($0.name) }.sorted { $0.name < $1.name }
            .flatMap { leaves($0, []) }
    }

    /// Returns the relationships that an entity declares and that are stored, sorted by name.
    func storedRelationships(of entity: EntityDescription) -> [RelationshipDescription] {
        let inherited = inheritedNames(of: entity)
        return entity.declaredRelationships.filter {
            !inherited.contains($0.name) && !$0.isTransient && model.entity(named: $0.destinationEntityName) != nil
        }
        .sorted { $0.name < $1.name }
    }

    private func inheritedNames(of entity: EntityDescription) -> Set<String> {
        var names: Set<String> = []
        var ancestor = entity.superentityName.flatMap { model.entity(named: $0) }
        while let current = ancestor {
            names.formUnion(current.declaredAttributes.map(\.name))
            names.formUnion(current.declaredRelationships.map(\.name))
            ancestor = current.superentityName.flatMap { model.entity(named: $0) }
        }
        return names
    }

    /// Returns a relationship that an entity declares or inherits, and the entity that declares it.
    func declaration(of name: String, in entityName: String) -> (
        entityName: String, relationship: RelationshipDescription
    )? {
        var current = model.entity(named: entityName)
        while let entity = current {
            if let found = entity.declaredRelationships.first(where: { $0.name == name }) {
                return (entity.name, found)
            }
            current = entity.superentityName.flatMap { model.entity(named: $0) }
        }
        return nil
    }

    func inverse(of relationship: RelationshipDescription) -> (
        entityName: String, relationship: RelationshipDescription
    )? {
        relationship.inverseName.flatMap { declaration(of: $0, in: relationship.destinationEntityName) }
    }

    // MARK: Tables of entities

    /// The columns of a table are in the order of these groups.
    private enum Group: Int {
        case integer, order, real, decimal, string, uri, uuid, transformable, binary
    }

    private static func columnType(of type: AttributeType) -> (type: String, group: Group)? {
        switch type {
        case .integer16, .integer32, .integer64, .boolean: ("INTEGER", .integer)
        case .date: ("TIMESTAMP", .real)
        case .double, .float: ("FLOAT", .real)
        case .decimal: ("DECIMAL", .decimal)
        case .string: ("VARCHAR", .string)
        case .uri: ("VARCHAR", .uri)
        case .uuid: ("BLOB", .uuid)
        case .transformable: ("BLOB", .transformable)
        case .binaryData: ("BLOB", .binary)
        case .undefined, .objectID, .composite: nil
        }
    }

    private mutating func addTable(ofRoot root: String) {
        let table = Self.tableName(ofRoot: root)
        var columns: [(group: Group, column: Column)] = []
        var used: Set = ["Z_PK", "Z_ENT", "Z_OPT"]
        /// Reserves a name, with a number if an earlier property uses it.
        func claim(_ name: String) -> String {
            var (claimed, number) = (name, 0)
            while !used.insert(claimed).inserted {
                number += 1
                claimed = name + "\(number)"
            }
            return claimed
        }
        var orders: [Column] = []
        for name in closure(of: root) {
            guard let entity = model.entity(named: name) else { continue }
            for (path, attribute) in storedAttributes(of: entity) {
                guard let (type, group) = Self.columnType(of: attribute.attributeType) else { continue }
                let column = claim("Z" + path.joined(separator: "_").uppercased())
                columns.append((group, Column(name: column, type: type)))
                places[PropertyPath(name, path)] = Place(table: table, column: column)
            }
            for relationship in storedRelationships(of: entity) where !relationship.isToMany {
                let column = claim("Z" + relationship.name.uppercased())
                var place = Place(table: table, column: column)
                columns.append((.integer, Column(name: column, type: "INTEGER")))
                let destination = relationship.destinationEntityName
                if model.entity(named: destination)?.subentityNames.isEmpty == false {
                    let entityColumn = "Z\(entityNumbers[destination] ?? 0)_\(column.dropFirst())"
                    columns.append((.integer, Column(name: entityColumn, type: "INTEGER")))
                    place.entityColumn = entityColumn
                }
                if let inverse = inverse(of: relationship)?.relationship, inverse.isToMany, inverse.isOrdered {
                    let order = "Z_FOK_\(column.dropFirst())"
                    orders.append(Column(name: order, type: "INTEGER"))
                    place.orderColumn = order
                }
                places[PropertyPath(name, [relationship.name])] = place
            }
        }
        columns += orders.map { (.order, $0) }
        // The rows of a to-many relationship's members have the key of their object if there is no inverse.
        for owner in entityNames {
            guard let entity = model.entity(named: owner) else { continue }
            for relationship in storedRelationships(of: entity)
            where relationship.isToMany && relationship.inverseName == nil
                && model.entity(named: relationship.destinationEntityName)?.rootEntityName == root
            {
                let name = "\(entityNumbers[owner] ?? 0)\(relationship.name.uppercased())"
                let column = claim("Z" + name)
                columns.append((.integer, Column(name: column, type: "INTEGER")))
                var place = Place(table: table, column: column)
                if relationship.isOrdered {
                    place.orderColumn = "Z_FOK_" + name
                    columns.append((.order, Column(name: "Z_FOK_" + name, type: "INTEGER")))
                }
                memberPlaces[PropertyPath(owner, [relationship.name])] = place
            }
        }
        let ordered = columns.enumerated()
            .sorted { ($0.element.group.rawValue, $0.offset) < ($1.element.group.rawValue, $1.offset) }
        let system = ["Z_PK", "Z_ENT", "Z_OPT"].map { Column(name: $0, type: "INTEGER") }
        tables.append(Table(name: table, columns: system + ordered.map(\.element.column), isJoinTable: false))
    }

    // MARK: Tables of pairs

    private mutating func addJoinTables(_ tableNames: Set<String>) {
        var done: Set<PropertyPath> = []
        var uses: [String: Int] = [:]
        func claim(_ name: String) -> String {
            let number = uses[name, default: 0]
            uses[name] = number + 1
            return number == 0 ? name : name + "\(number)"
        }
        // The side that comes first names the table. Entities are visited by name, each with its inherited
        // relationships.
        for name in entityNames.sorted(by: Self.isOrdered) {
            var lineage: [EntityDescription] = []
            var current = model.entity(named: name)
            while let entity = current {
                lineage.append(entity)
                current = entity.superentityName.flatMap { model.entity(named: $0) }
            }
            for entity in lineage.reversed() {
                for relationship in storedRelationships(of: entity).reversed() where relationship.isToMany {
                    guard let inverse = inverse(of: relationship), inverse.relationship.isToMany,
                        done.insert(PropertyPath(entity.name, [relationship.name])).inserted
                    else { continue }
                    done.insert(PropertyPath(inverse.entityName, [inverse.relationship.name]))
                    addJoinTable((entity.name, relationship), inverse, tableNames, claim)
                }
            }
        }
    }

    private typealias Side = (entityName: String, relationship: RelationshipDescription)

    private mutating func addJoinTable(
        _ first: Side,
        _ second: Side,
        _ tableNames: Set<String>,
        _ claim: (String) -> String
    ) {
        var (side, inverse) = (first, second)
        let isReflexive = side.entityName == inverse.entityName && side.relationship.name == inverse.relationship.name
        func prefix(_ side: Side) -> String { "Z_\(entityNumbers[side.entityName] ?? 0)" }
        if side.entityName == inverse.entityName, !isReflexive {
            ambiguousRelationships.append((side.entityName, side.relationship.name, inverse.relationship.name))
            if tableNames.contains(prefix(inverse) + inverse.relationship.name.uppercased()) {
                (side, inverse) = (inverse, side)
            }
        }
        let table = prefix(side) + side.relationship.name.uppercased()
        let sourceColumn = isReflexive ? "REFLEXIVE" : claim(prefix(side) + inverse.relationship.name.uppercased())
        let destinationColumn = claim(prefix(inverse) + side.relationship.name.uppercased())
        var pairs = Pairs(
            table: table,
            sourceColumn: sourceColumn,
            destinationColumn: destinationColumn,
            inverse: PropertyPath(inverse.entityName, [inverse.relationship.name])
        )
        let keys = isReflexive ? [destinationColumn, sourceColumn] : [sourceColumn, destinationColumn]
        var columns = keys.map { Column(name: $0, type: "INTEGER") }
        if inverse.relationship.isOrdered, !isReflexive {
            pairs.inverseOrderColumn = "Z_FOK_\(sourceColumn.dropFirst(2))"
        }
        if side.relationship.isOrdered { pairs.orderColumn = "Z_FOK_\(destinationColumn.dropFirst(2))" }
        columns += [pairs.inverseOrderColumn, pairs.orderColumn].compactMap { $0 }
            .map { Column(name: $0, type: "INTEGER") }
        tables.append(Table(name: table, columns: columns, isJoinTable: true))
        self.pairs[PropertyPath(side.entityName, [side.relationship.name])] = pairs
    }
}

// MARK: Indexes

extension CoreDataSchema {
    private mutating func addIndexes(_ roots: [String]) {
        for root in roots {
            let closure = closure(of: root)
            for name in closure {
                guard let entity = model.entity(named: name) else { continue }
                addIndexes(of: entity)
            }
            if closure.count > 1 {
                let table = Self.tableName(ofRoot: root)
                addIndex("\(table)_Z_ENT_INDEX", table, ["Z_ENT"])
            }
        }
        for place in memberPlaces.values.sorted(by: { ($0.table, $0.column) < ($1.table, $1.column) }) {
            addIndex("\(place.table)_\(place.column)_INDEX", place.table, [place.column])
        }
        for table in tables where table.isJoinTable {
            let (first, second) = (table.columns[0].name, table.columns[1].name)
            addIndex("\(table.name)_\(second)_INDEX", table.name, [second, first])
        }
    }

    private mutating func addIndex(_ name: String, _ table: String, _ columns: [String], isUnique: Bool = false) {
        indexes.append(Index(name: name, table: table, columns: columns.map { ($0, true) }, isUnique: isUnique))
    }

    /// Returns the column of a property that an entity declares or inherits.
    func column(of property: String, in entityName: String) -> String? {
        var current = model.entity(named: entityName)
        while let entity = current {
            if let place = places[PropertyPath(entity.name, [property])] { return place.column }
            current = entity.superentityName.flatMap { model.entity(named: $0) }
        }
        return nil
    }

    private mutating func addIndexes(of entity: EntityDescription) {
        let table = tableName(of: entity.name)
        for relationship in storedRelationships(of: entity) {
            guard let place = places[PropertyPath(entity.name, [relationship.name])] else { continue }
            addIndex("\(table)_\(place.column)_INDEX", table, [place.column])
        }
        for index in entity.declaredIndexes {
            let names = index.elements.map(\.propertyName)
            // The index on the relationship's key serves the same purpose.
            if names.count == 1, declaration(of: names[0], in: entity.name) != nil { continue }
            // The form of the other indexes depends on the version of Core Data.
            guard !index.elements.contains(where: { $0.collationType == .rTree }),
                index.name != "by_" + names.joined(separator: "_")
            else { continue }
            let columns = index.elements.compactMap { element in
                column(of: element.propertyName, in: entity.name).map { (name: $0, isAscending: element.isAscending) }
            }
            guard columns.count == names.count else { continue }
            indexes.append(
                Index(name: "Z_\(entity.name)_\(index.name)", table: table, columns: columns, isUnique: false)
            )
        }
        for constraint in entity.declaredUniquenessConstraints {
            let columns = constraint.compactMap { column(of: $0, in: entity.name) }
            guard columns.count == constraint.count else { continue }
            addIndex("Z_\(entity.name)_UNIQUE_\(constraint.joined(separator: "_"))", table, columns, isUnique: true)
        }
    }
}
