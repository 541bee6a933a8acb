// Names that the SQL of a migration and the runtime share.

/// The line of a migration's SQL at which the program's own stages run.
package let stageMarker = "-- stage"

/// Returns a Boolean value that indicates whether a line is ``stageMarker``, with any spacing and any text after a
/// colon.
package func isStageMarker(_ line: Substring) -> Bool {
    let text = line.drop(while: \.isWhitespace)
    guard text.hasPrefix("--") else { return false }
    let word = text.dropFirst(2).drop(while: \.isWhitespace)
    guard word.hasPrefix("stage") else { return false }
    let rest = word.dropFirst("stage".count)
    return rest.hasPrefix(":") || rest.allSatisfy(\.isWhitespace)
}

/// Returns the name of the temporary table that keeps a step's dropped data until the stages have ended.
package func asideTableName(of table: String) -> String { "_old_\(table)" }

/// Returns the name of that table on a PostgreSQL server.
/// - Parameter table: The name of the original table on the server.
package func postgresAsideTableName(of table: String) -> String { postgresName(asideTableName(of: table)) }
