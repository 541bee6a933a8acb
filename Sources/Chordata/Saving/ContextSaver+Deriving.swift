internal import ChordataModel
internal import ChordataSQL

// Derived attributes are computed during a save (5B step 4), from the values that are in memory by then.

extension ContextSaver {
    /// Computes the derived attributes of the objects that are about to be saved, and of the objects that depend on
    /// them.
    func deriveAttributes() throws {
        guard schema.hasDerivations else { return }
        var objects = DerivedObjects(self, try schema.derivations())
        let changed = graph.changedObjects
        try objects.deriveInRounds(changed + objects.owners(of: changed))
    }

    /// Refreshes objects in which only derived attributes were changed, in the context or in the store, from their new
    /// rows.
    func takeNewRows(of conflicts: [MergeConflict]) throws {
        for conflict in conflicts {
            guard let row = conflict.row, try editor.refresh(conflict.sourceObject, from: row) else { continue }
            try editor.settleOneToOnes(of: conflict.sourceObject, row.values)
            graph.recordRefresh(of: conflict.sourceObject)
        }
    }

    /// Refreshes the objects from which derived attributes are computed, if they have no unsaved changes, because the
    /// store has changed since they were read.
    func refreshSources(ofDerivationsIn objects: [ManagedObject]) throws {
        guard schema.hasDerivations else { return }
        let derivations = try schema.derivations()
        for object in objects where object.state == .updated || object.state == .inserted {
            for path in Set(derivations[object.runtimeEntity.index].flatMap(\.paths)) {
                var ends = [object]
                for step in path {
                    ends = ends.flatMap { end in
                        end.runtimeEntity.field(named: step.name).flatMap { end.runtimeEntity.relationships[$0.index] }
                            .map { editor.targets(of: end, $0) } ?? []
                    }
                    let outdated = ends.filter { $0.state == .clean && !$0.isFault }
                    for (index, group) in Dictionary(grouping: outdated, by: \.runtimeEntity.index).orderedByKey {
                        let keys = Set(group.map(\.key)).sorted()
                        graph.recordRefresh(of: try editor.refreshRows(of: keys, type: schema.runtimeEntities[index]))
                    }
                }
            }
        }
    }

    // MARK: In the store

    /// Returns the change of a row by derived attributes, in the form that other contexts merge.
    func changes(of derived: DerivedRow) -> ChangeSet.Row {
        let type = derived.row.values.runtimeEntity
        return ChangeSet.Row(
            kind: .updated,
            type: type,
            key: derived.row.key,
            version: derived.row.version,
            values: derived.row.values,
            changes: FieldChanges(fields: type.derivedMask, baseVersion: derived.baseVersion)
        )
    }

    /// Gives registered objects the derived values that a save has computed.
    ///
    /// An object whose row other contexts have changed too keeps its version and its other values until it merges them.
    func takeDerivedValues(of rows: [DerivedRow]) {
        for derived in rows {
            let row = derived.row
            let type = row.values.runtimeEntity
            guard let known = graph.registered(key: row.key, rootIndex: type.rootIndex), !known.isFault,
                known.runtimeEntity === type
            else { continue }
            guard known.state == .clean else { continue }
            if !editor.takeDerivedValues(derived, into: known), !merger.inbox.isEmpty {
                // If changes of other contexts wait to be merged, the derived values are merged after them.
                merger.inbox.post(ChangeSet(rows: [changes(of: derived)]))
            }
        }
    }
}
