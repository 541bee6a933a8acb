/// The measures of an entity's box and of the lines and texts at its border, in points.
enum BoxMetrics {
    static let headerHeight = 30.0
    static let rowHeight = 20.0
    /// The space below the last row.
    static let bottomPadding = 6.0
    /// The space left and right of a text.
    static let sidePadding = 12.0
    /// The space between the name of an attribute and its type.
    static let columnGap = 22.0
    /// The space between the name of an attribute and its note.
    static let noteGap = 6.0
    static let minimumWidth = 96.0

    /// The distance that a relationship's marks and names need from the border.
    static let markLength = 20.0
    /// The space from a line to the name beside it.
    static let labelGap = 10.0
    /// The width and height of a self-relationship's line, and the first one's distance from the top.
    static let loopReach = 32.0
    static let loopHeight = 30.0
    static let loopTop = 15.0
    /// The distance from the start of a self-relationship's line to the start of the next one.
    static let loopPitch = 54.0

    /// Returns the size that an entity's box needs for its texts.
    static func size(of node: ModelGraph.Node) -> (width: Double, height: Double) {
        var width = max(minimumWidth, TextMetrics.header.width(of: TextMetrics.shortened(node.name)) + 2 * sidePadding)
        for row in node.rows {
            let name = TextMetrics.row.width(of: TextMetrics.shortened(row.name))
            let note = row.note.map { TextMetrics.label.width(of: $0) + noteGap } ?? 0
            let type = TextMetrics.row.width(of: TextMetrics.shortened(row.type))
            width = max(width, name + note + columnGap + type + 2 * sidePadding)
        }
        let rows = node.rows.isEmpty ? 0 : Double(node.rows.count) * rowHeight + bottomPadding
        return (width.rounded(.up), headerHeight + rows)
    }

    /// Returns the height that a box needs for a number of self-relationships on its right side.
    static func height(forLoops count: Int) -> Double {
        count == 0 ? 0 : loopTop + Double(count - 1) * loopPitch + loopHeight + loopTop
    }

    /// Returns the width of the self-relationships with these names to the right of the box.
    static func reach(ofLoops names: [String]) -> Double {
        names.isEmpty ? 0 : loopReach + labelGap + (names.map { TextMetrics.label.width(of: $0) }.max() ?? 0)
    }
}
