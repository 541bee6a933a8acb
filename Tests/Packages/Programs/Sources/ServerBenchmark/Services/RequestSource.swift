import Contest

/// The pseudo-random choices of one client: the rows, words and values of its operations.
struct RequestSource: Sendable {
    private let keys: [Int64]
    private var random: SeededGenerator

    /// Creates the choices of a client.
    /// - Parameter keys: The row keys of the products.
    init(client: Int, seed: UInt64, keys: [Int64]) {
        self.keys = keys
        // A seed is mixed, so that clients of neighbouring seeds have different choices.
        var seeds = SeededGenerator(seed: seed)
        for _ in 0..<client { _ = seeds.next() }
        random = SeededGenerator(seed: seeds.next())
    }

    /// Returns the row key of a product.
    mutating func key() -> Int64 { keys[Int.random(in: keys.indices, using: &random)] }

    /// Returns the offset of a page.
    mutating func offset(pageSize: Int) -> Int {
        Int.random(in: 0..<max(keys.count / pageSize, 1), using: &random) * pageSize
    }

    /// Returns a word that is a part of several names.
    mutating func word() -> String { element(of: Vocabulary.searched) }

    /// Returns the values of a new product.
    mutating func product() -> ProductSample {
        let adjective = element(of: Vocabulary.adjectives)
        let material = element(of: Vocabulary.materials)
        let noun = element(of: Vocabulary.nouns)
        return ProductSample(name: "\(adjective) \(material) \(noun)", number: random.next())
    }

    /// Returns `true` once in a number of calls, on average.
    mutating func isOne(in count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }

    private mutating func element(of words: [String]) -> String {
        words[Int.random(in: words.indices, using: &random)]
    }
}
