import ChordataModel
import ChordataPredicate
import ChordataTestStores
import ChordataTestSupport
import Foundation
import Testing

@testable import Chordata
@testable import NaivePredicates

/// Sums, differences and products that SQL computes have the results of the evaluator in memory, and no value is
/// written that its attribute cannot have.
struct BatchArithmeticTests {
    private static let types: [(String, AttributeType)] = [
        ("small", .integer16), ("medium", .integer32), ("large", .integer64), ("real", .double), ("single", .float),
        ("flag", .boolean),
    ]

    private let model: ModelDefinition

    init() throws {
        let row = EntityDescription(
            name: "Row",
            attributes: Self.types.map { AttributeDescription(name: $0, attributeType: $1, isOptional: true) }
                + [AttributeDescription(name: "count", attributeType: .integer16, isOptional: false)]
        )
        model = ModelDefinition(
            name: "Numbers",
            versionName: "Numbers",
            model: try ManagedObjectModel(entities: [row])
        )
    }

    private var rows: BatchUpdateRequest<ManagedObject> { BatchUpdateRequest(entityName: "Row") }

    private func insert(_ values: [[String: Any?]], _ context: ManagedObjectContext) throws {
        for row in values {
            let object = EntityDescription.insertNewObject(forEntityName: "Row", into: context)
            object.setValue(0, forKey: "count")
            for (key, value) in row { object.setValue(value, forKey: key) }
        }
        try context.save()
    }

    private func values(of name: String, _ container: PersistentContainer) throws -> [Double?] {
        let request = FetchRequest<ManagedObject>(entityName: "Row")
        return try container.newContext().fetch(request).map { object in
            (object.value(forKey: name) as? any BinaryInteger).map { Double($0) }
                ?? object.value(forKey: name) as? Double
        }
    }

    @Test(
        arguments: [
            ("small", "small + 1", [21, nil, 41]), ("small", "medium - small * 2", [-35, nil, nil]),
            ("medium", "small * small + small", [420, nil, 1640]), ("large", "medium + 1", [6, 7, nil]),
            ("real", "real * 2 - 0.5", [2.5, -0.5, nil]), ("real", "small + medium", [25, nil, nil]),
            ("small", "small / 10", [2, nil, 4]), ("small", "medium * 1.5", [7, 9, nil]),
            ("medium", "-small", [-20, nil, -40]),
            ("real", "large - 1", [0x1p63, 0, nil]),
        ] as [(String, String, [Double?])]
    )
    func results(_ name: String, _ format: String, _ expected: [Double?]) throws {
        try withStorePath { path in
            let container = try model.testContainer(at: path)
            let context = container.newContext()
            try insert(
                [
                    ["small": 20, "medium": 5, "real": 1.5, "large": Int64.max],
                    ["medium": 6, "real": 0.0, "large": 1], ["small": 40],
                ],
                context
            )
            let result = try context.execute(rows.setting(name, to: try FetchExpression(format: format)))
            expectEqual(result.updatedObjectsCount, 3)
            expectEqual(try values(of: name, container), expected)
        }
    }

