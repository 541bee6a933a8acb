/// Writes the expression that converts a value.
func renderConversion(_ function: ValueConversion.Function, of value: String) -> String {
    switch function {
    case .real: "CAST(\(value) AS REAL)"
    case .integer: "CAST(\(value) AS INTEGER)"
    case .decimal: "CAST(\(value) AS TEXT)"
    case .boolean: "\(value) <> 0"
    case .float: nearestFloat("CAST(\(value) AS REAL)")
    // Not every such integer is exactly a double, but without its last ten bits it is one. If the last remaining bit is
    // set when any of the removed bits was set, the result is on the same side of the midpoint between two floats.
    case .floatOfInteger:
        "CASE WHEN \(value) BETWEEN -9007199254740992 AND 9007199254740992 THEN \(nearestFloat("CAST(\(value) AS REAL)")) "
            + "ELSE (\(nearestFloat("CAST(\(value) >> 10 | (\(value) & 1023 <> 0) AS REAL)"))) * 1024.0 END"
    }
}

/// Writes the condition that a value does not fit into a type.
func renderMisfit(_ misfit: ValueConversion.Misfit, of value: String) -> String {
    switch misfit {
    case .integer(let lowest, let greatest): "\(value) NOT BETWEEN \(lowest) AND \(greatest)"
    case .real(let below, let above): "\(value) <= \(below) OR \(value) >= \(above)"
    // Numbers that are at least halfway between the greatest float and the next power of two.
    case .float: "abs(\(value)) >= 3.4028235677973366e38 AND abs(\(value)) < 9e999"
    }
}

/// Writes an expression for the nearest 32-bit float, in the arithmetic of doubles: by Dekker's splitting of the 53
/// bits into 24 and 29 bits; for numbers so small that floats have fewer bits, by rounding to a multiple of the
/// smallest float.
private func nearestFloat(_ value: String) -> String {
    let split = "\(value) * 536870913.0"
    let power = "9007199254740992.0 * 9007199254740992.0 * 8796093022208.0"
    return "CASE WHEN abs(\(value)) = 9e999 THEN \(value) "
        + "WHEN abs(\(value)) < 1.1754943508222875e-38 "
        // The number is divided by the smallest float (2⁻¹⁴⁹) and rounded to an integer. Adding and then subtracting
        // 3·2⁵¹ rounds to an integer, ties to even, because doubles from 2⁵² to 2⁵³ are integers; SQLite's round()
        // would round ties away from zero. 2¹⁴⁹ is written as three factors that SQLite reads exactly.
        + "THEN (\(value) * \(power) + 6755399441055744.0 - 6755399441055744.0) / \(power.replacing("*", with: "/")) "
        + "ELSE \(split) - (\(split) - \(value)) END"
}
