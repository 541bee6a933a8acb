import Foundation

/// A line of the file that a bird watcher exports.
struct SightingRow {
    let code: String
    let species: String
    let quantity: Int
    let seenAt: Date
    let latitude: Double
    let longitude: Double

    /// Returns nil if the line is not valid.
    init?(line: String) {
        let fields = line.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
        guard
            fields.count == 6, !fields[0].isEmpty,
            let quantity = Int(fields[2]), let seconds = Double(fields[3]),
            let latitude = Double(fields[4]), let longitude = Double(fields[5])
        else { return nil }
        code = fields[0]
        species = fields[1]
        self.quantity = quantity
        seenAt = Date(timeIntervalSince1970: seconds)
        self.latitude = latitude
        self.longitude = longitude
    }

    var dictionaryValue: [String: Any] {
        [
            "code": code, "species": species, "quantity": quantity, "seenAt": seenAt,
            "latitude": latitude, "longitude": longitude,
        ]
    }

    static func rows(of text: String) -> [SightingRow] {
        text.split(separator: "\n").compactMap { SightingRow(line: String($0)) }
    }
}
