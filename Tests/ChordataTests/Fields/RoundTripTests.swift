import ChordataTestStores
import ChordataTestSupport
import Foundation
import Testing

@testable import Chordata

/// Extreme values of every type, on every path between an object and the store: values are read as they were set, bit
/// by bit, except for −0.0, which is stored as 0.0.
struct RoundTripTests {
    struct TypeTable: Sendable, CustomTestStringConvertible {
        var type: AttributeType
        var values: [AttributeValue]
        var testDescription: String { type.rawValue }
    }

    private static func decimals(_ texts: String...) -> [AttributeValue] {
        texts.map { .decimal(Decimal(string: $0) ?? .nan) }
    }

    static let tables = [
        TypeTable(type: .integer16, values: [.min, -1, 0, 1, .max].map { (value: Int16) in .integer(Int64(value)) }),
        TypeTable(type: .integer32, values: [.min, -1, 0, 1, .max].map { (value: Int32) in .integer(Int64(value)) }),
        TypeTable(
            type: .integer64,
            values: [.min, -1, 0, 1, 9_007_199_254_740_993, .max].map { (value: Int64) in .integer(value) }
        ),
        TypeTable(type: .boolean, values: [.boolean(false), .boolean(true)]),
        TypeTable(
            type: .double,
            values: [
                0, -0.0, 0.1, .pi, .ulpOfOne, .greatestFiniteMagnitude, -.greatestFiniteMagnitude,
                .leastNonzeroMagnitude, .leastNormalMagnitude, .infinity, -.infinity, 9_007_199_254_740_992,
            ].map { (value: Double) in .double(value) }
        ),
        TypeTable(
            type: .float,
            values: [
                0, -0.0, 0.1, .pi, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNonzeroMagnitude,
                .infinity, -.infinity, 16_777_216,
            ].map { (value: Float) in .double(Double(value)) }
        ),
        TypeTable(
            type: .date,
            values: [
                Date.distantPast, .distantFuture, Date(timeIntervalSinceReferenceDate: 0),
                Date(timeIntervalSinceReferenceDate: -0.0), Date(timeIntervalSinceReferenceDate: 0.000_000_1),
                Date(timeIntervalSinceReferenceDate: 737_057_651.669_581_05),
                Date(timeIntervalSinceReferenceDate: (737_057_651.669_581).nextUp),
                Date(timeIntervalSince1970: 0.1), Date(timeIntervalSinceReferenceDate: .greatestFiniteMagnitude),
                Date(timeIntervalSinceReferenceDate: .infinity),
            ].map { .date($0) }
        ),
        TypeTable(
            type: .decimal,
            values: decimals(
                "0",
                "-1",
                "0.1",
                "0.10",
                "100",
                "-0.000001",
                "12345678901234567890123456789012345678",
                "-0.12345678901234567890123456789012345678",
                "99999999999999999999999999999999999999",
                "1e127",
                "-1e-127",
                "1e-128",
                "12345678901234567890123456789012345678e89",
                "3.3333333333333333333333333333333333333"
            ) + [.decimal(.greatestFiniteMagnitude), .decimal(-.greatestFiniteMagnitude), .decimal(.pi)]
        ),
        TypeTable(
            type: .string,
            values: [
                "", " ", TestStore.nul, "a\(TestStore.nul)b\(TestStore.nul)", "😀👨‍👩‍👧‍👦🇩🇪", "e\u{301}", "\u{E9}", "\u{FFFD}",
                "\u{FEFF}bom", "\u{10FFFF}",
                "'; DROP TABLE \"Thing\"; --", "\"\\%_?", "\r\n\t\u{2028}", "مرحبا",
                String(repeating: "é", count: 200_000),
            ].map { .string($0) }
        ),
        TypeTable(
            type: .binaryData,
            values: [
                Data(), Data([0]), Data([0xFF, 0, 0xFE]), Data(repeating: 0xA5, count: 1 << 20),
                Data((0..<1_000).map { UInt8(truncatingIfNeeded: $0) }).dropFirst(3),
            ].map { .data($0) }
        ),
        TypeTable(
            type: .transformable,
            values: [Data(), Data([0]), Data(repeating: 7, count: 1 << 20)].map { .data($0) }
        ),
        TypeTable(
            type: .uuid,
            values: [
                "00000000-0000-0000-0000-000000000000", "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF",
                "00112233-4455-6677-8899-AABBCCDDEEFF",
            ].compactMap { UUID(uuidString: $0) }.map { .uuid($0) }
        ),
        TypeTable(
            type: .uri,
            values: [
                "https://user:secret@example.com:8443/a%20b/c;d?x=1&y=%C3%A9#top", "relative/path", "../up?q",
                "#fragment",
                "?query", "mailto:ann@example.com", "about:blank", "file:///a%00b", "urn:isbn:0451450523",
                "http://[::1]/",
                "x-coredata://A/B/p1", "http://example.com/" + String(repeating: "a", count: 100_000),
            ].compactMap { URL(string: $0) }.map { .url($0) }
        ),
    ]

