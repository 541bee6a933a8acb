/// Consecutive rows with the same section name.
final class ResultsSection: OrderStatisticTreeElement {
    let name: SectionName
    let rows: OrderStatisticTree<ResultsRow>
    unowned(unsafe) var leaf: OrderStatisticTree<ResultsSection>.Node?

    fileprivate init(name: SectionName, rows: [ResultsRow] = []) {
        self.name = name
        self.rows = OrderStatisticTree(rows)
        for row in rows { row.section = self }
    }
}

/// The rows and sections that a results controller shows: the list is updated with the changes of rows in an event, and
/// returns the resulting changes of the list.
///
/// The cost of an update depends on the number of reported rows, and on the logarithm of the number of all rows. The
/// list does not use the context or objects: rows are sorted by the values that they keep.
final class ResultsList {
    /// An error for two sections with the same name: the sorted rows of the section are not consecutive.
    struct RecurringSection: Error {
        let name: SectionName
    }

    private let order: ResultsOrder
    /// A Boolean value that indicates whether there is a section for each section name; otherwise, there is always one
    /// section.
    let isSectioned: Bool
    let sections: OrderStatisticTree<ResultsSection>
    private var sectionsByName: [SectionName: ResultsSection] = [:]
    private var rows: [Int64: ResultsRow]

    /// Creates a list.
    /// - Parameter sorted: The rows in their order.
    init(_ sorted: [ResultsEntry], order: ResultsOrder, isSectioned: Bool) throws(RecurringSection) {
        self.order = order
        self.isSectioned = isSectioned
        rows = Dictionary(minimumCapacity: sorted.count)
        for entry in sorted { rows[entry.row.key] = entry.row }
        var made: [ResultsSection] = []
        if isSectioned {
            var start = 0
            while start < sorted.count {
                let name = sorted[start].sectionName
                let end = sorted[start...].firstIndex { $0.sectionName != name } ?? sorted.count
                let section = ResultsSection(name: name, rows: sorted[start..<end].map(\.row))
                guard sectionsByName.updateValue(section, forKey: name) == nil else {
                    throw RecurringSection(name: name)
                }
                made.append(section)
                start = end
            }
        } else {
            made = [ResultsSection(name: .empty, rows: sorted.map(\.row))]
        }
        sections = OrderStatisticTree(made)
    }

    /// Creates a list without sections.
    /// - Parameter sorted: The rows in their order.
    init(_ sorted: [ResultsRow], order: ResultsOrder) {
        self.order = order
        isSectioned = false
        rows = Dictionary(uniqueKeysWithValues: sorted.map { ($0.key, $0) })
        sections = OrderStatisticTree([ResultsSection(name: .empty, rows: sorted)])
    }

    // MARK: Rows

    var count: Int { rows.count }
    subscript(key: Int64) -> ResultsRow? { rows[key] }
    var last: ResultsRow? { sections.last?.rows.last }

    func position(of row: ResultsRow) -> ResultsPosition {
        guard let section = row.section else { preconditionFailure("the row is not in a list") }
        return ResultsPosition(section: sections.place(of: section), row: section.rows.place(of: row))
    }

    func forEach(_ body: (ResultsRow) throws -> Void) rethrows {
        try sections.forEach { try $0.rows.forEach(body) }
    }

    /// Changes the key of a row.
    ///
    /// The row keeps its position until the list is next updated with it.
    func changeKey(_ old: Int64, to new: Int64) {
        guard let row = rows.removeValue(forKey: old) else { return }
        row.key = new
        rows[new] = row
    }

    private func areInOrder(_ left: ResultsRow, _ right: ResultsRow) -> Bool { order.areInOrder(left, right) }

    // MARK: Changes

    /// The data of a removed row, which may be inserted elsewhere.
    struct Removal {
        let row: ResultsRow
        let section: ResultsSection
        let position: ResultsPosition
    }

    /// Changes the list; after an error, the list is unchanged.
    /// - Parameters:
    ///   - changed: The current rows, each once: new rows, and rows that replace rows with the same key.
    ///   - removed: The keys of rows to remove; they do not include keys of changed rows.
    ///   - limit: The maximum number of rows, beyond which the last rows are removed; 0 for all.
    ///   - quiet: The keys of rows that are not reported if they keep their position.
    func apply(
        _ changed: [ResultsEntry],
        removing removed: [Int64],
        limit: Int = 0,
        suppressingUpdatesOf quiet: Set<Int64> = []
    ) throws(RecurringSection) -> ResultsChanges {
        var removals = removed.compactMap { rows[$0] }.map(removal)
        var updates: [Removal] = []
        var placed: [ResultsEntry] = []
        for entry in changed {
            guard let known = rows[entry.row.key] else {
                placed.append(entry)
                continue
            }
            if isInPlace(known, entry) {
                updates.append(removal(of: known))
                known.take(entry.row)
            } else {
                removals.append(removal(of: known))
                placed.append(entry)
            }
        }
        let surplus = limit > 0 ? max(0, rows.count - removals.count + placed.count - limit) : 0
        // These rows may have to be removed because of the limit; their positions would then be unknown.
        let candidates = lastRows(surplus > 0 ? surplus + removals.count : 0).map(removal)
        for removal in removals { takeOut(removal.row) }
        let dropped = dropLast(surplus, of: &placed)
        if !dropped.isEmpty {
            removals += candidates.filter { dropped.contains(ObjectIdentifier($0.row)) }
            updates.removeAll { dropped.contains(ObjectIdentifier($0.row)) }
        }
        var made: [ResultsSection] = []
        var count = 0
        do {
            for entry in placed {
                if let section = try put(entry) { made.append(section) }
                count += 1
            }
        } catch {
            for entry in placed[..<count] { takeOut(entry.row) }
            restore(removals)
            throw error
        }
        var changes = changes(removals, placed.map(\.row), updates, made)
        if !quiet.isEmpty {
            changes.rows.removeAll { change in
                if case .update(let row, _, _) = change { quiet.contains(row.key) } else { false }
            }
        }
        return changes
    }

