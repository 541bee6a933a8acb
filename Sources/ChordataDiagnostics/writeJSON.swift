internal import ChordataModel

/// Writes an object of JSON with its keys in the order given; the values are JSON already.
package func jsonObject(_ members: [(String, String)]) -> String {
    "{" + members.map { "\(jsonString($0.0)):\($0.1)" }.joined(separator: ",") + "}"
}

/// Writes an array of JSON, of values that are JSON already.
package func jsonArray(_ items: [String]) -> String { "[\(items.joined(separator: ","))]" }

/// Writes a text as a string of JSON, with its quotation marks.
package func jsonString(_ text: String) -> String { "\"\(escape(text, with: .json))\"" }
