extension DiagramLayout {
    /// Moves everything so that it begins at the margin, and makes the canvas as large as necessary.
    mutating func fitCanvas(margin: Double) {
        var points: [Point] = []
        for box in boxes {
            points += [Point(x: box.x, y: box.y), Point(x: box.x + box.width, y: box.y + box.height)]
        }
        for edge in edges {
            points += edge.path.points
            for label in edge.labels {
                let left = label.position.x - (label.alignment == .center ? label.width / 2 : 0)
                let halfHeight = TextMetrics.label.fontSize / 2
                points.append(Point(x: left, y: label.position.y - halfHeight))
                points.append(Point(x: left + label.width, y: label.position.y + halfHeight))
            }
        }
        let left = points.map(\.x).min() ?? 0
        let top = points.map(\.y).min() ?? 0
        width = (points.map(\.x).max() ?? 0) - left + 2 * margin
        height = (points.map(\.y).max() ?? 0) - top + 2 * margin
        let offset = Point(x: margin - left, y: margin - top)
        boxes = boxes.map { $0.moved(by: offset) }
        edges = edges.map { $0.moved(by: offset) }
    }
}

extension DiagramLayout.Box {
    /// Returns the box at a position that is moved by an offset.
    func moved(by offset: DiagramLayout.Point) -> Self {
        var moved = self
        moved.x += offset.x
        moved.y += offset.y
        return moved
    }
}

extension DiagramLayout.Edge {
    /// Returns the edge at a position that is moved by an offset.
    func moved(by offset: DiagramLayout.Point) -> Self {
        func move(_ point: DiagramLayout.Point) -> DiagramLayout.Point {
            DiagramLayout.Point(x: point.x + offset.x, y: point.y + offset.y)
        }
        var moved = self
        switch path {
        case .polyline(let points): moved.path = .polyline(points.map(move))
        case .curve(let points): moved.path = .curve(points.map(move))
        }
        for index in moved.labels.indices { moved.labels[index].position = move(moved.labels[index].position) }
        return moved
    }
}
