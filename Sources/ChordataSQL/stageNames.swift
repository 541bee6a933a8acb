// What the SQL of a migration and the runtime call alike.

/// The line of a migration's SQL at which the program's own stages run.
package let stageMarker = "-- stage"

/// Whether a line is that one, however it is spaced.
package func isStageMarker(_ line: Substring) -> Bool {
    line.split(whereSeparator: \.isWhitespace).elementsEqual(["--", "stage"])
}

/// What the temporary table is called that keeps, until stages are over, what a step drops of an old one.
package func asideTableName(of table: String) -> String { "_old_\(table)" }
