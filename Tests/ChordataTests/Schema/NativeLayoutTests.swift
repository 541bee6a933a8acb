import ChordataModel
import ChordataSQL
import ChordataTestStores
import ChordataTestSupport
import Testing

@testable import Chordata

/// The tables and columns of a model whose names collide, without a visible effect.
///
/// See `makeSchemaMapping(of:)` for the rules.
@Suite(.onlySQLite(.engine))
struct NativeLayoutTests {
    private static func attribute(_ name: String, _ type: AttributeType = .string) -> AttributeDescription {
        AttributeDescription(name: name, attributeType: type, isOptional: true)
    }

    private static func toOne(_ name: String, _ destination: String, _ inverse: String) -> RelationshipDescription {
        RelationshipDescription(name: name, destinationEntityName: destination, inverseName: inverse)
    }

    private static func toMany(
        _ name: String,
        _ destination: String,
        _ inverse: String?,
        isOrdered: Bool = false
    ) -> RelationshipDescription {
        RelationshipDescription(
            name: name,
            destinationEntityName: destination,
            inverseName: inverse,
            isToMany: true,
            isOrdered: isOrdered
        )
    }

    /// Names that SQLite considers equal, names that begin like those of Chordata and SQLite, names that the rules
    /// generate, and sibling entities with equal names.
    private static let definition = Result {
        ModelDefinition(
            name: "Clashes",
            versionName: "1",
            model: try ManagedObjectModel(entities: [
                EntityDescription(
                    name: "Item",
                    attributes: [
                        "name", "Name", "NAME_Item", "_id", "_version", "_entity", "property_id", "sqlite_rank",
                    ].map { attribute($0) }
                ),
                EntityDescription(
                    name: "Apple",
                    superentityName: "Item",
                    attributes: ["color", "color_Berry", "size"].map { attribute($0) },
                    relationships: [toOne("box", "Box", "apples"), toMany("tags", "_Tag", "apples")]
                ),
                EntityDescription(
                    name: "Berry",
                    superentityName: "Item",
                    attributes: [attribute("color", .integer64), attribute("COLOR"), attribute("size")],
                    relationships: [toOne("box", "Box", "berries"), toMany("tags", "_Tag", "berries")]
                ),
                EntityDescription(
                    name: "Box",
                    attributes: [attribute("label")],
                    relationships: [
                        toMany("apples", "Apple", "box"), toMany("berries", "Berry", "box", isOrdered: true),
                    ]
                ),
                EntityDescription(
                    name: "_Tag",
                    attributes: [attribute("label")],
                    relationships: [toMany("apples", "Apple", "tags"), toMany("berries", "Berry", "tags")]
                ),
                EntityDescription(name: "entity_Tag", attributes: [attribute("label")]),
                EntityDescription(name: "ITEM", attributes: [attribute("label")]),
                EntityDescription(name: "item", attributes: [attribute("label")]),
                EntityDescription(name: "apple_tags", attributes: [attribute("label")]),
                EntityDescription(name: "_metadata", attributes: [attribute("label")]),
                EntityDescription(name: "sqlite_master", attributes: [attribute("label")]),
                EntityDescription(name: "SQLite_Stat", attributes: [attribute("label")]),
            ])
        )
    }

    private func withContainer(_ body: (PersistentContainer) throws -> Void) throws {
        try withStorePath { path in
            try body(try Self.definition.get().testContainer(at: path))
        }
    }

    private func names(_ sql: String, _ container: PersistentContainer) throws -> [String] {
        let store = try #require(container.persistentStoreCoordinator.persistentStores.first)
        return try store.sqlite.read { connection in
            let statement = try connection.prepare(sql)
            var names: [String] = []
            while try statement.step() { names.append(statement.text(at: 0) ?? "NULL") }
            return names
        }
    }

    private func columns(_ table: String, _ container: PersistentContainer) throws -> [String] {
        try names("SELECT name FROM pragma_table_info('\(table)')", container)
    }

