/// A coordinate with at most one decimal, which is finer than any screen at the size of a picture.
///
/// Written without a formatter, so that no locale has a say.
func number(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    let sign = tenths < 0 ? "-" : ""
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(sign)\(abs(tenths) / 10).\(abs(tenths) % 10)"
}

/// A point as path data writes it.
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
