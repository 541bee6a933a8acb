internal import ChordataModel
internal import ChordataSQL

/// The conversions of an attribute's values to another type (table 4.2); `nil` types need a stage.
struct ValueConversion: Hashable {
    /// The expression of the new value; `nil` where the column has it already.
    private enum Function: Hashable {
        case real, integer, float, floatOfInteger, decimal, boolean
    }

    private var function: Function?
    /// The values that have no like in the new type, as a condition.
    private var misfit: Misfit?
    /// A Boolean value that indicates whether values may become others that are near.
    let isRounding: Bool

    private enum Misfit: Hashable {
        case integer(lowest: Int64, greatest: Int64)
        /// Reals whose integer part is not one of these; the bounds themselves do not fit.
        case real(below: String, above: String)
        case float
    }

    /// - Returns: `nil` when values cannot become others without knowing more.
    init?(from old: AttributeType, to new: AttributeType) {
        if old == new {
            self.init(nil)
            return
        }
        switch (old, new) {
        case (.integer16, .integer32), (.integer16, .integer64), (.integer32, .integer64): self.init(nil)
        case (.integer32, .integer16), (.integer64, .integer16):
            self.init(nil, .integer(lowest: Int64(Int16.min), greatest: Int64(Int16.max)))
        case (.integer64, .integer32):
            self.init(nil, .integer(lowest: Int64(Int32.min), greatest: Int64(Int32.max)))
        case (.integer16, .double), (.integer32, .double): self.init(.real)
        case (.integer64, .double): self.init(.real, isRounding: true)
        case (.integer16, .float): self.init(.real)
        case (.integer32, .float): self.init(.float, isRounding: true)
        case (.integer64, .float): self.init(.floatOfInteger, isRounding: true)
        case (.double, .float): self.init(.float, .float, isRounding: true)
        case (.float, .double): self.init(nil)
        case (.double, .integer16), (.float, .integer16):
            self.init(.integer, .real(below: "-32769.0", above: "32768.0"), isRounding: true)
        case (.double, .integer32), (.float, .integer32):
            self.init(.integer, .real(below: "-2147483649.0", above: "2147483648.0"), isRounding: true)
        case (.double, .integer64), (.float, .integer64):
            // −2⁶³ fits, and nothing lies between it and the next double below.
            self.init(
                .integer,
                .real(below: "-9223372036854777856.0", above: "9223372036854775808.0"),
                isRounding: true
            )
        case (.integer16, .decimal), (.integer32, .decimal), (.integer64, .decimal): self.init(.decimal)
        // A Boolean is a number: the column has 0 or 1.
        case (.boolean, .integer16), (.boolean, .integer32), (.boolean, .integer64): self.init(nil)
        case (.boolean, .double), (.boolean, .float): self.init(.real)
        case (.boolean, .decimal): self.init(.decimal)
        case (.integer16, .boolean), (.integer32, .boolean), (.integer64, .boolean), (.double, .boolean),
            (.float, .boolean):
            self.init(.boolean, isRounding: true)
        default: return nil  // The meaning of values of all other pairs is unknown.
        }
    }

    private init(_ function: Function?, _ misfit: Misfit? = nil, isRounding: Bool = false) {
        self.function = function
        self.misfit = misfit
        self.isRounding = isRounding
    }

    /// A Boolean value that indicates whether columns hold the new values as they hold the old ones.
    var isNone: Bool { function == nil }

    /// The new value of an old one.
    func sql(_ value: String) -> String {
        switch function {
        case nil: value
        case .real: "CAST(\(value) AS REAL)"
        case .integer: "CAST(\(value) AS INTEGER)"
        case .decimal: "CAST(\(value) AS TEXT)"
        case .boolean: "\(value) <> 0"
        case .float: Self.nearestFloat("CAST(\(value) AS REAL)")
        // Doubles do not have all of these. Without its last ten bits, the next one of which says whether these were
        // any, a number is a double and no less on its side of what lies between two floats.
        case .floatOfInteger:
            "CASE WHEN \(value) BETWEEN -9007199254740992 AND 9007199254740992 THEN \(Self.nearestFloat("CAST(\(value) AS REAL)")) "
                + "ELSE (\(Self.nearestFloat("CAST(\(value) >> 10 | (\(value) & 1023 <> 0) AS REAL)"))) * 1024.0 END"
        }
    }

    /// The condition that a value has no like in the new type; `nil` where all have one.
    func misfit(_ value: String) -> String? {
        switch misfit {
        case nil: nil
        case .integer(let lowest, let greatest): "\(value) NOT BETWEEN \(lowest) AND \(greatest)"
        case .real(let below, let above): "\(value) <= \(below) OR \(value) >= \(above)"
        // What is at least halfway between the greatest float and the next power of two.
        case .float: "abs(\(value)) >= 3.4028235677973366e38 AND abs(\(value)) < 9e999"
        }
    }

    /// The float of 32 bits that is nearest, in the arithmetic of doubles: by Dekker's splitting into 24 and 29 bits,
    /// and for numbers so small that floats have fewer bits in multiples of the least one.
    private static func nearestFloat(_ value: String) -> String {
        let split = "\(value) * 536870913.0"
        let power = "9007199254740992.0 * 9007199254740992.0 * 8796093022208.0"
        return "CASE WHEN abs(\(value)) = 9e999 THEN \(value) "
            + "WHEN abs(\(value)) < 1.1754943508222875e-38 "
            // Behind 3·2⁵¹ doubles are whole numbers, to which ties go as they should; SQLite's round() takes them away
            // from zero. The power 2¹⁴⁹ is written as three that SQLite reads exactly.
            + "THEN (\(value) * \(power) + 6755399441055744.0 - 6755399441055744.0) / \(power.replacing("*", with: "/")) "
            + "ELSE \(split) - (\(split) - \(value)) END"
    }
}
