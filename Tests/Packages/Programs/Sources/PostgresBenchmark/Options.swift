import Contest

/// The parameters of a run.
struct Options {
    /// The numbers of players.
    private(set) var sizes = [10_000]
    /// The number of times that each contestant does each work.
    private(set) var rounds = 5
    private(set) var workloads = Workload.allCases
    /// The path of the file to which the figures are added as an array of objects; `nil` for none.
    private(set) var jsonPath: String?
    /// The location of the server.
    private(set) var connectionString = ""

    /// Reads the parameters from the command line.
    /// - Throws: ``UsageError`` if an option is unknown or its value is not valid.
    init(_ arguments: some Sequence<String>) throws(UsageError) {
        var arguments = Array(arguments)[...]
        guard let last = arguments.popLast(), !last.hasPrefix("-") else {
            throw UsageError("the connection string of a server must be the last argument")
        }
        connectionString = last
        while let option = arguments.popFirst() {
            switch option {
            case "--scale": sizes = [1_000, 10_000, 100_000]
            case "--rows": sizes = [try Self.number(arguments.popFirst(), option)]
            case "--rounds": rounds = try Self.number(arguments.popFirst(), option)
            case "--json": jsonPath = arguments.popFirst()
            case "--workload":
                guard let workload = arguments.popFirst().flatMap({ Workload(rawValue: $0) }) else {
                    let names = Workload.allCases.map(\.rawValue).joined(separator: ", ")
                    throw UsageError("\(option) needs one of: \(names)")
                }
                workloads = [workload]
            default: throw UsageError("unknown option '\(option)'")
            }
        }
    }

    private static func number(_ text: String?, _ option: String) throws(UsageError) -> Int {
        guard let number = text.flatMap({ Int($0) }), number > 0 else {
            throw UsageError("\(option) needs a number above 0")
        }
        return number
    }
}
