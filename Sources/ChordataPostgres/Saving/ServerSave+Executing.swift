internal import Chordata
internal import ChordataPredicate

extension ServerSave {
    /// Executes the save and the statements that begin and end its transaction: in one round trip, or in several if it
    /// copies rows or computes derived attributes.
    /// - Parameters:
    ///   - begin: The statements that are executed first.
    ///   - end: The statements that are executed last.
    ///   - writer: The writer with the connection of the transaction.
    ///   - didDerive: A closure that is called with the rows whose derived attributes were computed.
    /// - Throws: ``ServerFailure`` with the index of the statement among all statements.
    package func execute(
        _ plan: SavePlan,
        between begin: [ServerStatement],
        and end: [ServerStatement],
        with writer: ServerWriter,
        _ effects: inout SaveEffects,
        didDerive: ([DerivedRow]) throws -> Void
    ) throws {
        func execute(_ statements: [ServerStatement], at start: Int) throws {
            do {
                _ = try writer.connection.execute(statements) { index, cells in
                    let place = start + index - begin.count
                    if roles.indices.contains(place) { record(cells, roles[place], &effects) }
                }
            } catch let failure as ServerFailure {
                throw ServerFailure(failure.error, at: failure.index.map { start + $0 })
            }
        }
        guard let derivationPlan = plan.derivations else { return try execute(begin + statements + end, at: 0) }
        try execute(begin, at: 0)
        let endIndex = begin.count + statements.count
        do {
            var derivations = try StoredDerivations(
                derivationPlan,
                in: plan.schema,
                .engine(writer),
                derivationPlan.evaluator
            )
            try execute(statements, at: begin.count)
            if let values = plan.values {
                let keys = effects.firstKey..<effects.firstKey + Int64(values.rows.count)
                derivations.setInserted(Array(keys), of: values.rows.type)
            }
            effects.derivedRows = try derivations.execute()
            try didDerive(effects.derivedRows)
        } catch let error as StoreError {
            throw ServerFailure(error, at: endIndex)
        }
        try execute(end, at: endIndex)
    }

    func record(
        _ cells: UnsafeMutableBufferPointer<StoreCell>,
        _ role: Role,
        _ effects: inout SaveEffects
    ) {
        switch role {
        case .other, .note, .change: break
        case .nullification(let nullification):
            guard case .integer(let key) = cells[0], case .integer(let version) = cells[1] else { return }
            var type = nullification.type
            if cells.count > 2, case .text(let name) = cells[2] {
                type = schema.runtimeEntity(named: String(decoding: name, as: UTF8.self)) ?? type
            }
            effects.nullifiedRows.append(nullification.row(type, key, version))
        }
    }
}

extension ServerSave.Role {
    /// Returns the error that a context receives when the statement has failed.
    func cause(of error: StoreError, _ schema: StoreSchema) -> any Error {
        if case .change(let entityName) = self, error.sqlState == "22012" {
            return RowVersionMismatch(entityName: entityName)
        }
        return schema.mapping.withColumns(error)
    }
}
