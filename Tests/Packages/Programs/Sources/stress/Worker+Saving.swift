import Chordata

extension Worker {
    func save() throws {
        // A report from before the deletion of a row would restore the row if it were merged after the deletion.
        merge()
        let steps: [Step]
        switch state.share {
        case .nothing:
            try context.save()
            steps = []
        case .counters: steps = try Bool.random(using: &state.random) ? saveAgainAndAgain() : saveAddingUp()
        case .stamps: steps = try saveStamps()
        }
        noteSave(steps)
    }

    // The players are retained: a save releases unreferenced objects, which would be read again, with later saves of
    // other workers.

    private func countedPlayers() throws -> [(name: String, player: Player, increment: Int16)] {
        try increments.enumerated().filter { $0.element > 0 }.map { counter, increment in
            (shared.counters[counter].name, try object(shared.counters[counter].id), increment)
        }
    }

    /// Saves with the error policy until there is no conflict.
    private func saveAgainAndAgain() throws -> [Step] {
        context.mergePolicy = .error
        while true {
            let counted = try countedPlayers()
            let steps = counted.map { Step(name: $0.name, old: $0.player.age - $0.increment, new: $0.player.age) }
            do {
                try context.save()
                return steps
            } catch let conflict as SaveConflictError {
                try check(conflict, isAbout: shared.counters)
                for (_, player, increment) in counted {
                    context.refresh(player, mergeChanges: false)
                    player.age += increment
                }
            }
        }
    }

    /// Saves with a policy that adds the increments of both sides.
    private func saveAddingUp() throws -> [Step] {
        let policy = Adding(shared.counters)
        context.mergePolicy = policy
        let counted = try countedPlayers()
        try context.save()
        for _ in 0..<policy.conflictCount { shared.journal.noteConflict() }
        return counted.map { Step(name: $0.name, old: $0.player.age - $0.increment, new: $0.player.age) }
    }

    /// Saves with a random policy.
    ///
    /// The recorded steps are those that the policy guarantees for the stamps.
    private func saveStamps() throws -> [Step] {
        let set: [(stamp: SharedObject, player: Player, value: Int16)] = try stamps.sorted { $0.key < $1.key }.map {
            (shared.stamps[$0.key], try object(shared.stamps[$0.key].id), $0.value)
        }
        let types: [MergePolicyType] = [
            .error, .mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump, .overwrite, .rollback,
        ]
        let type = types.randomElement(using: &state.random) ?? .error
        while true {
            let policy = Watched(shared.stamps, merge: type)
            context.mergePolicy = policy
            let committed = set.map { $0.player.committedValues(forKeys: ["age"])["age"] as? Int16 ?? 0 }
            do {
                try context.save()
            } catch let conflict as SaveConflictError {
                try check(conflict, isAbout: shared.stamps)
                for (_, player, value) in set {
                    context.refresh(player, mergeChanges: false)
                    player.age = value
                }
                continue
            }
            var steps: [Step] = []
            for ((stamp, player, value), committed) in zip(set, committed) {
                let stored = policy.stored[stamp.id]
                if stored != nil { shared.journal.noteConflict() }
                switch type {
                case .mergeByPropertyStoreTrump where stored != nil, .rollback where stored != nil:
                    guard player.age == stored else {
                        throw finding("'\(stamp.name)' is \(player.age), and the store had \(stored ?? 0)")
                    }
                case .error, .mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump, .overwrite, .rollback:
                    guard player.age == value else { throw finding("'\(stamp.name)' is \(player.age), not \(value)") }
                    steps.append(Step(name: stamp.name, old: stored ?? committed, new: value))
                }
            }
            return steps
        }
    }

    private func check(_ conflict: SaveConflictError, isAbout objects: [SharedObject]) throws(Finding) {
        guard conflict.conflicts.allSatisfy({ conflict in objects.contains { $0.id == conflict.objectID } }) else {
            throw finding("\(conflict), and no other worker changes it")
        }
        shared.journal.noteConflict()
    }

    /// Records a save, and then releases some of its rows, so that no other worker can record a later change before it.
    private func noteSave(_ steps: [Step]) {
        var changes = SavedChanges(steps: steps)
        for name in Set(pending.keys).union(state.saved.keys) where pending[name] != state.saved[name] {
            changes.rows.updateValue(pending[name], forKey: name)
            if pending[name] == nil, !name.hasPrefix("\(state.number)-") { shared.journal.noteForeignDeletion() }
        }
        shared.journal.note(changes)
        for (name, player) in inserted { state.ids[name] = player.objectID }
        state.saved = pending
        for (name, row) in state.saved.sorted(by: { $0.key < $1.key }) {
            guard Int.random(in: 0..<8, using: &state.random) == 0, shared.pool.hasRoom, let id = state.ids[name]
            else { continue }
            state.saved[name] = nil
            state.ids[name] = nil
            state.owned.remove(name)
            shared.pool.give(GivenRow(name: name, id: id, row: row))
        }
        forget()
    }
}