    /// A model with an attribute of each type, required and optional, alone and in composites, binary data also in a
    /// side table, and an entity whose objects reference it.
    private static func definition() throws -> ModelDefinition {
        func attributes(_ type: AttributeType) -> [AttributeDescription] {
            [
                AttributeDescription(name: "required", attributeType: type),
                AttributeDescription(name: "optional", attributeType: type, isOptional: true),
            ]
        }
        func externalAttributes(_ type: AttributeType) -> [AttributeDescription] {
            guard hasExternalStorage(type) else { return [] }
            return [("externalRequired", false), ("externalOptional", true)].map { name, isOptional in
                AttributeDescription(
                    name: name,
                    attributeType: type,
                    isOptional: isOptional,
                    allowsExternalBinaryDataStorage: true
                )
            }
        }
        let entities = tables.map { table in
            EntityDescription(
                name: entityName(table.type),
                attributes: attributes(table.type) + externalAttributes(table.type) + [
                    AttributeDescription(name: "mark", attributeType: .integer64, defaultValue: .integer(0)),
                    AttributeDescription(
                        name: "outer",
                        attributeType: .composite,
                        isOptional: true,
                        compositeName: "Outer\(entityName(table.type))",
                        elements: attributes(table.type) + [
                            AttributeDescription(
                                name: "inner",
                                attributeType: .composite,
                                isOptional: true,
                                compositeName: "Inner\(entityName(table.type))",
                                elements: attributes(table.type)
                            )
                        ]
                    ),
                ],
                relationships: [
                    RelationshipDescription(
                        name: "holder",
                        destinationEntityName: "Holder",
                        inverseName: inverseName(table.type)
                    ),
                    RelationshipDescription(
                        name: "owner",
                        destinationEntityName: "Holder",
                        inverseName: toOneName(table.type)
                    ),
                ]
            )
        }
        let holder = EntityDescription(
            name: "Holder",
            relationships: tables.flatMap { table in
                [
                    RelationshipDescription(
                        name: inverseName(table.type),
                        destinationEntityName: entityName(table.type),
                        inverseName: "holder",
                        isToMany: true
                    ),
                    RelationshipDescription(
                        name: toOneName(table.type),
                        destinationEntityName: entityName(table.type),
                        inverseName: "owner"
                    ),
                ]
            }
        )
        return ModelDefinition(
            name: "Extremes",
            versionName: "1",
            model: try ManagedObjectModel(entities: entities + [holder])
        )
    }

    private static func entityName(_ type: AttributeType) -> String {
        "Thing" + type.rawValue.replacing(" ", with: "")
    }

    private static func inverseName(_ type: AttributeType) -> String {
        "all" + type.rawValue.replacing(" ", with: "")
    }

    private static func toOneName(_ type: AttributeType) -> String {
        "one" + type.rawValue.replacing(" ", with: "")
    }

    private static func hasExternalStorage(_ type: AttributeType) -> Bool {
        type == .binaryData || type == .transformable
    }

    private static func required(_ type: AttributeType) -> [String] {
        ["required", "outer.required", "outer.inner.required"] + (hasExternalStorage(type) ? ["externalRequired"] : [])
    }

    private static func optional(_ type: AttributeType) -> [String] {
        ["optional", "outer.optional", "outer.inner.optional"] + (hasExternalStorage(type) ? ["externalOptional"] : [])
    }

    /// The paths on which an object gets the values of its row.
    enum Path: CaseIterable, Sendable {
        case fetch, fault, batch, prefetch, toMany, toOne, toOnePrefetch, existing, refault, refresh, scratchMerge
        case mergedUpdate, rollback
    }

    // MARK: Comparing

