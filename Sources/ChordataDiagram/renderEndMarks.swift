/// Draws the marks at the ends of a line: a triangle at the superentity, and crow's feet.
///
/// The mark nearest to the entity shows whether there may be many objects (a foot) or one (a bar), the next mark
/// whether there may be none (a circle) or not (a bar). An end without a relationship has no mark.
func renderEndMarks(_ edge: DiagramLayout.Edge) -> String {
    let points = edge.path.points
    guard points.count > 1 else { return "" }
    let source = MarkPlace(at: points[0], awayFromEntityTo: points[1])
    let target = MarkPlace(at: points[points.count - 1], awayFromEntityTo: points[points.count - 2])
    switch edge.link.kind {
    case .inheritance:
        return
            "<path class=\"mark\" d=\"M\(source.point(0, 0))L\(source.point(13, 8))L\(source.point(13, -8))Z\"/>\n"
    case .relationship(let forward, let backward):
        return cardinalityMark(forward.cardinality, target)
            + (backward.map { cardinalityMark($0.cardinality, source) } ?? "")
    }
}

private func cardinalityMark(_ cardinality: Cardinality, _ place: MarkPlace) -> String {
    var data = ""
    if cardinality.isMany {
        data += "M\(place.point(0, 6))L\(place.point(11, 0))L\(place.point(0, -6))"
    } else {
        data += "M\(place.point(7, 6))L\(place.point(7, -6))"
    }
    let outer = cardinality.isMany ? 15.0 : 12.0
    if cardinality.lower > 0 {
        data += "M\(place.point(outer, 6))L\(place.point(outer, -6))"
    }
    var text = "<path class=\"line\" d=\"\(data)\"/>\n"
    if cardinality.lower == 0 {
        let center = place.location(outer, 0)
        text += "<circle class=\"mark\" cx=\"\(number(center.x))\" cy=\"\(number(center.y))\" r=\"3.5\"/>\n"
    }
    return text
}

/// A position at the end of a line, for drawing along and across the line.
private struct MarkPlace {
    private let origin: DiagramLayout.Point
    private let direction: (x: Double, y: Double)

    init(at origin: DiagramLayout.Point, awayFromEntityTo next: DiagramLayout.Point) {
        self.origin = origin
        let length = origin.distance(to: next)
        direction = length > 0 ? ((next.x - origin.x) / length, (next.y - origin.y) / length) : (0, -1)
    }

    func location(_ along: Double, _ across: Double) -> DiagramLayout.Point {
        DiagramLayout.Point(
            x: origin.x + along * direction.x - across * direction.y,
            y: origin.y + along * direction.y + across * direction.x
        )
    }

    func point(_ along: Double, _ across: Double) -> String { coordinates(location(along, across)) }
}
