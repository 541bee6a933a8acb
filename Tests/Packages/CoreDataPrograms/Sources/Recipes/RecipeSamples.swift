import Foundation

/// A recipe as a value.
struct RecipeSample: Sendable {
    struct Part: Sendable {
        var name: String
        var quantity: Double
        var unit: String?
    }

    var id: UUID
    var title: String
    var cuisine: String
    var minutes: Int16
    var rating: Double?
    var isVegetarian: Bool
    var day: Int
    var tags: [String]
    var parts: [Part]

    /// Returns nil if the line is not valid.
    init?(line: String) {
        let fields = line.components(separatedBy: "|")
        guard fields.count == 8, let day = Int(fields[0]), let minutes = Int16(fields[3]) else { return nil }
        id = RecipeSample.identifier(day)
        title = fields[1]
        cuisine = fields[2]
        self.minutes = minutes
        rating = Double(fields[4])
        isVegetarian = fields[5] == "yes"
        self.day = day
        tags = fields[6].split(separator: " ").map(String.init)
        parts = fields[7].components(separatedBy: ", ").compactMap { text in
            let words = text.components(separatedBy: "/")
            guard words.count >= 2, let quantity = Double(words[1]) else { return nil }
            return Part(name: words[0], quantity: quantity, unit: words.count > 2 ? words[2] : nil)
        }
    }

    static func identifier(_ number: Int) -> UUID {
        UUID(uuidString: "00000000-0000-4000-8000-00000000000\(number)") ?? UUID()
    }

    static let all: [RecipeSample] = text.split(separator: "\n").compactMap { RecipeSample(line: String($0)) }

    /// Number, title, cuisine, minutes, rating, vegetarian, tags, and ingredients with quantities.
    private static let text = """
        1|Crème Brûlée|French|60|4.8|yes|dessert|cream/500/ml, egg/5, sugar/100/g
        2|Creamy Pumpkin Soup|American|35|4.2|yes|soup autumn|pumpkin/800/g, cream/100/ml, onion/1
        3|Beef Stew|Irish|150|4.5|no|stew winter|beef/700/g, carrot/3, onion/2, potato/4
        4|Pad Thai|Thai|30|4.6|no|noodles|rice noodles/200/g, shrimp/150/g, egg/2, peanut/40/g
        5|Green Curry|Thai|40|4.4|no|curry spicy|chicken/400/g, coconut milk/400/ml, basil/10/g
        6|Tomato Salad|Italian|10||yes||tomato/4, basil/5/g
        7|Onion Tart|French|75|3.9|yes|autumn|onion/6, cream/200/ml, egg/3
        8|100% Rye Bread|German|240|4.0|yes|baking|rye flour/500/g, salt/10/g
        """
}
