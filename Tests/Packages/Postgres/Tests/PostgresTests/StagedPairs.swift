import ChordataModel
import Foundation
import Testing

@testable @_spi(Generated) import Chordata

// Pairs of versions whose step needs code of the program.
extension MigrationPair {
    static func custom(
        willMigrate: (@Sendable (MigrationContext) throws -> Void)? = nil,
        didMigrate: (@Sendable (MigrationContext) throws -> Void)? = nil
    ) -> MigrationStage {
        .custom(from: "M 1", to: "M 2", willMigrate: willMigrate, didMigrate: didMigrate)
    }

    func staged(by stages: MigrationStage...) -> MigrationPair {
        var pair = self
        pair.stages = stages
        return pair
    }

    private static func renamed(_ relationship: RelationshipDescription, from name: String) -> RelationshipDescription {
        var relationship = relationship
        relationship.renamingIdentifier = name
        return relationship
    }

    private static func all(_ entity: String, of migration: MigrationContext) throws -> [ManagedObject] {
        try migration.objects.fetch(FetchRequest<ManagedObject>(entityName: entity).sorted(by: SortKey("title")))
    }

    /// A name is split into two, a text becomes a number, one of several teams is kept, and `kind` is removed.
    static let splitNames = MigrationPair(
        "split names",
        [
            EntityDescription(
                name: "Person",
                attributes: [attribute("title", .string), attribute("age", .string), attribute("kind", .uuid)],
                relationships: [toMany("teams", "Team", "members")]
            ),
            EntityDescription(
                name: "Team",
                attributes: [attribute("title", .string)],
                relationships: [toMany("members", "Person", "teams"), toOne("captain", "Person", nil)]
            ),
        ],
        [
            EntityDescription(
                name: "Person",
                attributes: [
                    attribute("title", .string), attribute("lastName", .string, required: true),
                    attribute("age", .integer16), attribute("note", .string),
                ],
                relationships: [renamed(toOne("team", "Team", "people"), from: "teams")],
                uniquenessConstraints: [["lastName"]]
            ),
            EntityDescription(
                name: "Team",
                attributes: [attribute("title", .string)],
                relationships: [
                    renamed(toMany("people", "Person", "team"), from: "members"), toOne("captain", "Person", nil),
                ]
            ),
        ],
        [
            ("Person", ["title": .string("Ada Byron"), "age": .string("36"), "kind": .uuid(UUID(uuid: uuid))], [:]),
            ("Person", ["title": .string("Bob O'Neill"), "age": .string("?")], [:]),
            ("Person", ["title": .string("Cy Young")], [:]), ("Person", ["title": .string("Di Zorn")], [:]),
            ("Team", ["title": .string("a")], ["captain": 0]), ("Team", ["title": .string("b")], ["captain": 3]),
        ]
    ).staged(
        by: custom(
            willMigrate: { migration in
                let people = try all("Person", of: migration)
                let teams = try all("Team", of: migration)
                for person in people.prefix(2) {
                    for team in teams { person.mutableSetValue(forKey: "teams").add(team) }
                }
                people[2].mutableSetValue(forKey: "teams").add(teams[1])
                let new = migration.objects.insert("Person", ["title": "Eve Adams", "age": "7"])
                new.mutableSetValue(forKey: "teams").add(teams[0])
                try migration.objects.save()
                // A row that others reference.
                migration.objects.delete(people[3])
                #expect(throws: StoreError.self) { try migration.previousValue(forKey: "age", of: people[0]) }
            },
            didMigrate: { migration in
                for person in try all("Person", of: migration) {
                    let title = person.value(forKey: "title") as? String ?? ""
                    person.setValue(title.split(separator: " ").last.map(String.init), forKey: "lastName")
                    let age = try migration.previousValue(forKey: "age", of: person) as? String
                    person.setValue(age.flatMap { Int16($0) }, forKey: "age")
                    let kind = try migration.previousValue(forKey: "kind", of: person) as? UUID
                    let titles = try migration.previousValue(forKey: "teams.title", of: person) as? [Any] ?? []
                    let texts = titles.compactMap { $0 as? String }.sorted()
                    person.setValue("\(kind?.uuidString ?? "none") \(texts)", forKey: "note")
                    let teams = try migration.previousValue(forKey: "teams", of: person) as? [ManagedObjectID] ?? []
                    let objects = try teams.map { try migration.objects.existingObject(with: $0) }
                    let last = objects.max {
                        ($0.value(forKey: "title") as? String ?? "") < ($1.value(forKey: "title") as? String ?? "")
                    }
                    person.setValue(last, forKey: "team")
                }
            }
        )
    )

