internal import ChordataModel

/// Writes a name as an SQL identifier: always in double quotes, with embedded ones doubled.
///
/// Only this function and ``Swift/String/appendIdentifier(_:)`` write names of a model to SQL text.
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