    private static func any(_ value: AttributeValue, _ type: AttributeType) -> Any {
        switch value {
        case .integer(let value): value
        case .double(let value): type == .float ? Float(value) : value
        case .boolean(let value): value
        case .string(let value): value
        case .date(let value): value
        case .data(let value): value
        case .uuid(let value): value
        case .url(let value): value
        case .decimal(let value): value
        }
    }

    private static func argument(_ value: AttributeValue) -> any PredicateArgument {
        switch value {
        case .integer(let value): value
        case .double(let value): value
        case .boolean(let value): value
        case .string(let value): value
        case .date(let value): value
        case .data(let value): value
        case .uuid(let value): value
        case .url(let value): value
        case .decimal(let value): value
        }
    }

    /// The bits that distinguish one value from another.
    private static func bits(_ value: Any?) -> String {
        switch value {
        case nil: "nil"
        case let value as Double: "\((value + 0.0).bitPattern)"
        case let value as Float: "\((value + 0.0).bitPattern)"
        case let value as Date: "date \((value.timeIntervalSinceReferenceDate + 0.0).bitPattern)"
        case let value as String:
            "text \(Array(value.utf8).hashValue) \(value.utf8.count) \(value.utf8.prefix(20).map { $0 })"
        case let value as Data: "data \(value.hashValue) \(value.count) \(value.prefix(20).map { $0 })"
        case let value as URL: "url \(value.absoluteString)"
        case let value as UUID: "\(value.uuid)"
        case let value as Decimal: "decimal \(decimalText(value))"
        case let value as Bool: "\(value)"
        case let value as any BinaryInteger: "\(Int64(value))"
        default: "something else: \(value.map { "\(type(of: $0))" } ?? "")"
        }
    }

    private static func check(
        _ object: ManagedObject,
        _ type: AttributeType,
        _ value: Any,
        isOptionalSet: Bool,
        _ comment: Comment
    ) {
        for key in required(type) { expectEqual(bits(object.value(forKey: key)), bits(value), comment) }
        for key in optional(type) {
            expectEqual(bits(object.value(forKey: key)), bits(isOptionalSet ? value : nil), comment)
        }
    }

    private static func set(_ value: Any, isOptionalSet: Bool, of object: ManagedObject, _ type: AttributeType) {
        for key in required(type) { object.setValue(value, forKey: key) }
        for key in optional(type) { object.setValue(isOptionalSet ? value : nil, forKey: key) }
    }

    // MARK: Tests

    /// - Parameter hasCells: Whether the rows are read by another database engine.
    @Test(arguments: tables, [false, true])
    func everyValueByEveryPath(table: TypeTable, hasCells: Bool) throws {
        try withStorePath { path in
            let container =
                hasCells
                ? try TwoEngines.container(try Self.definition(), path: path).0
                : try Self.definition().testContainer(at: path)
            let name = Self.entityName(table.type)
            for (index, attributeValue) in table.values.enumerated() {
                for isOptionalSet in [true, false] {
                    let value = Self.any(attributeValue, table.type)
                    let comment: Comment = "\(table.type.rawValue) \(index), optional \(isOptionalSet)"
                    let context = container.newContext()
                    context.automaticallyMergesChangesFromParent = true
                    let holder = EntityDescription.insertNewObject(forEntityName: "Holder", into: context)
                    let object = EntityDescription.insertNewObject(forEntityName: name, into: context)
                    Self.set(value, isOptionalSet: isOptionalSet, of: object, table.type)
                    for key in ["holder", "owner"] { object.setValue(holder, forKey: key) }
                    Self.check(object, table.type, value, isOptionalSet: isOptionalSet, comment)
                    try context.save()
                    Self.check(object, table.type, value, isOptionalSet: isOptionalSet, comment)
                    let other = Self.any(table.values[(index + 1) % table.values.count], table.type)
                    for path in Path.allCases {
                        try Self.follow(path, object, holder, table.type, value, other, isOptionalSet, container)
                    }
                    context.processPendingChanges()
                    context.delete(object)
                    try context.save()
                }
            }
        }
    }

