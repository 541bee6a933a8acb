extension ContextSaver {
    /// Writes all changes (5B steps 5 and 6); if the store has conflicting changes, calls the merge policy and tries
    /// again.
    ///
    /// Conflicts are searched only after SQLite rejects a statement or a row has changed since it was read. At that
    /// point, the transaction has been rolled back, and all conflicts of one kind are collected: outdated rows, then
    /// references to deleted rows, then values that are not unique (U11). The policy runs without any transaction. A
    /// later attempt fails only because another context has saved in the meantime, or because it finds the next kind of
    /// conflict; if the same uniqueness conflict occurs again, it is an error.
    func writeResolvingConflicts() throws -> SaveEffects {
        var attempt = SaveAttempt()
        while true {
            do {
                let effects = try writeChanges(freeingUniqueValues: attempt.freesUniqueValues)
                editor.takeKeysOfReplacements()
                graph.forgetProvisionalKeys()
                return effects
            } catch let error where isConflict(error) {
                guard try resolve(error, &attempt) else { continue }
            }
            // Merged values may violate validation rules, and values are derived from them.
            try validateChanges()
            try deriveAttributes()
            try assignPermanentKeys()
        }
    }

    private struct SaveAttempt {
        var freesUniqueValues = false
        /// The uniqueness conflicts for which a policy was called.
        var seen: Set<ConstraintConflict.Signature> = []
        /// The number of attempts in which no conflict was found.
        var unexplained = 0
    }

    private func isConflict(_ error: any Error) -> Bool {
        if error is RowVersionMismatch { return true }
        return switch (error as? StoreError)?.violation {
        case .uniqueness, .rowKey, .reference: true
        case .mistypedValue, nil: false
        }
    }

    /// Resolves the conflicts that made a save fail.
    /// - Returns: Whether anything was resolved; otherwise trying again may help.
    private func resolve(_ error: any Error, _ attempt: inout SaveAttempt) throws -> Bool {
        let finder = ConflictFinder(editor)
        let violation = (error as? StoreError)?.violation
        let hasRowsOfNew = violation == .rowKey
        let outdated = try processor.readingOnce { try finder.findMergeConflicts(includesNew: hasRowsOfNew) }
        if !outdated.isEmpty {
            let isDerived = outdated.map(\.isOfDerivedAttributes)
            let derived = zip(outdated, isDerived).filter(\.1).map(\.0)
            let conflicts = zip(outdated, isDerived).filter { !$1 }.map(\.0)
            if !conflicts.isEmpty {
                try askPolicy { try mergePolicy.resolve(optimisticLockingConflicts: conflicts) }
                try editor.adopt(conflicts)
            }
            try takeNewRows(of: derived)
            try refreshSources(ofDerivationsIn: outdated.map(\.sourceObject))
            return true
        }
        if violation == .reference {
            let dangling = try processor.readingOnce { try finder.findDanglingReferences() }
            if !dangling.isEmpty {
                try resolve(dangling)
                return true
            }
        }
        if violation?.isOfUniqueness == true {
            attempt.freesUniqueValues = true
            let conflicts = try processor.readingOnce { try finder.findConstraintConflicts() }
            if !conflicts.isEmpty {
                let repeated = conflicts.filter { attempt.seen.contains($0.signature) }
                if !repeated.isEmpty { throw UniquenessConflictError(repeated) }
                try askPolicy { try mergePolicy.resolve(constraintConflicts: conflicts) }
                attempt.seen.formUnion(conflicts.filter { !$0.isPostponed }.map(\.signature))
                return true
            }
        }
        // The conflicting row may have been deleted by now, but an index of another program remains.
        attempt.unexplained += 1
        guard attempt.unexplained > 3 else { return false }
        guard let outdated = error as? RowVersionMismatch else { throw error }
        throw StoreError(missingRowsOf: outdated.entityName, path: store.path)
    }

    /// Runs the code of the merge policy.
    func askPolicy(_ body: () throws -> Void) throws {
        editor.beginResolving()
        defer { editor.endResolving() }
        try body()
    }

    /// Resolves references to rows that were deleted; policies in which the store takes precedence merge the deletion.
    func resolve(_ references: [DanglingReference]) throws {
        switch mergePolicy.mergeType {
        case .error, .mergeByPropertyObjectTrump, .overwrite:
            throw SaveConflictError(references, isWithParent: parent != nil)
        case .mergeByPropertyStoreTrump, .rollback:
            var deletedRows = DeletedRowKeys()
            for reference in references {
                let (key, rootIndex) = (reference.destination.key, reference.destination.runtimeEntity.rootIndex)
                deletedRows.rows.insert(IdentityMap.Key(rootIndex: rootIndex, key: key))
                guard let object = graph.registered(key: key, rootIndex: rootIndex) else { continue }
                deletedRows.objects.insert(object)
                if object.state == .clean || object.state == .updated { editor.leave(object) }
            }
            editor.removeReferences(to: deletedRows)
        }
    }
}
