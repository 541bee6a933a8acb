extension ResultsList {
    /// Returns the changes of a list after removals and insertions of rows.
    /// - Parameters:
    ///   - removals: The removed rows.
    ///   - placed: The inserted rows, some of which were removed before.
    ///   - updates: The changed rows that keep their position relative to the other rows.
    ///   - made: The sections that were created for inserted rows.
    func changes(
        _ removals: [Removal],
        _ placed: [ResultsRow],
        _ updates: [Removal],
        _ made: [ResultsSection]
    ) -> ResultsChanges {
        var changes = ResultsChanges()
        if let change = onlyMove(removals, placed, updates) {
            changes.rows = [change]
            return changes
        }
        let sectionsInPlace = compareSections(removals, made, &changes)
        let old = Dictionary(uniqueKeysWithValues: removals.map { ($0.row.key, $0) })
        let insertions = placed.map { (row: $0, position: position(of: $0)) }
        let removedPlaces = Dictionary(grouping: removals.map(\.position), by: \.section).mapValues {
            $0.map(\.row).sorted()
        }
        let insertedPlaces = Dictionary(grouping: insertions.map(\.position), by: \.section)
            .mapValues { $0.map(\.row).sorted() }
        // Rows that return to the section that they were in, by the current index of the section.
        var returns: [Int: [(row: ResultsRow, old: ResultsPosition, new: ResultsPosition)]] = [:]
        for (row, position) in insertions {
            guard let removal = old[row.key] else {
                changes.rows.append(.insert(row, at: position))
                continue
            }
            let isInSection =
                removal.section === row.section
                || removal.section.name == row.section?.name && sectionsInPlace.contains(removal.section.name)
            if isInSection {
                returns[position.section, default: []].append((row, removal.position, position))
            } else {
                changes.rows.append(.move(row, from: removal.position, to: position))
            }
        }
        for (section, rows) in returns {
            let inOrder = rows.map { Relocation(old: $0.old.row, new: $0.new.row) }.indexesInOrder(
                removed: removedPlaces[rows[0].old.section] ?? [],
                inserted: insertedPlaces[section] ?? []
            )
            for (index, row) in rows.enumerated() {
                changes.rows.append(
                    inOrder.contains(index)
                        ? .update(row.row, from: row.old, to: row.new) : .move(row.row, from: row.old, to: row.new)
                )
            }
        }
        for update in updates {
            changes.rows.append(.update(update.row, from: update.position, to: position(of: update.row)))
        }
        let kept = Set(placed.map(\.key))
        for removal in removals where !kept.contains(removal.row.key) {
            changes.rows.append(.delete(removal.row, at: removal.position))
        }
        changes.rows.sortByPlaces()
        return changes
    }

    /// Returns the change if a single row was removed and inserted again in its section, as in most events; otherwise,
    /// `nil`.
    private func onlyMove(_ removals: [Removal], _ placed: [ResultsRow], _ updates: [Removal]) -> ResultsChanges
        .RowChange?
    {
        guard removals.count == 1, placed.count == 1, updates.isEmpty, removals[0].row.key == placed[0].key,
            removals[0].section === placed[0].section
        else { return nil }
        let (row, old, new) = (placed[0], removals[0].position, position(of: placed[0]))
        return old == new ? .update(row, from: old, to: new) : .move(row, from: old, to: new)
    }

    /// Records which sections were inserted and deleted.
    ///
    /// A section that was removed and inserted again kept its position or is reported as both, because sections do not
    /// move.
    /// - Returns: The names of the sections that kept their position.
    private func compareSections(_ removals: [Removal], _ made: [ResultsSection], _ changes: inout ResultsChanges)
        -> Set<SectionName>
    {
        guard isSectioned else { return [] }
        var old: [SectionName: ResultsChanges.SectionChange] = [:]
        for removal in removals where removal.section.leaf == nil {
            old[removal.section.name] = .init(section: removal.section, index: removal.position.section)
        }
        var new: [SectionName: ResultsChanges.SectionChange] = [:]
        for section in made { new[section.name] = .init(section: section, index: sections.place(of: section)) }
        let both = old.keys.filter { new[$0] != nil }
        let relocations = both.compactMap { name in
            old[name].flatMap { old in new[name].map { Relocation(old: old.index, new: $0.index) } }
        }
        let inOrder = relocations.indexesInOrder(
            removed: old.values.map(\.index).sorted(),
            inserted: new.values.map(\.index).sorted()
        )
        let inPlace = Set(inOrder.map { both[$0] })
        changes.deletedSections = old.values.filter { !inPlace.contains($0.section.name) }.ordered {
            $0.index < $1.index
        }
        changes.insertedSections = new.values.filter { !inPlace.contains($0.section.name) }.ordered {
            $0.index < $1.index
        }
        return inPlace
    }
}