    private static func follow(
        _ path: Path,
        _ object: ManagedObject,
        _ holder: ManagedObject,
        _ type: AttributeType,
        _ value: Any,
        _ other: Any,
        _ isOptionalSet: Bool,
        _ container: PersistentContainer
    ) throws {
        let comment: Comment = "\(type.rawValue), \(path), \(bits(value)), optional \(isOptionalSet)"
        let context = container.newContext()
        let id = object.objectID
        func check(_ found: ManagedObject?) {
            guard let found else {
                Issue.record(comment)
                return
            }
            Self.check(found, type, value, isOptionalSet: isOptionalSet, comment)
        }
        /// Reads the object while its row has another value; then another context writes the value.
        func readBeforeItIsWritten() throws -> ManagedObject {
            let writer = container.newContext()
            let written = try writer.existingObject(with: id)
            set(other, isOptionalSet: !isOptionalSet, of: written, type)
            try writer.save()
            let found = try context.existingObject(with: id)
            Self.check(found, type, other, isOptionalSet: !isOptionalSet, comment)
            set(value, isOptionalSet: isOptionalSet, of: written, type)
            try writer.save()
            Self.check(found, type, other, isOptionalSet: !isOptionalSet, comment)
            return found
        }
        var request = FetchRequest<ManagedObject>(entityName: entityName(type))
        switch path {
        case .fetch: check(try context.fetch(request).first)
        case .fault: check(context.object(with: id))
        case .existing: check(try context.existingObject(with: id))
        case .batch:
            request.fetchBatchSize = 1
            check(try context.fetch(request).first)
        case .prefetch:
            let holders = FetchRequest<ManagedObject>(entityName: "Holder").prefetching(inverseName(type))
            let found = try context.fetch(holders).first { $0.objectID == holder.objectID }
            check(found?.mutableSetValue(forKey: inverseName(type)).allObjects.first)
        case .toMany:
            check(context.object(with: holder.objectID).mutableSetValue(forKey: inverseName(type)).allObjects.first)
        case .toOne:
            check(context.object(with: holder.objectID).value(forKey: toOneName(type)) as? ManagedObject)
        case .toOnePrefetch:
            let holders = FetchRequest<ManagedObject>(entityName: "Holder").prefetching(toOneName(type))
            let found = try context.fetch(holders).first { $0.objectID == holder.objectID }
            #expect(context.registeredObject(for: id)?.isFault == false)
            check(found?.value(forKey: toOneName(type)) as? ManagedObject)
        case .refault:
            let found = try readBeforeItIsWritten()
            context.refresh(found, mergeChanges: false)
            #expect(found.isFault)
            check(found)
        case .refresh:
            let found = try readBeforeItIsWritten()
            found.setValue(1, forKey: "mark")
            context.refresh(found, mergeChanges: true)
            #expect(found.value(forKey: "mark") as? Int64 == 1, comment)
            check(found)
            let committed = found.committedValues(forKeys: ["required", "optional"])
            expectEqual(bits(committed["required"] ?? nil), bits(value), comment)
            expectEqual(bits(committed["optional"] ?? nil), bits(isOptionalSet ? value : nil), comment)
        case .rollback:
            let found = try context.existingObject(with: id)
            for key in optional(type) { found.setValue(nil, forKey: key) }
            for key in required(type) { found.setPrimitiveValue(nil, forKey: key) }
            found.setValue(2, forKey: "mark")
            context.rollback()
            check(found)
        case .scratchMerge, .mergedUpdate:
            // The object gets the value from the changes of another context.
            let receiver = container.newContext()
            receiver.automaticallyMergesChangesFromParent = true
            let known = try receiver.existingObject(with: id)
            if path == .mergedUpdate {
                let same = try context.existingObject(with: id)
                for key in required(type) + (isOptionalSet ? optional(type) : []) { same.setValue(value, forKey: key) }
                try context.save()
                receiver.processPendingChanges()
                check(known)
            } else {
                let copy = EntityDescription.insertNewObject(forEntityName: entityName(type), into: context)
                for key in required(type) + (isOptionalSet ? optional(type) : []) { copy.setValue(value, forKey: key) }
                try context.save()
                receiver.processPendingChanges()
                check(receiver.registeredObject(for: copy.objectID))
                context.delete(copy)
                try context.save()
            }
        }
    }

