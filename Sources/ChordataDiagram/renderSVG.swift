internal import ChordataModel

/// Writes a layout as a self-contained SVG document.
///
/// It paints its own background, because a page and its reader's system may differ in light or dark mode. It uses
/// neither scripts nor CSS variables nor markers, which not every SVG viewer supports.
/// - Complexity: O(n) in the size of the layout.
package func renderSVG(_ layout: DiagramLayout) -> String {
    let width = number(layout.width.rounded(.up))
    let height = number(layout.height.rounded(.up))
    var text = """
        <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" viewBox="0 0 \(width) \(height)" \
        role="img" aria-labelledby="title">
        <title id="title">\(escape(layout.title, with: .drawing))</title>
        <style>
        \(styleSheet)
        </style>
        <rect class="canvas" width="\(width)" height="\(height)" rx="8"/>

        """
    for edge in layout.edges {
        text += "<path class=\"line\" d=\"\(pathData(edge.path))\"/>\n"
        text += renderEndMarks(edge)
    }
    for box in layout.boxes { text += renderBox(box) }
    for label in layout.edges.flatMap(\.labels) {
        let style = label.alignment == .center ? "label middle" : "label"
        text += textElement(label.text, style, x: label.position.x, y: label.position.y + 4)
    }
    return text + "</svg>\n"
}

private func renderBox(_ box: DiagramLayout.Box) -> String {
    let header = BoxMetrics.headerHeight
    let (x, y, width, height) = (number(box.x), number(box.y), number(box.width), number(box.height))
    var text = "<g>\n<rect class=\"box\" x=\"\(x)\" y=\"\(y)\" width=\"\(width)\" height=\"\(height)\" rx=\"6\"/>\n"
    if box.height > header {
        let bottom = number(box.y + header)
        // The header has rounded corners where the box has them, and ends in a straight line.
        text +=
            "<path class=\"header\" d=\"M\(x) \(bottom)V\(number(box.y + 6))a6 6 0 0 1 6 -6H\(number(box.x + box.width - 6))"
        text += "a6 6 0 0 1 6 6V\(bottom)Z\"/>\n"
    } else {
        text += "<rect class=\"header\" x=\"\(x)\" y=\"\(y)\" width=\"\(width)\" height=\"\(height)\" rx=\"6\"/>\n"
    }
    text += textElement(
        TextMetrics.shortened(box.node.name),
        box.node.isAbstract ? "name abstract" : "name",
        x: box.x + box.width / 2,
        y: box.y + header / 2 + 5
    )
    for (index, row) in box.node.rows.enumerated() {
        let baseline = box.y + header + Double(index) * BoxMetrics.rowHeight + BoxMetrics.rowHeight / 2 + 7
        let name = TextMetrics.shortened(row.name)
        let start = box.x + BoxMetrics.sidePadding
        text += textElement(name, "row", x: start, y: baseline)
        if let note = row.note {
            let noteStart = start + TextMetrics.row.width(of: name) + BoxMetrics.noteGap
            text += textElement(note, "note", x: noteStart, y: baseline)
        }
        let end = box.x + box.width - BoxMetrics.sidePadding
        text += textElement(TextMetrics.shortened(row.type), "type", x: end, y: baseline)
    }
    return text + "</g>\n"
}

private func textElement(_ text: String, _ style: String, x: Double, y: Double) -> String {
    "<text class=\"\(style)\" x=\"\(number(x))\" y=\"\(number(y))\">\(escape(text, with: .drawing))</text>\n"
}

private func pathData(_ path: DiagramLayout.Path) -> String {
    switch path {
    case .curve(let points):
        var data = points.first.map { "M\(coordinates($0))" } ?? ""
        for start in stride(from: 1, to: points.count - 2, by: 3) {
            data += "C" + points[start..<start + 3].map(coordinates).joined(separator: " ")
        }
        return data
    case .polyline(let points):
        return roundedPathData(points)
    }
}

/// A polyline whose corners are arcs where the adjacent pieces are long enough.
private func roundedPathData(_ points: [DiagramLayout.Point]) -> String {
    guard let first = points.first, let last = points.last else { return "" }
    var data = "M\(coordinates(first))"
    for index in points.indices.dropFirst().dropLast() {
        let corner = points[index]
        let radius = min(8, corner.distance(to: points[index - 1]) / 2, corner.distance(to: points[index + 1]) / 2)
        data += "L\(coordinates(corner.moved(towards: points[index - 1], by: radius)))"
        data += "Q\(coordinates(corner)) \(coordinates(corner.moved(towards: points[index + 1], by: radius)))"
    }
    return data + "L\(coordinates(last))"
}

/// The colours are those of GitHub, where the diagram is most often shown in a README.
private let styleSheet = """
    text { font-family: -apple-system, BlinkMacSystemFont, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif; }
    .canvas { fill: #ffffff; }
    .box { fill: #ffffff; stroke: #c8d1da; }
    .header { fill: #eaf1fb; stroke: #c8d1da; }
    .name { font-size: 14px; font-weight: 600; text-anchor: middle; fill: #1f2328; }
    .abstract { font-style: italic; }
    .row { font-size: 12.5px; fill: #1f2328; }
    .type { font-size: 12.5px; text-anchor: end; fill: #59636e; }
    .note { font-size: 11px; font-style: italic; fill: #59636e; }
    .label { font-size: 11px; fill: #59636e; stroke: #ffffff; stroke-width: 4px; stroke-linejoin: round; paint-order: stroke; }
    .middle { text-anchor: middle; }
    .line { fill: none; stroke: #818b98; stroke-width: 1.3; }
    .mark { fill: #ffffff; stroke: #818b98; stroke-width: 1.3; stroke-linejoin: round; }
    @media (prefers-color-scheme: dark) {
      .canvas { fill: #0d1117; }
      .box { fill: #151b23; stroke: #3d444d; }
      .header { fill: #1f2a3a; stroke: #3d444d; }
      .name, .row { fill: #f0f6fc; }
      .type, .note { fill: #9198a1; }
      .label { fill: #9198a1; stroke: #0d1117; }
      .line { stroke: #656c76; }
      .mark { fill: #0d1117; stroke: #656c76; }
    }
    """
