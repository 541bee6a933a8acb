import ChordataModel
import ChordataPredicate
import ChordataSQL
import ChordataTestSupport
import Foundation

/// Seeded random rows and predicates.
struct RandomPredicates {
    private var random: SplitMix64

    init(seed: UInt64) { random = SplitMix64(seed: seed &* 0x9E37_79B9_7F4A_7C15) }

    // MARK: Numbers

    private mutating func below(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }
    private mutating func chance(_ percent: Int) -> Bool { below(100) < percent }
    private mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

    // MARK: Values

    private static let strings = [
        "", "a", "A", "b", "ab", "Ab", "abc", "é", "e\u{301}", "É", "e", "ß", "SS", "ss", "😀", "👨‍👩‍👧", "a\u{0}b", "\u{0}",
        "*", "?",
        "a*", "%", "\\", "\u{FFFF}", "\u{10FFFF}", "ｆ", "İ", "ı", "I", "i", "ς", "Σ", "\n", "a\n", "'", "\"",
    ]
    private static let integers: [Int64] = [0, 1, -1, 2, 5, 9_007_199_254_740_993, .max, .min]
    private static let doubles: [Double] = [
        0, -0.0, 1, 0.1, 0.1 + 0.2, 0.3, -1.5, 5, 1e300, -1e300, .leastNonzeroMagnitude, 9_007_199_254_740_992,
        .infinity,
    ]
    private static let decimals = ["0", "1", "-1", "0.1", "0.10", "10", "9.99", "-0.05", "12345678901234567890.5", "5"]
    private static let dates: [Double] = [0, 700_000_000.123, 700_000_000.1230001, -1, 0.1 + 0.2]

    private mutating func value(of type: AttributeType) -> AttributeValue {
        switch type {
        case .integer64, .integer32: .integer(pick(Self.integers))
        case .double: .double(pick(Self.doubles))
        case .float: .double(Double(Float(pick(Self.doubles))))
        case .decimal: .decimal(Decimal(string: pick(Self.decimals)) ?? 0)
        case .boolean: .boolean(chance(50))
        case .date: .date(Date(timeIntervalSinceReferenceDate: pick(Self.dates)))
        case .uuid:
            .uuid(UUID(uuid: (UInt8(below(3)), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(below(2) * 255))))
        case .uri:
            .url(
                URL(string: pick(["http://a", "http://b/%C3%A9", "x:y"]))
                    ?? URL(fileURLWithPath: "/")
            )
        case .binaryData: .data(pick([Data(), Data([0]), Data([1, 2]), Data([255])]))
        case .string, .integer16, .transformable, .composite, .undefined, .objectID: .string(pick(Self.strings))
        }
    }

    /// A constant that may be compared with an attribute, not always of its type.
    private mutating func constant(for type: AttributeType) -> PredicateValue {
        if chance(10) { return .null }
        switch type {
        case .integer64, .integer32, .boolean, .double, .float:
            switch below(4) {
            case 0: return .attribute(.boolean(chance(50)))
            case 1: return .attribute(value(of: .integer64))
            case 2: return .attribute(value(of: .decimal))
            default: return .attribute(value(of: .double))
            }
        case .decimal: return .attribute(value(of: chance(50) ? .decimal : .integer64))
        case .string, .date, .uuid, .uri, .binaryData, .integer16, .transformable, .composite, .undefined, .objectID:
            return .attribute(value(of: type))
        }
    }

    private mutating func list(_ key: Int64?) -> PredicateValue {
        key.map { .object(ObjectReference(rootEntityName: "List", key: $0)) } ?? .null
    }

    // MARK: Rows

    mutating func makeDatabase() throws -> RenderPredicateDatabase {
        let database = try RenderPredicateDatabase()
        for key in 1...3 as ClosedRange<Int64> {
            try database.insertPerson(key, chance(70) ? ["name": .attribute(value(of: .string))] : [:])
        }
        for key in 1...5 as ClosedRange<Int64> {
            var values: [String: PredicateValue] = [:]
            if chance(70) { values["title"] = .attribute(value(of: .string)) }
            if chance(70) { values["rank"] = .attribute(.integer(Int64(below(4)))) }
            if chance(60) {
                values["owner"] = .object(ObjectReference(rootEntityName: "Person", key: Int64(1 + below(3))))
            }
            try database.insertList(key, values)
        }
        for key in 1...60 as ClosedRange<Int64> {
            var values: [String: PredicateValue] = [:]
            for attribute in RenderPredicateModel.attributes where chance(75) {
                values[attribute.name] = .attribute(value(of: attribute.attributeType))
            }
            if chance(75) { values["home_street"] = .attribute(value(of: .string)) }
            for name in ["list", "other"] where chance(65) { values[name] = list(Int64(1 + below(5))) }
            if chance(50) {
                values["twin"] = .object(ObjectReference(rootEntityName: "Item", key: Int64(1 + below(60))))
            }
            try database.insertItem(key, entity: pick(["Item", "Special"]), values)
        }
        return database
    }

    // MARK: Predicates