    @Test func tablesAndColumns() throws {
        try withContainer { container in
            let mapping = try #require(container.persistentStoreCoordinator.persistentStores.first).schema.mapping
            let tables = Dictionary(uniqueKeysWithValues: mapping.entities.map { ($0.entityName, $0.tableName) })
            expectEqual(
                tables,
                [
                    "ITEM": "ITEM", "Item": "Item_2", "item": "item_3", "Apple": "Item_2", "Berry": "Item_2",
                    "Box": "Box",
                    "_Tag": "entity_Tag", "entity_Tag": "entity_Tag_2", "apple_tags": "apple_tags",
                    "_metadata": "entity_metadata", "sqlite_master": "entity_sqlite_master",
                    "SQLite_Stat": "entity_SQLite_Stat",
                ]
            )
            let all = "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY lower(name)"
            expectEqual(
                try names(all, container),
                [
                    "_metadata", "_migration", "_sequence", "apple_tags", "Apple_tags_2", "Berry_tags", "Box",
                    "entity_metadata", "entity_sqlite_master", "entity_SQLite_Stat", "entity_Tag", "entity_Tag_2",
                    "ITEM",
                    "Item_2", "item_3",
                ]
            )
            expectEqual(
                try columns("Item_2", container),
                [
                    "_id", "_version", "_entity",
                    // The columns of the entity nearest to the root.
                    "name_Item_2", "Name", "NAME_Item", "property_id", "property_version", "property_entity",
                    "property_id_Item", "sqlite_rank",
                    // The columns of the sibling whose name comes first.
                    "color", "color_Berry", "size", "box",
                    // The columns of the other sibling, whose preferred names are taken, also by a property's own name.
                    "color_Berry_3", "COLOR_Berry_2", "size_Berry", "box_Berry", "_order_box_Berry",
                ]
            )
            for (table, entity) in [("Apple_tags_2", "Item_2"), ("Berry_tags", "Item_2")] {
                expectEqual(try columns(table, container), ["source", "destination"])
                let destinations = "SELECT \"table\" FROM pragma_foreign_key_list('\(table)') ORDER BY \"from\""
                expectEqual(try names(destinations, container), ["entity_Tag", entity])
            }
            // No two indexes have the same name.
            let indexes = "SELECT lower(name) FROM sqlite_schema WHERE type = 'index' AND sql NOT NULL"
            let found = try names(indexes, container)
            #expect(Set(found).count == found.count && !found.isEmpty)
        }
    }

    @Test func theOrderOfTheModelChangesNoName() throws {
        let model = try Self.definition.get().model
        let reversed = try ManagedObjectModel(
            entities: model.entities.reversed().map { entity in
                EntityDescription(
                    name: entity.name,
                    superentityName: entity.superentityName,
                    attributes: entity.declaredAttributes.reversed(),
                    relationships: entity.declaredRelationships.reversed()
                )
            }
        )
        func columns(_ model: ManagedObjectModel) -> [String: String] {
            var columns: [String: String] = [:]
            for entity in makeSchemaMapping(of: model).entities {
                for attribute in entity.attributes {
                    let name = "\(entity.entityName).\(attribute.path.joined(separator: "."))"
                    columns[name] = "\(entity.tableName).\(attribute.columnName)"
                }
            }
            return columns
        }
        expectEqual(columns(model), columns(reversed))
        expectEqual(columns(model)["Item.name"], "Item_2.name_Item_2")
    }

    private static let keysOfItem = [
        "name", "Name", "NAME_Item", "_id", "_version", "_entity", "property_id", "sqlite_rank",
    ]
    private static let keysOfApple = keysOfItem + ["color", "color_Berry", "size"]
    private static let keysOfBerry = keysOfItem + ["COLOR", "size"]

    /// A store with an object of each entity, whose values are the names of their properties; the berry's `color` is 7.
    private func withObjects(_ body: (PersistentContainer) throws -> Void) throws {
        try withContainer { container in
            let context = container.newContext()
            func insert(_ name: String, _ keys: [String]) -> ManagedObject {
                let object = EntityDescription.insertNewObject(forEntityName: name, into: context)
                for key in keys { object.setValue("\(name) \(key)", forKey: key) }
                return object
            }
            let (apple, berry) = (insert("Apple", Self.keysOfApple), insert("Berry", Self.keysOfBerry))
            berry.setValue(7, forKey: "color")
            let second = insert("Berry", [])
            _ = insert("Item", Self.keysOfItem)
            let names = [
                "_Tag", "entity_Tag", "ITEM", "item", "apple_tags", "_metadata", "sqlite_master", "SQLite_Stat",
            ]
            let others = names.map { insert($0, ["label"]) }
            let box = insert("Box", ["label"])
            apple.setValue(box, forKey: "box")
            box.setValue([second, berry], forKey: "berries")
            for object in [apple, berry] { object.setValue([others[0]], forKey: "tags") }
            try context.save()
            try body(container)
        }
    }

    private func fetch(_ name: String, _ context: ManagedObjectContext, _ format: String = "TRUEPREDICATE") throws
        -> [ManagedObject]
    {
        try context.fetch(try FetchRequest<ManagedObject>(entityName: name).where(format: format))
    }