    private static let uuid: uuid_t = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)

    /// Objects of a removed entity, their external data and their order become objects of another one.
    static let removedEntity = MigrationPair(
        "removed entity",
        [
            EntityDescription(
                name: "Box",
                attributes: [attribute("title", .string)],
                relationships: [toMany("parts", "Part", "box", ordered: true)]
            ),
            EntityDescription(
                name: "Part",
                attributes: [
                    attribute("title", .string), attribute("photo", .binaryData, external: true),
                    attribute("weight", .decimal), attribute("isNew", .boolean), attribute("made", .date),
                ],
                relationships: [toOne("box", "Box", "parts")]
            ), EntityDescription(name: "BigPart", superentityName: "Part", attributes: [attribute("size", .double)]),
        ],
        [
            EntityDescription(
                name: "Box",
                attributes: [attribute("title", .string), attribute("contents", .string)]
            ), EntityDescription(name: "Label", attributes: [attribute("title", .string)]),
        ],
        [
            ("Box", ["title": .string("a")], [:]),
            (
                "Part",
                [
                    "title": .string("p"), "photo": .data(Data([1, 2])), "weight": .decimal(1.25),
                    "isNew": .boolean(true), "made": .date(Date(timeIntervalSinceReferenceDate: 1.5)),
                ], ["box": 0]
            ), ("BigPart", ["title": .string("q"), "size": .double(2)], ["box": 0]), ("Part", [:], [:]),
        ]
    ).staged(
        by: custom(didMigrate: { migration in
            let parts = try migration.previousObjects(ofEntity: "Part")
            for part in parts {
                let texts = part.keys.sorted().filter { $0 != "box" }.map { "\($0)=\(part[$0] ?? "nil")" }
                let box = part["box"] as? ManagedObjectID
                _ = migration.objects.insert("Label", ["title": "\(texts) \(box?.key ?? 0)"])
            }
            for box in try all("Box", of: migration) {
                let titles = try migration.previousValue(forKey: "parts.title", of: box) as? [Any] ?? []
                box.setValue("\(titles)", forKey: "contents")
            }
            #expect(throws: StoreError.self) { try migration.previousObjects(ofEntity: "Box") }
            #expect(throws: StoreError.self) { try migration.previousObjects(ofEntity: "Town") }
        })
    )

    /// Two stages, the second one in batches.
    static let batched = MigrationPair(
        "batched",
        item([attribute("title", .string), attribute("count", .integer32)])
            + [EntityDescription(name: "Kit", superentityName: "Item", attributes: [attribute("kind", .string)])],
        item([
            attribute("title", .string), attribute("count", .integer32), attribute("upper", .string, required: true),
            attribute("half", .double), attribute("price", .decimal), attribute("isEven", .boolean),
            attribute("since", .date), attribute("code", .uuid), attribute("page", .uri), attribute("size", .integer64),
        ]) + [EntityDescription(name: "Kit", superentityName: "Item", attributes: [attribute("kind", .string)])],
        (0..<23).map { number in
            (
                number % 3 == 0 ? "Kit" : "Item", ["title": .string("t\(number)"), "count": .integer(Int64(number))],
                [:]
            )
        }
    ).staged(by: batches(), custom(willMigrate: { _ in }))

    static func batches(
        size: Int = 5,
        _ willCompute: @escaping @Sendable (ManagedObject) throws -> Void = { _ in }
    ) -> MigrationStage {
        .batched(
            from: "M 1",
            to: "M 2",
            entityName: "Item",
            attributeNames: ["upper", "half", "price", "isEven", "since", "code", "page", "size"],
            batchSize: size
        ) { object in
            try willCompute(object)
            let count = object.value(forKey: "count") as? Int32 ?? 0
            let title = object.value(forKey: "title") as? String ?? ""
            return [
                "upper": title.uppercased(), "half": count % 5 == 0 ? nil : Double(count) / 2,
                "price": Decimal(count) / 4, "isEven": count % 2 == 0,
                "since": Date(timeIntervalSinceReferenceDate: Double(count)), "code": UUID(uuid: uuid),
                "page": URL(string: "https://example.org/\(count)"), "size": Int64(count) << 33,
            ]
        }
    }

    /// A step that changes only the type of an attribute, so that the same queries run before and after it.
    static let otherType = MigrationPair(
        "other type",
        item([attribute("title", .string), attribute("count", .string)]),
        item([attribute("title", .string), attribute("count", .integer32)]),
        [("Item", ["title": .string("a"), "count": .string("12")], [:]), ("Item", ["count": .string("x")], [:])]
    ).staged(
        by: custom(
            willMigrate: { migration in
                for _ in 0..<3 {
                    for item in try all("Item", of: migration) where item.value(forKey: "count") as? String == "x" {
                        item.setValue("7", forKey: "count")
                    }
                    _ = try migration.rows("SELECT \"count\" FROM \"Item\"")
                    migration.objects.reset()
                }
            },
            didMigrate: { migration in
                for item in try all("Item", of: migration) {
                    let count = try migration.previousValue(forKey: "count", of: item) as? String
                    item.setValue(count.flatMap { Int32($0) }, forKey: "count")
                }
                let counts = try migration.rows("SELECT \"count\" FROM \"Item\"")
                #expect(counts.count == 2)
            }
        )
    )

    /// Names that are too long or reserved on a server, or contain quotes.
    static let hostileNames = MigrationPair(
        "hostile names",
        [
            EntityDescription(
                name: longName,
                attributes: [
                    attribute("title", .string), attribute("xmin", .string), attribute(longName, .string),
                    attribute("data", .binaryData, external: true),
                ],
                relationships: [toMany("parts_" + longName, "pg_class", "whole", ordered: true)]
            ),
            EntityDescription(
                name: "pg_class",
                attributes: [attribute("title", .string), attribute("a$1", .string)],
                relationships: [toOne("whole", longName, "parts_" + longName)]
            ),
        ],
        [
            EntityDescription(
                name: longName,
                attributes: [
                    attribute("title", .string), attribute("xmin", .integer16), attribute(longName, .double),
                    attribute("note", .string),
                ]
            ),
            EntityDescription(
                name: "pg_class",
                attributes: [attribute("title", .string), attribute("a$1", .integer64)]
            ),
        ],
        [
            (
                longName,
                [
                    "title": .string("a"), "xmin": .string("5"), longName: .string("2.5"),
                    "data": .data(Data([3, 4])),
                ], [:]
            ), ("pg_class", ["title": .string("b"), "a$1": .string("6")], ["whole": 0]),
            ("pg_class", ["title": .string("c"), "a$1": .string("7")], ["whole": 0]),
        ]
    ).staged(
        by: custom(didMigrate: { migration in
            for object in try all(longName, of: migration) {
                func value(_ key: String) throws -> Any? { try migration.previousValue(forKey: key, of: object) }
                object.setValue((try value("xmin") as? String).flatMap { Int16($0) }, forKey: "xmin")
                object.setValue((try value(longName) as? String).flatMap { Double($0) }, forKey: longName)
                let titles = try value("parts_" + longName + ".title") as? [Any] ?? []
                object.setValue("\(try value("data") ?? "") \(titles)", forKey: "note")
            }
        }),
        .batched(
            from: "M 1",
            to: "M 2",
            entityName: "pg_class",
            attributeNames: ["a$1"],
            batchSize: 1
        ) { object in ["a$1": (object.value(forKey: "a$1") as? String).flatMap { Int64($0) }] }
    )

    private static let longName = String(repeating: "Aé", count: 40)

    static let allStaged = [splitNames, removedEntity, batched, otherType, hostileNames]
}
