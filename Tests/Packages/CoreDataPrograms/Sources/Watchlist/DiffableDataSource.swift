import Foundation

/// A stand-in for UITableViewDiffableDataSource, which prints the differences between two snapshots.
final class DiffableDataSource<Item: Hashable> {
    typealias CellProvider = (Item) -> String?

    private let cellProvider: CellProvider
    private var sections: [(name: String, items: [Item])] = []
    private var cells: [Item: String] = [:]

    init(cellProvider: @escaping CellProvider) {
        self.cellProvider = cellProvider
    }

    func apply(_ new: [(name: String, items: [Item])], animatingDifferences: Bool) {
        let oldSections = sectionOfItem(in: sections)
        let newSections = sectionOfItem(in: new)
        var newCells: [Item: String] = [:]
        for item in newSections.keys { newCells[item] = cellProvider(item) ?? "(no cell)" }
        if animatingDifferences {
            var lines: [String] = []
            let oldNames = Set(sections.map(\.name))
            let newNames = Set(new.map(\.name))
            lines += oldNames.subtracting(newNames).map { "- section \($0)" }
            lines += newNames.subtracting(oldNames).map { "+ section \($0)" }
            for (item, section) in newSections {
                let text = newCells[item] ?? ""
                if let old = oldSections[item] {
                    if old != section { lines.append("> \(text): \(old) to \(section)") }
                    if cells[item] != text { lines.append("~ \(text)") }
                } else {
                    lines.append("+ \(text)")
                }
            }
            for item in oldSections.keys where newSections[item] == nil { lines.append("- \(cells[item] ?? "")") }
            for line in lines.sorted() { print("  \(line)") }
        }
        sections = new
        cells = newCells
    }

    func draw() {
        for section in sections {
            print("  \(section.name)")
            for item in section.items { print("    \(cells[item] ?? "")") }
        }
    }

    private func sectionOfItem(in sections: [(name: String, items: [Item])]) -> [Item: String] {
        var result: [Item: String] = [:]
        for section in sections {
            for item in section.items { result[item] = section.name }
        }
        return result
    }
}
