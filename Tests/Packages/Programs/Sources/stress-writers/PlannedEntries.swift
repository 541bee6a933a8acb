import Harness

/// The entries that a save inserts: their number and texts depend on the client and the number of the save.
struct PlannedEntries {
    let client: Int
    let number: Int
    private let seed: UInt64

    init(client: Int, number: Int) {
        self.client = client
        self.number = number
        seed = mix(UInt64(client) << 40 + UInt64(number))
    }

    /// The number of entries, at most 4.
    var count: Int { 1 + Int(seed % 4) }

    func text(_ part: Int) -> String {
        "entry \(part) of save \(number) of client \(client)" + String(repeating: ".", count: Int(seed >> 8 & 63))
    }
}
