internal import Chordata
internal import ChordataModel
internal import ChordataPredicate
internal import Dispatch
internal import Synchronization

extension ServerEngine {
    /// The maximum number of attempts of a save that the server has ended because of other transactions.
    private static let attemptLimit = 5
    /// The time for which a save is repeated after a lost connection.
    private static let reconnectTimeout = Duration.seconds(30)

    // MARK: Saving

    func save(_ plan: SavePlan, didCommit: (SaveEffects) -> Void) throws -> SaveEffects {
        try plan.progress?.checkCancellation()
        var effects = SaveEffects()
        if let values = plan.values {
            effects.firstKey = try values.firstKey ?? reserveKeys(Int64(values.rows.count)).lowerBound
        }
        if plan.reservedKeyCount > 0 { effects.reservedKeys = try reserveKeys(plan.reservedKeyCount) }
        let number = nextNumber()
        let recording = options.recordsChanges ? number : nil
        func makeSave(copyingFrom count: Int) throws -> ServerSave {
            try ServerSave(plan, rowTexts, firstKey: effects.firstKey, recording: recording, copyingFrom: count)
        }
        let save = try makeSave(copyingFrom: options.copiedRowCount)
        do {
            try execute(save, number, plan, &effects)
        } catch let error as StoreError where error.sqlState == "0A000" && save.copiesRows {
            // Rows cannot be copied into a table with row-level security.
            try execute(makeSave(copyingFrom: .max), number, plan, &effects)
        }
        commits.add(1, ordering: .releasing)
        counters.countTransaction(of: 1)
        plan.report?.didCommit(groupSize: 1)
        posts.deliver { didCommit(effects) }
        feed.withLock { $0 }?.notify()
        return effects
    }

    private func execute(_ save: ServerSave, _ number: SaveNumber, _ plan: SavePlan, _ effects: inout SaveEffects)
        throws
    {
        let begin = beginOfSave(computesDerivations: plan.derivations != nil)
        let prefix = begin + [note(number, plan.origin, try save.changes?.text(), checksVersion: true)]
        let roles = begin.map { _ in .other } + [.note] + save.roles + [.other]
        // A statement after the number of the save fails only if no earlier attempt is committed or still runs.
        let noteIndex = prefix.count - 1
        let clock = ContinuousClock()
        var attempt = 1
        /// The first error of an attempt whose outcome is unknown.
        var loss: (error: StoreError, since: ContinuousClock.Instant)?
        /// The rows that the attempt has written in addition to those of the plan, if its response has arrived.
        var lost = effects
        while true {
            var attempted = effects
            do {
                let connection = try database.take(for: "a save")
                defer { database.release(connection) }
                do {
                    try execute(prefix, save, number, plan, connection, &attempted)
                    effects = attempted
                    return
                } catch {
                    if connection.isInTransaction { _ = try? connection.execute([ServerStatement("ROLLBACK")]) }
                    throw error
                }
            } catch let failure as ServerFailure {
                let isUnknown = loss != nil && (failure.index ?? 0) <= noteIndex
                do {
                    switch try reaction(to: failure, roles, plan.schema) {
                    case .isCommitted where loss != nil:
                        effects = lost
                        return
                    case .isCommitted: throw failure.error
                    case .reconnect:
                        loss = loss ?? (failure.error, clock.now)
                        lost = attempted
                    case .repeat where isUnknown: break
                    case .repeat:
                        guard attempt < Self.attemptLimit else { throw failure.error }
                    }
                } catch {
                    guard isUnknown, let loss else { throw error }
                    throw unknownOutcome(loss.error)
                }
            } catch let error as StoreError {
                // The server cannot be reached; before the first attempt, nothing was written.
                guard loss != nil else { throw error }
            }
            if let loss, clock.now - loss.since > Self.reconnectTimeout { throw unknownOutcome(loss.error) }
            attempt += 1
            sleep(attempt)
        }
    }

    /// Executes the statements of a save, from the beginning of its transaction to the commit.
    /// - Throws: ``ServerFailure`` with the index of the statement among all statements.
    private func execute(
        _ prefix: [ServerStatement],
        _ save: ServerSave,
        _ number: SaveNumber,
        _ plan: SavePlan,
        _ connection: any ServerConnection,
        _ effects: inout SaveEffects
    ) throws {
        let commit = [ServerStatement("COMMIT", isKept: true)]
        let writer = ServerWriter(connection, path: place)
        try save.execute(plan, between: prefix, and: commit, with: writer, &effects) { rows in
            if let changes = save.changes, !rows.isEmpty { try replaceNote(number, changes.adding(rows), writer) }
        }
    }

    private enum Reaction {
        case isCommitted, reconnect, `repeat`
    }

