/// Returns a coordinate with at most one decimal place, which is finer than any screen at the size of a diagram.
///
/// No formatter is used, so that the result does not depend on the locale.
func number(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    let sign = tenths < 0 ? "-" : ""
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(sign)\(abs(tenths) / 10).\(abs(tenths) % 10)"
}

/// Returns a point in the syntax of path data.
func coordinates(_ point: DiagramLayout.Point) -> String { "\(number(point.x)) \(number(point.y))" }

extension DiagramLayout.Point {
    func distance(to other: Self) -> Double {
        ((other.x - x) * (other.x - x) + (other.y - y) * (other.y - y)).squareRoot()
    }

    func moved(towards other: Self, by length: Double) -> Self {
        let distance = distance(to: other)
        guard distance > 0 else { return self }
        return Self(x: x + (other.x - x) / distance * length, y: y + (other.y - y) / distance * length)
    }
}
