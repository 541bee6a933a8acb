internal import ChordataModel

/// Rows whose derived attributes are computed in rounds: objects in memory, or rows of a store by SQL.
protocol DerivationRounds {
    /// Some of the rows.
    associatedtype Rows

    /// Computes the derived attributes of some rows.
    /// - Returns: The rows whose values have changed; `nil` if no value has changed.
    mutating func derive(_ rows: Rows) throws -> Rows?

    /// Records the rows that a round has changed.
    /// - Returns: A Boolean value that indicates whether one of them was not changed by any earlier round.
    mutating func trackChanges(of rows: Rows) -> Bool

    /// Returns the rows that derive from rows that a round has changed; `nil` to end the rounds.
    func dependents(of changed: Rows) throws -> Rows?

    /// Returns the names of the entities that an error names when the rounds do not end.
    func entityNames(of changed: Rows) -> Set<String>
}

extension DerivationRounds {
    /// Returns `false`: the rows of all rounds are those of the first round.
    mutating func trackChanges(of rows: Rows) -> Bool { false }

    /// Computes the derived attributes of some rows, and then of the rows that derive from them, until nothing changes.
    ///
    /// The length of a chain of rows that derive from each other depends on the contents of the store. So the limit is
    /// the number of rounds in a row that change only rows that earlier rounds have changed: these rows form a cycle.
    /// - Throws: ``ChangeLimitExceededError`` if there are more such rounds than its limit.
    mutating func deriveInRounds(_ rows: Rows) throws {
        var rows = rows
        var roundsWithoutNewRows = 0
        while let changed = try derive(rows) {
            roundsWithoutNewRows = trackChanges(of: changed) ? 0 : roundsWithoutNewRows + 1
            guard let dependents = try dependents(of: changed) else { return }
            guard roundsWithoutNewRows < ChangeLimitExceededError.limit else {
                throw ChangeLimitExceededError(derivationsOf: entityNames(of: changed))
            }
            rows = dependents
        }
    }
}

extension StoreSchema {
    /// Calls a closure with each entity that has instances, each path from it to objects from which it derives, and the
    /// entity at the end of the path.
    func forEachPath(
        of derivations: [[Derivation]],
        _ body: (RuntimeEntity, _ path: [RelationshipDescription], _ destinationName: String) throws -> Void
    ) rethrows {
        for type in runtimeEntities where !type.entity.isAbstract {
            for path in Set(derivations[type.index].flatMap(\.paths)) {
                try body(type, path, path[path.count - 1].destinationEntityName)
            }
        }
    }
}
