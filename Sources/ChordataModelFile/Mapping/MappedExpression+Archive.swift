extension MappedExpression {
    /// Reads an archived expression; an unsupported expression becomes ``other(_:)``.
    /// - Parameter archive: The bytes in Base 64.
    init(archive: String) {
        guard let archive = KeyedArchive(base64: archive) else {
            self = .other(nil)
            return
        }
        let reader = ExpressionReader(archive: archive)
        if let path = reader.sourceKeyPath {
            self = .keyPath(path)
        } else if let (name, objects) = reader.results {
            self = .results(mappingName: name, of: objects)
        } else {
            self = .other(reader.text(archive.root, depth: 0))
        }
    }
}

/// Converts an archived expression to the syntax of format strings.
private final class ExpressionReader {
    let archive: KeyedArchive
    private static let deepest = 32
    /// The number of parts that may still be read: an archive may use one part in many places.
    private var budget = 1_000

    init(archive: KeyedArchive) { self.archive = archive }

    /// The key path, if the whole expression is a key path from the source object.
    var sourceKeyPath: String? {
        guard let whole = text(archive.root, depth: 0), whole.hasPrefix("$source."),
            className(of: fields(archive.root)) == "NSKeyPathExpression"
        else { return nil }
        return String(whole.dropFirst("$source.".count))
    }

    /// The mapping's name and source objects, if the whole expression is
    /// `destinationInstancesForEntityMappingNamed:sourceInstances:`.
    var results: (name: String, objects: String)? {
        let fields = fields(archive.root)
        guard text(fields["NSSelectorName"]) == "destinationInstancesForEntityMappingNamed:sourceInstances:",
            let arguments = arguments(of: fields), arguments.count == 2,
            let name = text(self.fields(archive.object(at: arguments[0]))["NSConstantValue"]),
            let objects = text(archive.object(at: arguments[1]), depth: 1)
        else { return nil }
        return (name, objects)
    }

    func text(_ value: KeyedArchive.Value?, depth: Int) -> String? {
        guard depth < Self.deepest, budget > 0 else { return nil }
        budget -= 1
        let fields = fields(value)
        func operand() -> String? { text(archive.object(at: fields["NSOperand"]), depth: depth + 1) }
        switch className(of: fields) {
        case "NSVariableExpression": return text(fields["NSVariable"]).map { "$" + $0 }
        case "NSKeyPathSpecifierExpression": return text(fields["NSKeyPath"])
        case "NSSelfExpression": return "SELF"
        case "NSConstantValueExpression":
            switch archive.object(at: fields["NSConstantValue"]) {
            case .text("$null"): return "nil"
            case .text(let text): return "\"\(text)\""
            case .integer(let integer): return "\(integer)"
            default: return nil
            }
        case "NSKeyPathExpression":
            guard let owner = operand(), let first = arguments(of: fields)?.first,
                let path = text(archive.object(at: first), depth: depth + 1)
            else { return nil }
            return "\(owner).\(path)"
        case "NSFunctionExpression":
            guard let owner = operand(), let selector = text(fields["NSSelectorName"]),
                let arguments = arguments(of: fields)
            else { return nil }
            let texts = arguments.compactMap { text(archive.object(at: $0), depth: depth + 1) }
            guard texts.count == arguments.count else { return nil }
            return "FUNCTION(\(([owner, "\"\(selector)\""] + texts).joined(separator: ", ")))"
        default: return nil
        }
    }

    private func fields(_ value: KeyedArchive.Value?) -> [String: Int] {
        if case .dictionary(let fields)? = archive.object(value) { fields } else { [:] }
    }

    private func className(of fields: [String: Int]) -> String? {
        text(self.fields(archive.object(at: fields["$class"]))["$classname"])
    }

    private func text(_ place: Int?) -> String? {
        if case .text(let text)? = archive.object(at: place) { text } else { nil }
    }

    private func arguments(of fields: [String: Int]) -> [Int]? {
        let list = self.fields(archive.object(at: fields["NSArguments"]))
        guard let place = list["NS.objects"], case .array(let places)? = archive.object(at: place) else { return nil }
        return places
    }
}
