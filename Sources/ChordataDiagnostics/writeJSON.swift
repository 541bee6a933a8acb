internal import ChordataModel

/// Returns a JSON object with the keys in the given order; the values must be JSON texts.
package func jsonObject(_ members: [(String, String)]) -> String {
    "{" + members.map { "\(jsonString($0.0)):\($0.1)" }.joined(separator: ",") + "}"
}

/// Returns a JSON array of values that are JSON texts.
package func jsonArray(_ items: [String]) -> String { "[\(items.joined(separator: ","))]" }

/// Returns a text as a JSON string, with quotation marks.
package func jsonString(_ text: String) -> String { "\"\(escape(text, with: .json))\"" }
