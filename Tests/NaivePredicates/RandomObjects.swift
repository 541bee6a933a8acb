import ChordataModel
import ChordataPredicate
import ChordataTestSupport
import Foundation

extension SplitMix64 {
    mutating func below(_ count: Int) -> Int { Int(next() % UInt64(count)) }
    mutating func percent(_ chance: Int) -> Bool { below(100) < chance }
    mutating func pick<Element>(_ choices: [Element]) -> Element { choices[below(choices.count)] }
}

/// The small alphabets that rows and constants share, so that they match often.
enum RandomAlphabet {
    static let strings = [
        "", "a", "A", "b", "ab", "Ab", "aB", "abc", "é", "e\u{301}", "É", "E\u{301}", "ae\u{301}b", "aéb", "ß", "ẞ",
        "ss",
        "SS", "ı", "i", "I", "İ", "i\u{307}", "Σ", "σ", "ς", "ΑΣ", "😀", "a😀b", "👩‍👧", "\u{301}", "ﬁ", "ǆ", "Zoë", "zoe",
        "a*b", "x?y", "12", "1.5", "-3", "0.1", "1e3", " 7", "abc1", "6ba7b810-9dad-11d1-80b4-00c04fd430c8",
    ]
    static let patterns = [
        "", "*", "?", "a*", "*b", "?b", "*é*", "a\\*b", "x\\?y", "*a*b*", "??", "e\u{301}", "*ß", "I", "ab?",
    ]
    static let expressions = [
        "", ".*", "a.*", ".*b", "[a-c]+", "(ab|é).*", "\\w+", ".?", "a\\*b", "[^x]*", "(?:e\u{301}|é)", "A|B",
    ]
    static let integers: [Int64] = [-3, -1, 0, 1, 2, 3, 5, 7, 10, 100]
    static let wideIntegers: [Int64] = integers + [.min, .max, .max - 1, 9_007_199_254_740_993]
    static let doubles: [Double] = [-0.0, 0, 0.1, 0.5, -0.5, 1.5, -2.25, 1, 3, 100, 1e-3]
    static let wideDoubles: [Double] = doubles + [1e300, -1e300, 9_007_199_254_740_992, 9.2e18, 12.34]
    static let floats: [Double] = [0.1, 0.5, 1.7, -2.25, 3, 1e10].map { Double(Float($0)) }
    static let decimals = [
        "0", "0.1", "12.34", "-7", "3", "1.5", "-0.001", "99999999999999999999.5",
        "12345678901234567890.123456789012345678",
        "-12345678901234567890.5", "100",
    ].map { text in
        guard let decimal = Decimal(string: text) else { preconditionFailure(text) }
        return decimal
    }
    static let dates: [Date] = [0, 1, -1, 0.5, -86400.25, 86400, 100, -3, 700_000_000.125].map {
        Date(timeIntervalSinceReferenceDate: $0)
    }
    static let uuids = [
        "6BA7B810-9DAD-11D1-80B4-00C04FD430C8", "00000000-0000-0000-0000-000000000000",
        "FFFFFFFF-0000-0000-0000-000000000001",
    ].map { text in
        guard let uuid = UUID(uuidString: text) else { preconditionFailure(text) }
        return uuid
    }
    static let urls = ["http://a.example/", "http://A.example/", "file:///tmp/a", "mailto:a@b"].map { text in
        guard let url = URL(string: text) else { preconditionFailure(text) }
        return url
    }
    static let datas = [Data(), Data([0]), Data([0, 1]), Data([255]), Data("a".utf8)]

    /// Returns a value that a row may have.
    static func value(of type: AttributeType, isNarrow: Bool, _ random: inout SplitMix64) -> AttributeValue {
        switch type {
        case .integer16, .integer32: .integer(random.pick(integers))
        case .integer64: .integer(random.pick(isNarrow ? integers : wideIntegers))
        case .double: .double(random.pick(isNarrow ? doubles : wideDoubles))
        case .float: .double(random.pick(floats))
        case .decimal: .decimal(random.pick(decimals))
        case .string: .string(random.pick(strings))
        case .boolean: .boolean(random.percent(50))
        case .date: .date(random.pick(dates))
        case .binaryData: .data(random.pick(datas))
        case .uuid: .uuid(random.pick(uuids))
        case .uri: .url(random.pick(urls))
        case .undefined, .transformable, .composite, .objectID: preconditionFailure("no value of \(type)")
        }
    }
}

extension EntityDescription {
    /// The attributes that a predicate may use, with their keys.
    var askable: [(keys: [String], type: AttributeType)] {
        attributes.flatMap { attribute -> [(keys: [String], type: AttributeType)] in
            if attribute.attributeType == .composite {
                return attribute.elements.map { ([attribute.name, $0.name], $0.attributeType) }
            }
            let isHidden =
                attribute.isTransient || attribute.attributeType == .transformable
                || attribute.allowsExternalBinaryDataStorage
            return isHidden ? [] : [([attribute.name], attribute.attributeType)]
        }
    }
}

/// Random objects with random values and relations.
struct RandomObjects {
    var animals: [NaiveObject] = []
    var owners: [NaiveObject] = []
    var cities: [NaiveObject] = []
    var toys: [NaiveObject] = []
    var shops: [NaiveObject] = []

    /// - Parameter isShared: Whether an object may be in the to-many relationships of several objects, which have no
    ///   inverse.
    init(seed: UInt64, model: ManagedObjectModel, isShared: Bool = false) {
        var random = SplitMix64(seed: seed)
        func objects(_ name: String, _ count: Int) -> [NaiveObject] {
            (1...count).map { key in
                let entityName = name == "Animal" && random.percent(33) ? "Dog" : name
                let object = NaiveObject(entityName: entityName, key: Int64(key))
                for (keys, type) in model.entity(named: entityName)?.askable ?? [] where !random.percent(25) {
                    let value = RandomAlphabet.value(of: type, isNarrow: random.percent(60), &random)
                    object.values[keys.joined(separator: ".")] = value
                }
                return object
            }
        }
        animals = objects("Animal", 12)
        owners = objects("Owner", 4)
        cities = objects("City", 3)
        toys = objects("Toy", 10)
        shops = objects("Shop", 2)
        for owner in owners where !random.percent(25) { owner.toOne["city"] = random.pick(cities) }
        for toy in toys where !random.percent(25) { toy.toOne["shop"] = random.pick(shops) }
        for animal in animals {
            if !random.percent(25) {
                let owner = random.pick(owners)
                animal.toOne["owner"] = owner
                owner.toMany["animals", default: []].append(animal)
            }
            if !random.percent(25) { animal.toOne["friend"] = random.pick(animals) }
        }
        // Half of the animals get no pups, and half no toys.
        let parents = animals.filter { _ in random.percent(50) }
        let holders = animals.filter { _ in random.percent(50) }
        for (name, members, takers) in [("pups", animals, parents), ("toys", toys, holders)] where !takers.isEmpty {
            if isShared {
                for taker in takers { taker.toMany[name] = members.shuffled(using: &random).prefix(4).map { $0 } }
            } else {
                for member in members.shuffled(using: &random) where !random.percent(10) {
                    random.pick(takers).toMany[name, default: []].append(member)
                }
            }
        }
    }
}