    /// A fetch finds the values that are equal in memory.
    @Test(arguments: tables)
    func everyValueIsFound(table: TypeTable) throws {
        guard table.type != .transformable else { return }
        try withStorePath { path in
            let container = try Self.definition().testContainer(at: path)
            let context = container.newContext()
            let request = FetchRequest<ManagedObject>(entityName: Self.entityName(table.type))
            for attributeValue in table.values {
                let object = EntityDescription.insertNewObject(forEntityName: request.entityName, into: context)
                for key in Self.required(table.type) {
                    object.setValue(Self.any(attributeValue, table.type), forKey: key)
                }
                object.setValue(Self.any(attributeValue, table.type), forKey: "optional")
            }
            try context.save()
            let fresh = container.newContext()
            for attributeValue in table.values {
                let expected = Self.bits(Self.any(attributeValue, table.type))
                let count = table.values.count { Self.bits(Self.any($0, table.type)) == expected }
                for key in ["required", "optional"] {
                    let predicate = try FetchPredicate(format: "%K == %@", key, Self.argument(attributeValue))
                    let found = try fresh.fetch(request.where(predicate))
                    expectEqual(found.count, count, "\(table.type.rawValue) \(expected)")
                    #expect(found.allSatisfy { Self.bits($0.value(forKey: key)) == expected })
                }
            }
        }
    }

    /// A batch update copies the values of another attribute, in SQL or, if a server does not have its form, in memory.
    @Test(arguments: tables)
    func everyValueIsCopied(table: TypeTable) throws {
        guard table.type != .transformable else { return }
        try withStorePath { path in
            let container = try Self.definition().testContainer(at: path)
            let context = container.newContext()
            let name = Self.entityName(table.type)
            let ids = try table.values.map { attributeValue in
                let object = EntityDescription.insertNewObject(forEntityName: name, into: context)
                for key in Self.required(table.type) {
                    object.setValue(Self.any(attributeValue, table.type), forKey: key)
                }
                try context.save()
                return object.objectID
            }
            let update = BatchUpdateRequest<ManagedObject>(entityName: name)
                .setting("optional", to: try FetchExpression(format: "required"))
                .setting("outer.optional", to: try FetchExpression(format: "outer.inner.required"))
                .setting("outer.inner.optional", to: try FetchExpression(format: "outer.required"))
            expectEqual(try container.newContext().execute(update).updatedObjectsCount, table.values.count)
            let fresh = container.newContext()
            for (id, attributeValue) in zip(ids, table.values) {
                let object = try fresh.existingObject(with: id)
                for key in ["optional", "outer.optional", "outer.inner.optional"] {
                    expectEqual(Self.bits(object.value(forKey: key)), Self.bits(Self.any(attributeValue, table.type)))
                }
            }
        }
    }

    /// Computed values of dictionaries: a value, one of two values, the largest value of a group, and distinct values.
    @Test(arguments: tables)
    func everyValueIsComputed(table: TypeTable) throws {
        guard table.type != .transformable, table.type != .binaryData else { return }
        try withStorePath { path in
            let container = try Self.definition().testContainer(at: path)
            let context = container.newContext()
            let name = Self.entityName(table.type)
            for (index, attributeValue) in table.values.enumerated() {
                let object = EntityDescription.insertNewObject(forEntityName: name, into: context)
                for key in Self.required(table.type) {
                    object.setValue(Self.any(attributeValue, table.type), forKey: key)
                }
                object.setValue(Int64(index), forKey: "mark")
            }
            try context.save()
            var request = FetchRequest<ManagedObject>(entityName: name).sorted(by: "mark").dictionaries
            let conditional = try FetchExpression(format: "TERNARY(optional == nil, required, optional)")
            request = request.fetching(
                .expression("same", try FetchExpression(format: "noindex:(required)"), as: table.type),
                .expression("either", conditional, as: table.type)
            )
            let rows = try container.newContext().fetch(request)
            expectEqual(rows.count, table.values.count)
            for (row, attributeValue) in zip(rows, table.values) {
                for key in ["same", "either"] {
                    expectEqual(Self.bits(row[key]), Self.bits(Self.any(attributeValue, table.type)), "\(key)")
                }
            }
            let grouped = FetchRequest<ManagedObject>(entityName: name).sorted(by: "mark").dictionaries
                .fetching("mark", .expression("largest", try FetchExpression(format: "max:(required)"), as: table.type))
                .grouped(by: "mark")
            for (row, attributeValue) in zip(try container.newContext().fetch(grouped), table.values) {
                expectEqual(Self.bits(row["largest"]), Self.bits(Self.any(attributeValue, table.type)))
            }
            var distinct = FetchRequest<ManagedObject>(entityName: name).dictionaries.fetching("required")
            distinct.returnsDistinctResults = true
            let found = try container.newContext().fetch(distinct).map { Self.bits($0["required"]) }
            expectEqual(Set(found), Set(table.values.map { Self.bits(Self.any($0, table.type)) }))
            expectEqual(found.count, Set(found).count)
        }
    }
}
