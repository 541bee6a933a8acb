import Foundation

/// A JSON schema of the manual.
///
/// Only the keywords that the two schemas use are supported.
struct JSONSchema {
    private let root: [String: Any]

    /// Reads a schema of the manual's resources.
    init(_ name: String) throws {
        let file = URL(filePath: #filePath).appending(path: "../../../Sources/Chordata/Chordata.docc/Resources/\(name)")
        let object = try JSONSerialization.jsonObject(with: Data(contentsOf: file.standardized))
        root = object as? [String: Any] ?? [:]
    }

    /// Returns the parts of a document that the schema rejects, each with its path; empty for a valid document.
    func problems(in document: Data) throws -> [String] {
        problems(in: try JSONSerialization.jsonObject(with: document), at: "$", by: root)
    }

    private func problems(in value: Any, at place: String, by schema: [String: Any]) -> [String] {
        var found: [String] = []
        for (keyword, rule) in schema {
            switch keyword {
            case "$schema", "title", "description", "$defs", "required", "additionalProperties": continue
            case "$ref":
                let name = (rule as? String)?.split(separator: "/").last.map(String.init) ?? ""
                let target = (root["$defs"] as? [String: Any])?[name] as? [String: Any]
                found += target.map { problems(in: value, at: place, by: $0) } ?? ["\(place): no definition '\(name)'"]
            case "anyOf":
                let choices = rule as? [[String: Any]] ?? []
                if !choices.contains(where: { problems(in: value, at: place, by: $0).isEmpty }) {
                    found.append("\(place): fits no choice")
                }
            case "type":
                if Self.type(of: value) != rule as? String { found.append("\(place): is not of type \(rule)") }
            case "const":
                if value as? Int != rule as? Int { found.append("\(place): is not \(rule)") }
            case "enum":
                let isAllowed = (rule as? [String])?.contains { $0 == value as? String } == true
                if !isAllowed { found.append("\(place): is none of \(rule)") }
            case "pattern":
                let isMatch = (value as? String)?.range(of: rule as? String ?? "", options: .regularExpression) != nil
                if !isMatch { found.append("\(place): does not match \(rule)") }
            case "minimum":
                let isAtLeast = (value as? Int).map { $0 >= rule as? Int ?? .max } == true
                if !isAtLeast { found.append("\(place): is less than \(rule)") }
            case "items":
                for (index, item) in (value as? [Any] ?? []).enumerated() {
                    found += problems(in: item, at: "\(place)[\(index)]", by: rule as? [String: Any] ?? [:])
                }
            case "properties":
                found += problems(in: value, at: place, properties: rule as? [String: [String: Any]] ?? [:], of: schema)
            default: found.append("\(place): keyword '\(keyword)' is not known")
            }
        }
        return found
    }

    private func problems(
        in value: Any,
        at place: String,
        properties: [String: [String: Any]],
        of schema: [String: Any]
    ) -> [String] {
        guard let object = value as? [String: Any] else { return ["\(place): is not an object"] }
        var found = (schema["required"] as? [String] ?? []).filter { object[$0] == nil }.map {
            "\(place): '\($0)' is missing"
        }
        for (key, item) in object {
            if let rule = properties[key] {
                found += problems(in: item, at: "\(place).\(key)", by: rule)
            } else if schema["additionalProperties"] as? Bool == false {
                found.append("\(place): '\(key)' is not in the schema")
            }
        }
        return found
    }

    private static func type(of value: Any) -> String {
        switch value {
        case is NSNull: "null"
        case is String: "string"
        case is [Any]: "array"
        case is [String: Any]: "object"
        case is Int: "integer"
        default: "number"
        }
    }
}