    /// The attributes that predicates use, with their paths.
    private static let paths: [(keys: [String], type: AttributeType)] =
        RenderPredicateModel.attributes.map { ([$0.name], $0.attributeType) } + [
            (["home", "street"], .string), (["list", "title"], .string), (["list", "rank"], .integer32),
            (["other", "title"], .string), (["list", "owner", "name"], .string), (["other", "owner", "name"], .string),
            (["twin", "name"], .string), (["twin", "count"], .integer64), (["twin", "list", "title"], .string),
            (["twin", "price"], .decimal), (["name"], .string), (["nick"], .string),
        ]

    mutating func sortTerms() throws -> [SortTerm] {
        try (0..<below(4)).map { _ in
            let keys = pick(Self.paths.map(\.keys) + [["list"], ["SELF"], ["twin"], ["list", "owner"]])
            return try sort(keys.joined(separator: "."), ascending: chance(50))
        }
    }

    mutating func predicate(depth: Int) -> PredicateNode {
        if depth > 0, chance(55) {
            switch below(3) {
            case 0: return .not(predicate(depth: depth - 1))
            case 1: return .conjunction((0..<(2 + below(2))).map { _ in predicate(depth: depth - 1) })
            default: return .disjunction((0..<(2 + below(2))).map { _ in predicate(depth: depth - 1) })
            }
        }
        if chance(15) { return objectComparison() }
        let (keys, type) = pick(Self.paths)
        let path = ExpressionNode.keyPath(keys, offset: 0)
        return .comparison(type == .string && chance(60) ? stringTest(path) : comparison(path, type))
    }

    private mutating func options() -> ComparisonOptions {
        pick([[], [], .caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive], .normalized])
    }

    /// Returns a key path whose type can be compared with a type.
    private mutating func keyPath(like type: AttributeType) -> ExpressionNode {
        let numbers: [AttributeType] = [.integer64, .integer32, .double, .float, .boolean]
        let fitting = Self.paths.filter { $0.type == type || numbers.contains($0.type) && numbers.contains(type) }
        return .keyPath(pick(fitting).keys, offset: 0)
    }

    private mutating func stringTest(_ path: ExpressionNode) -> PredicateNode.Comparison {
        let operation = pick([.contains, .beginsWith, .endsWith, .like, .matches] as [ComparisonOperator])
        let options = options()
        if operation == .matches {
            let pattern = pick(["a.*", ".", ".*", "[a-c]+", "\\w*", "é|e", "(?i)A"])
            return .init(path, .matches, .value(.attribute(.string(pattern))), options: options)
        }
        if chance(20) { return .init(path, operation, keyPath(like: .string), options: options) }
        let value = ExpressionNode.value(constant(for: .string))
        return chance(15)
            ? .init(value, operation, path, options: options) : .init(path, operation, value, options: options)
    }

    private mutating func comparison(_ path: ExpressionNode, _ type: AttributeType) -> PredicateNode.Comparison {
        let options = type == .string ? options() : []
        switch below(10) {
        case 0:
            let bounds = (0..<2).map { _ in chance(15) ? keyPath(like: type) : .value(constant(for: type)) }
            return .init(path, .between, .list(bounds), options: options)
        case 1, 2:
            let count = chance(5) ? 600 : below(5)
            let parts = (0..<count).map { _ in chance(3) ? keyPath(like: type) : .value(constant(for: type)) }
            return .init(path, .in, .list(parts), options: options)
        case 3: return .init(path, pick(Self.scalars), keyPath(like: type), options: options)
        case 4: return .init(.value(constant(for: type)), pick(Self.scalars), path, options: options)
        default: return .init(path, pick(Self.scalars), .value(constant(for: type)), options: options)
        }
    }

    private static let scalars: [ComparisonOperator] = [
        .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .equal, .notEqual,
    ]

    private mutating func objectComparison() -> PredicateNode {
        let (keys, root, count) = pick([
            (["list"], "List", 5), (["other"], "List", 5), (["list", "owner"], "Person", 3),
            (["twin", "list"], "List", 5),
            (["twin"], "Item", 60), (["list", "objectID"], "List", 5),
        ])
        let path: ExpressionNode = .keyPath(keys, offset: 0)
        let operation: ComparisonOperator = chance(50) ? .equal : .notEqual
        switch below(4) {
        case 0: return .comparison(.init(path, operation, .value(.null)))
        case 1 where root == "List": return .comparison(.init(path, operation, .keyPath(["other"], offset: 0)))
        case 1 where root == "Item": return .comparison(.init(path, operation, .evaluatedObject))
        case 2:
            let values = (0..<below(4)).map { _ in
                chance(20)
                    ? PredicateValue.null : .object(ObjectReference(rootEntityName: root, key: Int64(1 + below(count))))
            }
            return .comparison(.init(path, .in, .value(.collection(values))))
        default:
            let reference = ObjectReference(rootEntityName: root, key: Int64(1 + below(count)))
            return .comparison(.init(path, operation, .value(.object(reference))))
        }
    }
}
