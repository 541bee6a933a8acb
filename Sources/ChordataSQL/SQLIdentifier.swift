/// Writes a name as an SQL identifier: always in double quotes, with embedded ones doubled.
///
/// This is the only way a name from a model gets into SQL text.
package func quoteIdentifier(_ name: String) -> String {
    guard name.utf8.contains(UInt8(ascii: "\"")) else { return "\"\(name)\"" }
    var quoted = "\""
    for scalar in name.unicodeScalars {
        if scalar == "\"" { quoted.unicodeScalars.append(scalar) }
        quoted.unicodeScalars.append(scalar)
    }
    quoted += "\""
    return quoted
}
