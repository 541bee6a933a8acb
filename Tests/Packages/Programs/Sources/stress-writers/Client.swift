import Chordata
import Foundation
import Harness

/// A client of a program: it performs one operation after the other.
struct Client: Sendable {
    let number: Int
    let container: PersistentContainer
    let record: Record
    private let state: State

    /// The saves that the client knows.
    private final class State: @unchecked Sendable {
        // Used by one operation at a time.
        var nextNumber = 1
        var lastStored = 0
        /// Saves that are stored.
        var known: [Int] = []
    }

    init(_ number: Int, _ container: PersistentContainer, _ files: Files) throws {
        self.number = number
        self.container = container
        state = State()
        let history = try History(files.record(of: number))
        record = try Record(files.record(of: number))
        state.nextNumber = history.saves.count + 1
        state.lastStored = (history.saves.lastIndex { $0.outcome.isStored } ?? -1) + 1
        if let last = history.saves.last, last.outcome == .open {
            // The program was killed during this save. If the save is stored now, the store must keep it.
            let isStored = try isStored(history.saves.count)
            record.find(history.saves.count, isStored: isStored)
            if isStored { state.lastStored = history.saves.count }
        }
        if state.lastStored > 0 { state.known = [state.lastStored] }
    }

    private func isStored(_ save: Int) throws -> Bool {
        let context = container.newContext(isolation: nil)
        return try !entries(of: save, context).isEmpty
    }

    /// Performs operations until the program ends.
    func work(_ random: RandomSource, until hasEnded: @Sendable () -> Bool) async throws {
        var random = random
        while !hasEnded() {
            if random.oneIn(4), !state.known.isEmpty {
                try await read(&random)
            } else {
                try await save(&random)
            }
            if random.oneIn(4) { try await Task.sleep(for: .microseconds(Int.random(in: 0..<8_000, using: &random))) }
        }
    }

    // MARK: Saving

    private func save(_ random: inout RandomSource) async throws {
        let kind = SaveKind.allCases.randomElement(using: &random) ?? .waiting
        let save = state.nextNumber
        state.nextNumber += 1
        record.begin(save, kind)
        let start = microseconds()
        do {
            if random.oneIn(5) {
                let task = Task { try await perform(save, kind) }
                let delay = [0, 200, 1_000, 3_000, 10_000].randomElement(using: &random) ?? 0
                if delay > 0 { try await Task.sleep(for: .microseconds(Int.random(in: 0...delay, using: &random))) }
                task.cancel()
                try await task.value
            } else {
                try await perform(save, kind)
            }
            record.acknowledge(save, after: microseconds() - start)
            state.lastStored = save
            state.known.append(save)
            if state.known.count > 50 { state.known.removeFirst() }
        } catch is CancellationError {
            record.cancel(save)
        } catch is SaveConflictError {
            record.conflict(save)
        } catch let error as WriteError where error.code == .attemptLimitExceeded {
            record.conflict(save)
        } catch let error as StoreError where error.code == .busy {
            record.busy(save)
        } catch {
            record.find("save \(save) threw \(error)")
            throw error
        }
    }

    private func perform(_ save: Int, _ kind: SaveKind) async throws {
        switch kind {
        case .waiting:
            try await container.performBackgroundTask { context in
                try insertEntries(of: save, context)
                try await context.save()
            }
        case .blocking:
            try await container.performBackgroundTask { context in try saveBlocking(save, context) }
        case .incrementing:
            try await container.performBackgroundTask { context in
                try increment(context)
                try insertEntries(of: save, context)
                try await context.save()
            }
        case .write:
            try await container.write { context in
                try increment(context)
                try insertEntries(of: save, context)
            }
        }
    }

    private func saveBlocking(_ save: Int, _ context: ManagedObjectContext) throws {
        try insertEntries(of: save, context)
        try context.save()
    }

    private func insertEntries(of save: Int, _ context: ManagedObjectContext) throws {
        let account = try account(context)
        account.last = Int64(save)
        let planned = PlannedEntries(client: number, number: save)
        for part in 0..<planned.count {
            let entry = Entry(
                context: context,
                client: Int64(number),
                number: Int64(save),
                part: Int64(part),
                text: planned.text(part)
            )
            entry.account = account
        }
    }

    private func increment(_ context: ManagedObjectContext) throws {
        guard let counter = try context.fetchOne(Counter.fetchRequest()) else { throw HarnessError("no counter") }
        counter.value += 1
    }

    // MARK: Reading

    /// Reads an earlier save of the client, which must be complete.
    private func read(_ random: inout RandomSource) async throws {
        let save = state.known.randomElement(using: &random) ?? state.lastStored
        let last = state.lastStored
        let fault = try await container.performBackgroundTask { context -> String? in
            let planned = PlannedEntries(client: number, number: save)
            let texts = Set(try entries(of: save, context).map(\.text))
            if texts != Set((0..<planned.count).map(planned.text)) {
                return "save \(save) is stored, and reads as \(texts.sorted())"
            }
            let stored = try account(context).last
            return stored == Int64(last) ? nil : "the last save is \(last), and reads as \(stored)"
        }
        record.read()
        if let fault { record.find(fault) }
    }

    private func entries(of save: Int, _ context: ManagedObjectContext) throws -> [Entry] {
        let (client, number) = (Int64(number), Int64(save))
        return try context.fetch(Entry.fetchRequest().where(\.client == client && \.number == number))
    }

    private func account(_ context: ManagedObjectContext) throws -> Account {
        let client = Int64(number)
        guard let account = try context.fetchOne(Account.fetchRequest().where(\.client == client)) else {
            throw HarnessError("no account of client \(number)")
        }
        return account
    }
}
