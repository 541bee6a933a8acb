import CMallocStatistics

/// Several representations of the same data in memory, compared by the bytes that each keeps allocated.
public struct MemoryContest {
    /// One of the representations.
    public struct Contestant {
        /// The name of the row.
        public var name: String
        /// Creates the data to hold; objects that later runs share, such as an open file, already exist.
        public var make: () throws -> Any

        /// Creates a contestant.
        public init(name: String, make: @escaping () throws -> Any) {
            self.name = name
            self.make = make
        }
    }

    /// The name of the contest in machine-readable figures.
    public var workload: String
    /// The measured objects.
    public var title: String
    /// The number of objects.
    public var count: Int
    /// The contestants; the others are compared with the first one.
    public var contestants: [Contestant]

    /// Creates a contest.
    public init(_ workload: String, title: String, count: Int, contestants: [Contestant]) {
        self.workload = workload
        self.title = title
        self.count = count
        self.contestants = contestants
    }

    /// Runs each contestant twice, the first time to fill caches, and prints and records a row for each: bytes and
    /// ratio to the first.
    public func run() throws {
        print("\n\(workload) \(title), \(count) objects, live bytes by the allocator's count")
        var first: Double?
        var rows: [[String: Any]] = []
        for contestant in contestants {
            _ = try contestant.make()
            let before = live_bytes()
            let held = try contestant.make()
            let bytes = withExtendedLifetime(held) { Double(live_bytes() - before) / Double(count) }
            let ratio = bytes / (first ?? bytes)
            first = first ?? bytes
            print(
                "  " + padded(contestant.name, to: 34) + padded(formatted(bytes), to: 11, right: true) + " bytes/object"
                    + padded(formatted(ratio), to: 9, right: true) + " x"
            )
            rows.append([
                "workload": workload, "contestant": contestant.name, "bytes": rounded(bytes), "ratio": rounded(ratio),
            ])
        }
        try recordRows(rows)
    }
}