    @Test func valuesComeBack() throws {
        try withObjects { container in
            let context = container.newContext()
            for (name, keys) in [("Apple", Self.keysOfApple), ("Berry", Self.keysOfBerry)] {
                let object = try #require(try fetch(name, context, "_id != nil").first)
                for key in keys { #expect(object.value(forKey: key) as? String == "\(name) \(key)") }
            }
            #expect(try fetch("Berry", context, "color = 7").first?.value(forKey: "color") as? Int64 == 7)
            expectEqual(try fetch("Item", context).count, 4)
            for name in [
                "_Tag", "entity_Tag", "ITEM", "item", "apple_tags", "_metadata", "sqlite_master", "SQLite_Stat",
            ] {
                #expect(try fetch(name, context).map { $0.value(forKey: "label") as? String } == ["\(name) label"])
            }
            // Changes are written to the right columns, too.
            let apple = try #require(try fetch("Apple", context).first)
            for key in ["name", "Name", "_id", "color"] { apple.setValue("new \(key)", forKey: key) }
            try context.save()
            let found = try #require(try fetch("Apple", container.newContext()).first)
            for key in Self.keysOfApple {
                let isNew = ["name", "Name", "_id", "color"].contains(key)
                #expect(found.value(forKey: key) as? String == (isNew ? "new \(key)" : "Apple \(key)"))
            }
        }
    }

    @Test func predicatesAndSortsFindTheirColumns() throws {
        try withObjects { container in
            let context = container.newContext()
            for (name, keys) in [("Apple", Self.keysOfApple), ("Berry", Self.keysOfBerry), ("Item", Self.keysOfItem)] {
                for key in keys {
                    var request = FetchRequest<ManagedObject>(entityName: name).where(
                        try FetchPredicate(format: "%K == %@", key, "\(name) \(key)")
                    )
                    expectEqual(try context.fetch(request).count, 1, "\(name) \(key)")
                    request = try request.where(format: "%K == %@", key, "\(name) \(key.uppercased())")
                    expectEqual(try context.count(for: request), key == key.uppercased() ? 1 : 0, "\(name) \(key)")
                }
            }
            expectEqual(try fetch("Box", context, "ANY berries.color = 7").count, 1)
            expectEqual(
                try fetch("Box", context, "ANY berries.COLOR = 'Berry COLOR' AND ANY apples.color BEGINSWITH 'Apple'")
                    .count,
                1
            )
            expectEqual(
                try fetch("Apple", context, "box.label = 'Box label' AND ANY tags.label = '_Tag label'").count,
                1
            )
            expectEqual(try fetch("_Tag", context, "ANY berries.size = 'Berry size' AND apples.@count = 1").count, 1)
            let request = FetchRequest<ManagedObject>(entityName: "Item")
            let sorted = try context.fetch(request.sorted(by: SortKey("property_id", order: .descending)))
            let names = sorted.map { $0.value(forKey: "property_id") as? String }
            expectEqual(names, ["Item property_id", "Berry property_id", "Apple property_id", nil])
        }
    }

    @Test func relationshipsFindTheirColumns() throws {
        try withObjects { container in
            for paths in [[], ["apples", "berries"], ["apples.tags", "berries.tags"]] {
                let context = container.newContext()
                var request = FetchRequest<ManagedObject>(entityName: "Box")
                request.relationshipKeyPathsForPrefetching = paths
                let box = try #require(try context.fetch(request).first)
                expectEqual(context.registeredObjects.count, paths.isEmpty ? 1 : paths[0] == "apples" ? 4 : 5)
                let apples = try #require(box.value(forKey: "apples") as? Set<ManagedObject>)
                #expect(apples.map { $0.value(forKey: "color") as? String } == ["Apple color"])
                let berries = box.mutableSetValue(forKey: "berries").allObjects
                #expect(berries.map { $0.value(forKey: "name") as? String } == [nil, "Berry name"])
                #expect(berries.map { $0.value(forKey: "color") as? Int64 } == [nil, 7])
                let tag = try #require(try fetch("_Tag", context).first)
                #expect(tag.value(forKey: "apples") as? Set<ManagedObject> == apples)
                #expect(tag.value(forKey: "berries") as? Set<ManagedObject> == [berries[1]])
                #expect(apples.first?.value(forKey: "box") as? ManagedObject === box)
                #expect(berries.allSatisfy { $0.value(forKey: "box") as? ManagedObject === box })
            }
        }
    }
}