    @Test(arguments: [
        ("small", "small + medium"), ("medium", "medium * medium"), ("large", "large + 1"), ("large", "large * large"),
        ("count", "small + 1"), ("count", "count - 40000"),
    ])
    func valuesOutOfRange(_ name: String, _ format: String) throws {
        try withStorePath { path in
            let container = try model.testContainer(at: path)
            let context = container.newContext()
            try insert(
                [
                    ["small": 1, "medium": 1, "large": 1, "real": 1.0],
                    ["small": Int16.max, "medium": Int32.max, "large": Int64.max, "real": 1e300],
                    ["medium": 2, "large": 2, "real": 2.0],
                ],
                context
            )
            let before = try values(of: name, container)
            let error = #expect(throws: BatchUpdateError.self) {
                try context.execute(rows.setting(name, to: try FetchExpression(format: format)))
            }
            switch error {
            case .invalidValue(name, "Row", _, _?)?, .missingValue(name, "Row", _?)?: break
            default: Issue.record("\(String(describing: error))")
            }
            expectEqual(try values(of: name, container), before)
        }
    }

    /// A value that another program wrote and that is out of the attribute's range is an error, and is not overwritten.
    @Test(arguments: [("small", "70000"), ("medium", "3000000000"), ("count", "-32769")])
    func unreadableOperands(_ name: String, _ value: String) throws {
        try withStorePath { path in
            let container = try model.testContainer(at: path)
            let context = container.newContext()
            try insert([["small": 1, "medium": 1], [:]], context)
            let ids = try context.fetch(FetchRequest<ManagedObject>(entityName: "Row").objectIDs)
            try container.store.execute("UPDATE \"Row\" SET \"\(name)\" = \(value) WHERE \"_id\" = 2")
            for format in ["\(name) - \(value)", "large + \(name)"] {
                #expect(throws: UnreadableValueError.self) {
                    try context.execute(rows.setting("large", to: try FetchExpression(format: format)))
                }
            }
            let read = try rows.where(format: "SELF != %@", ids[1])
            let sum = try FetchExpression(format: "\(name) + 1")
            expectEqual(try context.execute(read.setting("large", to: sum)).updatedObjectsCount, 1)
        }
    }

    /// `CHORDATA_BATCH_UPDATES` sets the number of updates, and `CHORDATA_SEED` the seed.
    @Test func resultsAreThoseOfTheEvaluator() throws {
        let count = setting("CHORDATA_BATCH_UPDATES", small: 120)
        let seed = setting("CHORDATA_SEED", small: UInt64(1))
        print("seed \(seed), \(count) updates by arithmetic")
        var random = SplitMix64(seed: seed)
        var (writtenCount, refusedCount) = (0, 0)
        let container = try model.testContainer(at: ":memory:")
        let context = container.newContext()
        try insert((0..<6).map { _ in [:] }, context)
        let objects = try context.fetch(FetchRequest<ManagedObject>(entityName: "Row"))
        for _ in 0..<count {
            for object in objects {
                for (name, type) in Self.types {
                    object.setValue(randomValue(type, &random).map { convertedForTest($0, type) }, forKey: name)
                }
            }
            try context.save()
            let (name, type) = Self.types[Int.random(in: 0..<4, using: &random)]
            let format = randomText(2, &random)
            let expression = try FetchExpression(format: format)
            // The value of a constant is not converted.
            if case .value = expression.node { continue }
            var expected: [AttributeValue?]? = []
            for object in objects {
                guard let value = try expression.value(with: object) else {
                    expected?.append(nil)
                    continue
                }
                let field = try #require(object.runtimeEntity.field(named: name))
                guard let fitting = convert(value, to: field.kind.base).flatMap({ field.fitting($0) }) else {
                    expected = nil
                    break
                }
                expected?.append(fitting)
            }
            do {
                try context.execute(rows.setting(name, to: expression))
                writtenCount += 1
            } catch is BatchUpdateError {
                refusedCount += 1
                #expect(expected == nil, "seed \(seed): \(name) = \(format)")
                continue
            }
            let reader = container.newContext()
            let stored = try reader.fetch(FetchRequest<ManagedObject>(entityName: "Row")).map { object in
                let field = try #require(object.runtimeEntity.field(named: name))
                object.readRowOfFault()
                return attributeValue(field.kind, at: object.address(of: field))
            }
            expectEqual(stored, expected, "seed \(seed): \(name) (\(type)) = \(format)")
            context.mergeChanges(ObjectIDChanges(updated: Set(objects.map(\.objectID))))
        }
        #expect(writtenCount > count / 4 && refusedCount > count / 20)
    }

    private func randomValue(_ type: AttributeType, _ random: inout SplitMix64) -> Double? {
        if Int.random(in: 0..<8, using: &random) == 0 { return nil }
        let isLarge = Int.random(in: 0..<6, using: &random) == 0
        switch type {
        case .integer16: return Double(Int16.random(in: isLarge ? .min ... .max : -20...20, using: &random))
        case .integer32: return Double(Int32.random(in: isLarge ? .min ... .max : -20...20, using: &random))
        case .integer64: return isLarge ? -0x1p63 : Double(Int.random(in: -20...20, using: &random))
        case .boolean: return Double(Int.random(in: 0...1, using: &random))
        default: return isLarge ? 1e38 : Double(Int.random(in: -20...20, using: &random)) / 4
        }
    }

    private func convertedForTest(_ number: Double, _ type: AttributeType) -> Any {
        switch type {
        case .integer16: Int16(number)
        case .integer32: Int32(number)
        case .integer64: Int64(number)
        case .boolean: number == 1
        case .float: Float(number)
        default: number
        }
    }

    private func randomText(_ depth: Int, _ random: inout SplitMix64) -> String {
        switch depth > 0 ? Int.random(in: 0..<5, using: &random) : 4 {
        case 0: "(\(randomText(depth - 1, &random)) + \(randomText(depth - 1, &random)))"
        case 1: "(\(randomText(depth - 1, &random)) - \(randomText(depth - 1, &random)))"
        case 2: "(\(randomText(depth - 1, &random)) * \(randomText(depth - 1, &random)))"
        case 3: "(\(randomText(depth - 1, &random)) / \(randomText(depth - 1, &random)))"
        default:
            Int.random(in: 0..<3, using: &random) == 0
                ? ["2", "0.25", "1000000", "-3"].randomElement(using: &random)!
                : Self.types.randomElement(using: &random)!.0
        }
    }
}
