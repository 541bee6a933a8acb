internal import ChordataModel

/// Writes a name as an SQL identifier: always in double quotes, with embedded ones doubled.
///
/// This and ``Swift/String/appendIdentifier(_:)`` are the only ways a name from a model gets into SQL text.
package func quoteIdentifier(_ name: String) -> String {
    var quoted = ""
    quoted.appendIdentifier(name)
    return quoted
}

extension String {
    /// Appends a name as ``quoteIdentifier(_:)`` writes it.
    mutating func appendIdentifier(_ name: String) {
        append("\"")
        append(escape(name, with: .sqlIdentifier))
        append("\"")
    }
}
