import Contest
import Foundation

/// A table that is printed row by row, as its rows are measured.
struct Table {
    /// Columns with a title above them.
    struct Group {
        var title: String
        var columns: [String]
    }

    /// The title of the first column.
    var corner: String
    var groups: [Group]

    private static let cornerWidth = 10
    private static let columnWidth = 11

    /// Prints the title and the names of the columns.
    func printHeader(_ title: String) {
        var titles = padded("", to: Self.cornerWidth)
        var names = padded(corner, to: Self.cornerWidth)
        for group in groups {
            titles += padded("   " + group.title, to: Self.columnWidth * group.columns.count)
            for column in group.columns { names += padded(column, to: Self.columnWidth, right: true) }
        }
        print("\n\(title)\n\(titles)\n\(names)")
    }

    /// Prints a row: one number for each column, or `nil` if it was not measured.
    func printRow(_ label: String, _ cells: [Double?]) {
        var row = padded(label, to: Self.cornerWidth)
        for cell in cells { row += padded(cell.map(formatted) ?? "-", to: Self.columnWidth, right: true) }
        print(row)
        // A file of the output shows the progress of a long run.
        fflush(nil)
    }
}

/// Returns the quotient of two numbers; `nil` if one of them was not measured.
func ratio(_ number: Double?, _ other: Double?) -> Double? {
    guard let number, let other, other > 0 else { return nil }
    return number / other
}

private func formatted(_ number: Double) -> String {
    String(format: "%.\(number >= 1_000 ? 0 : number >= 100 ? 1 : 2)f", number)
}
