import Contest

/// The parameters of a run.
struct Options: Sendable {
    /// The number of operations that a client performs; see ``ServerOperation/count(of:_:)``.
    var operations = 2_000
    /// The operations that are measured; the other contests only run if all operations are measured.
    var operationKinds = ServerOperation.allCases
    /// The durabilities with which operations are measured.
    var synchronousLevels = Synchronous.allCases
    /// The number of times that each contestant performs each row.
    var rounds = 3
    /// The numbers of clients, a row for each.
    var clients = [1, 2, 4, 8, 16]
    /// The seed of all pseudo-random choices.
    var seed: UInt64 = 1
    /// The path of the file to which the figures are added as an array of objects; `nil` for none.
    var jsonPath: String?
    /// A Boolean value that indicates whether the costs of connections and of waiting saves are measured, and nothing
    /// else.
    var measuresLimits = false
    /// A Boolean value that indicates whether the operations are requests to an HTTP server in the process.
    var usesHTTP = false
    /// The contestants: all, or the one that `CHORDATA_BENCHMARK_ONLY` names, so that a profiler sees no other.
    var contestants = Contestant.allCases

    /// Reads the parameters from the command line.
    /// - Throws: ``UsageError`` when an option is unknown or its value is not valid.
    init(_ arguments: some Sequence<String>) throws(UsageError) {
        var arguments = Array(arguments)[...]
        while let option = arguments.popFirst() {
            if option == "--limits" {
                measuresLimits = true
                continue
            }
            if option == "--http" {
                usesHTTP = true
                continue
            }
            let options = ["--operation", "--operations", "--synchronous", "--rounds", "--clients", "--seed", "--json"]
            guard options.contains(option) else { throw UsageError("unknown option '\(option)'") }
            guard let text = arguments.popFirst() else { throw UsageError("\(option) needs a value") }
            switch option {
            case "--operation":
                guard let kind = ServerOperation(rawValue: text) else {
                    let names = ServerOperation.allCases.map(\.rawValue).joined(separator: ", ")
                    throw UsageError("unknown operation '\(text)'; the operations are \(names)")
                }
                operationKinds = [kind]
            case "--synchronous":
                guard let level = Synchronous(rawValue: text) else {
                    throw UsageError("--synchronous needs NORMAL or FULL, not '\(text)'")
                }
                synchronousLevels = [level]
            case "--operations": operations = try Self.number(text, option)
            case "--rounds": rounds = try Self.number(text, option)
            case "--clients":
                clients = []
                for part in text.split(separator: ",") { clients.append(try Self.number(String(part), option)) }
                guard !clients.isEmpty else { throw UsageError("\(option) needs numbers with commas between them") }
            case "--seed":
                guard let seed = UInt64(text) else { throw UsageError("\(option) needs a number, not '\(text)'") }
                self.seed = seed
            default: jsonPath = text
            }
        }
        guard let only = onlyContestant else { return }
        contestants = contestants.filter { $0.rawValue == only }
        guard !contestants.isEmpty else {
            let names = Contestant.allCases.map(\.rawValue).joined(separator: " and ")
            throw UsageError("CHORDATA_BENCHMARK_ONLY is '\(only)'; the contestants are \(names)")
        }
    }

    private static func number(_ text: String, _ option: String) throws(UsageError) -> Int {
        guard let number = Int(text), number > 0 else {
            throw UsageError("\(option) needs a number above 0, not '\(text)'")
        }
        return number
    }
}
