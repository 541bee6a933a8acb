/// The statistics of a run.
struct Counts {
    private var saves: [SaveKind: Int] = [:]
    private var cancellations = 0
    private var conflicts = 0
    private var busy = 0
    /// The saves that were in progress at a kill, or are in progress now.
    private var unacknowledged = 0
    private var unacknowledgedIncrements = 0
    private var acknowledgedIncrements = 0
    private var fewestSaves: [Role: Int] = [:]
    private var mostSaves: [Role: Int] = [:]
    var storedWithoutAcknowledgement = 0
    var readCount = 0
    var kills = 0
    var counter = 0
    /// In microseconds.
    var longestWait = 0
    var longestUnfinishedWait = 0

    mutating func add(_ save: History.Save) {
        switch save.outcome {
        case .acknowledged:
            saves[save.kind, default: 0] += 1
            if save.kind.increments { acknowledgedIncrements += 1 }
        case .cancelled: cancellations += 1
        case .conflict: conflicts += 1
        case .busy: busy += 1
        case .open, .foundStored, .foundAbsent:
            unacknowledged += 1
            if save.kind.increments { unacknowledgedIncrements += 1 }
        }
    }

    mutating func add(savesOf client: Int, _ count: Int) {
        for role in Role.allCases where role.clients.contains(client) {
            fewestSaves[role] = min(fewestSaves[role] ?? count, count)
            mostSaves[role] = max(mostSaves[role] ?? count, count)
        }
    }

    /// A summary in one line.
    var description: String {
        let kinds = SaveKind.allCases.map { "\(saves[$0] ?? 0) \($0)" }.joined(separator: ", ")
        let clients = Role.allCases.map { role in
            "\(role.clients.count) clients of the \(role) with \(fewestSaves[role] ?? 0) to \(mostSaves[role] ?? 0) each"
        }
        let total = saves.values.reduce(0, +)
        return """
            \(total) acknowledged saves (\(kinds); \(clients.joined(separator: ", "))), \(readCount) reads, \
            \(cancellations) cancellations, \(conflicts) conflicts, \(busy) busy, \(kills) kills; \
            \(unacknowledged) saves in progress at a kill, of which \(storedWithoutAcknowledgement) are stored; \
            counter \(counter) of \(acknowledgedIncrements) acknowledged increments and at most \
            \(unacknowledgedIncrements) others; longest wait \(longestWait / 1_000) ms, of a save that was killed \
            \(longestUnfinishedWait / 1_000) ms
            """
    }
}
