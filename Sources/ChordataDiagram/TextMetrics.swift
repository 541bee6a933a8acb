/// The estimated width of a text in a font that is unknown here: the reader's system chooses it.
///
/// The widths are Helvetica's, enlarged because the system fonts of the platforms are wider.
struct TextMetrics: Sendable {
    /// The size of the font in points.
    let fontSize: Double
    /// The factor by which the font is wider than Helvetica in regular weight.
    let factor: Double

    /// The name of an entity.
    static let header = TextMetrics(fontSize: 14, factor: 1.18)
    /// A row of an entity.
    static let row = TextMetrics(fontSize: 12.5, factor: 1.1)
    /// The name of a relationship, and the note of a row.
    static let label = TextMetrics(fontSize: 11, factor: 1.1)

    /// The estimated width in points.
    func width(of text: String) -> Double {
        let thousandths = text.unicodeScalars.reduce(0) { $0 + Self.thousandths(of: $1) }
        return Double(thousandths) / 1000 * fontSize * factor
    }

    /// Returns the text, truncated so that a single long type does not make its entity too wide.
    static func shortened(_ text: String) -> String {
        let limit = 40
        return text.count <= limit ? text : text.prefix(limit - 1) + "…"
    }

    private static func thousandths(of scalar: Unicode.Scalar) -> Int {
        switch scalar.value {
        case 0x20...0x7E: helvetica[Int(scalar.value) - 0x20]
        case 0x300...0x36F, 0x200B...0x200F, 0xFE00...0xFE0F: 0
        case 0x1100...0x11FF, 0x2E80...0xFAFF, 0xFE30...0xFFEF, 0x1F000...0x3FFFF: 1000
        default: 640
        }
    }

    /// The advance widths of U+0020 to U+007E in Helvetica, in thousandths of the font's size; 16 on each line.
    private static let helvetica: [Int] = [
        278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278,
        556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,
        1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
        667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
        333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,
        556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
    ]
}