    /// Removes the last rows first, so that none of them can be inside a section to which it does not belong.
    /// - Returns: The rows that were removed.
    private func dropLast(_ surplus: Int, of placed: inout [ResultsEntry]) -> Set<ObjectIdentifier> {
        guard surplus > 0 else { return [] }
        placed.sort { areInOrder($0.row, $1.row) }
        var dropped: Set<ObjectIdentifier> = []
        for _ in 0..<surplus {
            if let row = last, placed.last.map({ areInOrder($0.row, row) }) ?? true {
                takeOut(row)
                dropped.insert(ObjectIdentifier(row))
            } else {
                placed.removeLast()
            }
        }
        return dropped
    }

    private func removal(of row: ResultsRow) -> Removal {
        guard let section = row.section else { preconditionFailure("the row is not in a list") }
        return Removal(row: row, section: section, position: position(of: row))
    }

    /// Returns a Boolean value that indicates whether a row is already at the position where it belongs.
    func isInPlace(_ entry: ResultsEntry) -> Bool { rows[entry.row.key].map { isInPlace($0, entry) } ?? false }

    private func isInPlace(_ known: ResultsRow, _ entry: ResultsEntry) -> Bool {
        (!isSectioned || known.section?.name == entry.sectionName) && !areInOrder(known, entry.row)
            && !areInOrder(entry.row, known)
    }

    private func lastRows(_ number: Int) -> [ResultsRow] {
        var result: [ResultsRow] = []
        guard number > 0 else { return result }
        for sectionPlace in (0..<sections.count).reversed() {
            let rows = sections[sectionPlace].rows
            for place in (0..<rows.count).reversed() {
                result.append(rows[place])
                if result.count == number { return result }
            }
        }
        return result
    }

    private func takeOut(_ row: ResultsRow) {
        guard let section = row.section else { preconditionFailure("the row is not in a list") }
        rows[row.key] = nil
        section.rows.remove(row)
        row.section = nil
        if isSectioned, section.rows.isEmpty {
            sections.remove(section)
            sectionsByName[section.name] = nil
        }
    }

    /// Inserts a row at its position.
    /// - Returns: The section that was created for the row; `nil` if no section was created.
    private func put(_ entry: ResultsEntry) throws(RecurringSection) -> ResultsSection? {
        let (row, name) = (entry.row, entry.sectionName)
        guard isSectioned else {
            put(row, in: sections[0])
            return nil
        }
        // No other row is between two rows of a section.
        if let section = sectionsByName[name], let first = section.rows.first, let last = section.rows.last,
            areInOrder(first, row), areInOrder(row, last)
        {
            put(row, in: section)
            return nil
        }
        let next = sections.firstPlace { $0.rows.first.map { areInOrder(row, $0) } ?? true }
        let previous = next > 0 ? sections[next - 1] : nil
        if let previous, previous.name == name {
            put(row, in: previous)
        } else if let previous, let end = previous.rows.last, areInOrder(row, end) {
            // The row would be inside another section.
            throw RecurringSection(name: sectionsByName[name] == nil ? previous.name : name)
        } else if next < sections.count, sections[next].name == name {
            put(row, in: sections[next])
        } else if sectionsByName[name] != nil {
            throw RecurringSection(name: name)
        } else {
            let section = ResultsSection(name: name)
            sectionsByName[name] = section
            sections.insert(section, at: next)
            put(row, in: section)
            return section
        }
        return nil
    }

    private func put(_ row: ResultsRow, in section: ResultsSection) {
        put(row, in: section, at: section.rows.firstPlace { areInOrder(row, $0) })
    }

    private func put(_ row: ResultsRow, in section: ResultsSection, at place: Int) {
        section.rows.insert(row, at: place)
        row.section = section
        rows[row.key] = row
    }

    /// Inserts rows at their previous positions again.
    private func restore(_ removals: [Removal]) {
        for removal in removals.ordered(by: { $0.position < $1.position }) {
            let section = removal.section
            if section.leaf == nil {
                sectionsByName[section.name] = section
                sections.insert(section, at: removal.position.section)
            }
            put(removal.row, in: section, at: removal.position.row)
        }
    }
}