    /// Returns the next action after a failure, and throws if the save has failed.
    private func reaction(
        to failure: ServerFailure,
        _ roles: [ServerSave.Role],
        _ schema: StoreSchema
    ) throws -> Reaction {
        let error = failure.error
        switch error.sqlState {
        case "40001"?, "40P01"?, "55P03"?, "57P03"?: return .repeat
        default:
            if error.isOfPreparation { return .repeat }
            if error.code == .connectionLost { return .reconnect }
        }
        guard let index = failure.index else { throw error }
        switch (roles[index], error.sqlState) {
        case (.note, "22012"?): throw versionError
        case (.note, "23505"?): return .isCommitted
        case (let role, _): throw role.cause(of: error, schema)
        }
    }

    /// The error of a write to a store that does not have the version of the model.
    ///
    /// The write must have released its connection, because this reads the metadata.
    private var versionError: StoreError {
        do {
            _ = try metadata()
        } catch let error as StoreError where error.code == .incompleteStore {
            return error
        } catch {
            // The server cannot be asked any more, so the error says what the failed statement has shown.
        }
        return StoreError(
            .incompatibleModel,
            "has been migrated to another version of the model by another program while this program had it open, so "
                + "nothing was written; open it with a program that has the new version",
            path: place
        )
    }

    private func unknownOutcome(_ loss: StoreError) -> StoreError {
        StoreError(
            .outcomeUnknown,
            "the connection to the server was lost while changes were committed, and the server cannot be asked, so it "
                + "is unknown whether the changes are stored; read the objects again when the server can be reached",
            sqlState: loss.sqlState,
            path: place
        )
    }

    /// Waits for a random time before another attempt, so that two saves do not conflict again.
    private func sleep(_ attempt: Int) {
        let milliseconds = Double.random(in: 0.5...1.5) * Double(min(10 << attempt, 200))
        let end = DispatchTime.now() + .milliseconds(Int(milliseconds))
        whileWaitingForServer { _ = DispatchSemaphore(value: 0).wait(timeout: end) }
    }

    /// Replaces the recorded changes of a save whose transaction has changed more rows since.
    private func replaceNote(_ save: SaveNumber, _ changes: HistoryChanges, _ writer: ServerWriter) throws {
        let sql = "UPDATE \"_save\" SET \"changes\" = $1 WHERE \"origin\" = $2 AND \"number\" = $3"
        let values: [PredicateValue] = [
            .attribute(.string(try changes.text())), .attribute(.integer(save.origin)),
            .attribute(.integer(save.number)),
        ]
        _ = try writer.run(StoreQuery(sql, .values(values)))
    }

    nonisolated(nonsending) func whenAvailable(_ body: () throws -> Void) async throws { try body() }

    // MARK: Other writes

    /// The store does not have the version of the model.
    private struct OtherVersion: Error {}

    func write(at places: [Int], _ body: (StoreTransaction) throws -> Void, didCommit: () -> Void) throws {
        var attempt = 1
        while true {
            do {
                try writeOnce(body)
                break
            } catch is OtherVersion {
                throw versionError
            } catch let error as StoreError {
                // Another transaction has written the same rows, or waits for them. After an error of preparation,
                // the statements of the next attempt are not prepared.
                let isConflict = ["40001", "40P01", "55P03"].contains(error.sqlState)
                guard isConflict || error.isOfPreparation, attempt < Self.attemptLimit else { throw error }
            }
            attempt += 1
            sleep(attempt)
        }
        commits.add(1, ordering: .releasing)
        posts.deliver(didCommit)
        feed.withLock { $0 }?.notify()
    }

    /// Runs a transaction in which all statements see one state of the store, and its own changes.
    private func writeOnce(_ body: (StoreTransaction) throws -> Void) throws {
        let connection = try database.take(for: "a batch operation")
        defer { database.release(connection) }
        do {
            let begin = beginOfOtherWrite()
            do {
                try execute(begin, connection)
            } catch let failure as ServerFailure {
                guard failure.index == begin.count - 1, failure.error.sqlState == "22012" else {
                    throw failure
                }
                throw OtherVersion()
            }
            let writer = ServerWriter(connection, path: place)
            if options.recordsChanges {
                writer.note = { [self] in note(nextNumber(), $1, try $0.text(), checksVersion: false) }
            }
            try body(.engine(writer))
            do {
                try execute([ServerStatement("COMMIT")], connection)
            } catch let failure as ServerFailure where failure.error.code == .connectionLost {
                throw unknownOutcome(failure.error)
            }
        } catch {
            if connection.isInTransaction { _ = try? connection.execute([ServerStatement("ROLLBACK")]) }
            if let failure = error as? ServerFailure { throw failure.error }
            throw error
        }
    }

    private func execute(_ statements: [ServerStatement], _ connection: any ServerConnection) throws {
        _ = try connection.execute(statements)
    }

    func setNote(_ value: String?, forKey key: String) throws {
        try write(at: [0], { try $0.writeServerNote(value, forKey: key) }, didCommit: {})
    }
}
