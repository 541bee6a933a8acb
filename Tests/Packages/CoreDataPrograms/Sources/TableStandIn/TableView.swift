import Foundation

/// The rows of a table, as the table asks for them.
package protocol TableViewDataSource: AnyObject {
    func numberOfSections(in tableView: TableView) -> Int
    func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int
    func tableView(_ tableView: TableView, textForRow row: Int, inSection section: Int) -> String
    func tableView(_ tableView: TableView, titleForHeaderInSection section: Int) -> String?
}

/// A stand-in for UITableView, which keeps the rows on the screen and checks each batch of updates as UIKit does.
///
/// Rows that are deleted or reloaded have index paths from before the batch, rows that are inserted have index paths
/// from after it. A moved row is deleted and inserted. After the batch, each row that was not changed must have the
/// text of the data source, otherwise the problem is printed.
package final class TableView {
    package weak var dataSource: (any TableViewDataSource)?

    private var screen: [[String?]] = []
    private var deletedSections = IndexSet()
    private var insertedSections = IndexSet()
    private var deletedRows: Set<IndexPath> = []
    private var insertedRows: Set<IndexPath> = []
    private var reloadedRows: Set<IndexPath> = []
    private var isUpdating = false

    package init() {}

    package func reloadData() {
        screen = currentRows()
    }

    package func beginUpdates() {
        isUpdating = true
        deletedSections = []
        insertedSections = []
        deletedRows = []
        insertedRows = []
        reloadedRows = []
    }

    package func insertSections(_ sections: IndexSet) { insertedSections.formUnion(sections) }
    package func deleteSections(_ sections: IndexSet) { deletedSections.formUnion(sections) }
    package func insertRows(at paths: [IndexPath]) { insertedRows.formUnion(paths) }
    package func deleteRows(at paths: [IndexPath]) { deletedRows.formUnion(paths) }
    package func reloadRows(at paths: [IndexPath]) { reloadedRows.formUnion(paths) }

    package func moveRow(at path: IndexPath, to newPath: IndexPath) {
        deletedRows.insert(path)
        insertedRows.insert(newPath)
    }

    package func endUpdates() {
        guard isUpdating else { return report("endUpdates without beginUpdates") }
        isUpdating = false
        var sections: [[String?]] = []
        for (section, rows) in screen.enumerated() where !deletedSections.contains(section) {
            var kept: [String?] = []
            for (row, text) in rows.enumerated() {
                let path = IndexPath(indexes: [section, row])
                if deletedRows.contains(path) { continue }
                kept.append(reloadedRows.contains(path) ? nil : text)
            }
            sections.append(kept)
        }
        for path in deletedRows.union(reloadedRows) where !exists(path) { report("no row \(path[0]).\(path[1])") }
        for section in insertedSections {
            guard section <= sections.count else { return report("cannot insert section \(section)") }
            sections.insert([], at: section)
        }
        for path in insertedRows.sorted() {
            guard path[0] < sections.count, path[1] <= sections[path[0]].count else {
                return report("cannot insert row \(path[0]).\(path[1])")
            }
            sections[path[0]].insert(nil, at: path[1])
        }
        compare(sections, with: currentRows())
        screen = currentRows()
    }

    /// Prints the sections and rows that are on the screen.
    package func draw() {
        for (section, rows) in screen.enumerated() {
            if let title = dataSource?.tableView(self, titleForHeaderInSection: section) { print("  \(title)") }
            for text in rows { print("    \(text ?? "")") }
        }
        if screen.isEmpty { print("  (empty)") }
    }

    private func exists(_ path: IndexPath) -> Bool {
        screen.indices.contains(path[0]) && screen[path[0]].indices.contains(path[1])
    }

    private func currentRows() -> [[String?]] {
        guard let source = dataSource else { return [] }
        return (0..<source.numberOfSections(in: self)).map { section in
            (0..<source.tableView(self, numberOfRowsInSection: section)).map { row in
                source.tableView(self, textForRow: row, inSection: section)
            }
        }
    }

    private func compare(_ sections: [[String?]], with current: [[String?]]) {
        guard sections.count == current.count else {
            return report("\(sections.count) sections after the updates, the data source has \(current.count)")
        }
        for (section, (rows, expected)) in zip(sections, current).enumerated() {
            guard rows.count == expected.count else {
                report("\(rows.count) rows in section \(section), the data source has \(expected.count)")
                continue
            }
            for (row, text) in rows.enumerated() where text != nil && text != expected[row] {
                report("row \(section).\(row) shows '\(text ?? "")', not '\(expected[row] ?? "")'")
            }
        }
    }

    private func report(_ problem: String) {
        print("  INVALID UPDATE: \(problem)")
    }
}
