import Contest

/// The values of a product that is not in a store yet.
struct ProductSample: Sendable, Decodable {
    var name: String
    var price: Double
    var stock: Int64
    var category: String?

    /// Creates values; all but the name depend on a number alone.
    init(name: String, number: UInt64) {
        self.name = name
        price = Double(number % 100_000) / 100
        stock = Int64(number % 1_000)
        category = number % 4 == 0 ? nil : Vocabulary.categories[Int(number / 4 % 4)]
    }
}

/// The words of names and searches, all ASCII.
enum Vocabulary {
    static let adjectives = [
        "Amber", "Azure", "Bold", "Bright", "Calm", "Clear", "Coral", "Crisp", "Dark", "Dusty", "Early", "Fine",
        "Golden", "Grand", "Heavy", "Ivory", "Light", "Lunar", "Mellow", "Modern", "Narrow", "Olive", "Plain", "Quiet",
        "Rustic",
    ]
    static let materials = [
        "Bamboo", "Brass", "Canvas", "Cedar", "Ceramic", "Clay", "Copper", "Cork", "Cotton", "Enamel", "Glass",
        "Granite", "Iron", "Leather", "Linen", "Maple", "Marble", "Paper", "Silver", "Steel",
    ]
    static let nouns = [
        "Basket", "Bottle", "Bowl", "Box", "Candle", "Chair", "Clock", "Cup", "Desk", "Frame", "Jar", "Kettle", "Lamp",
        "Mirror", "Plate", "Rack", "Shelf", "Stool", "Table", "Vase",
    ]
    static let categories = ["Garden", "Kitchen", "Living room", "Office"]
    /// The words that searches look for, in lower case, because a search ignores case.
    static let searched = (adjectives + materials + nouns).map { $0.lowercased() }
}

/// Returns the products of a store: 10,000 with different names, in an order that is not that of their names.
func makeProducts() -> [ProductSample] {
    var names: [String] = []
    for adjective in Vocabulary.adjectives {
        for material in Vocabulary.materials {
            for noun in Vocabulary.nouns { names.append("\(adjective) \(material) \(noun)") }
        }
    }
    var random = SeededGenerator(seed: 1)
    names.shuffle(using: &random)
    return names.map { ProductSample(name: $0, number: random.next()) }
}
