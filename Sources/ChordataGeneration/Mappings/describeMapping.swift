package import ChordataModelFile

/// Describes in plain English the mappings of a mapping model that differ from mapping by name.
package func describeMapping(_ mapping: MappingModel) -> String {
    var lines = ["'\(mapping.sourceVersionName)' to '\(mapping.destinationVersionName)'"]
    for entity in mapping.entities {
        let details = entity.details
        lines.append("")
        let hasSource = entity.sourceName != nil && entity.destinationName != nil
        lines.append(entity.summary + (details.isEmpty ? (hasSource ? ", all of it by name." : ".") : ":"))
        lines += details.map { "- \($0)" }
        if !details.isEmpty, hasSource { lines.append("- All else goes by its name.") }
    }
    return lines.joined(separator: "\n") + "\n"
}

extension MappingModel.EntityMapping {
    /// Its subject, in words.
    fileprivate var summary: String {
        switch (sourceName, destinationName) {
        case (let source?, let destination?):
            source == destination
                ? "Objects of '\(source)' stay" : "Of each object of '\(source)' one of '\(destination)' is made"
        case (let source?, nil): "Objects of '\(source)' are removed"
        case (nil, let destination?):
            policyClassName == nil
                ? "'\(destination)' is new, and has no objects" : "Objects of '\(destination)' are made"
        case (nil, nil): "'\(name)' maps nothing"
        }
    }

    /// The mappings that are not by name, in words.
    fileprivate var details: [String] {
        var details: [String] = []
        if let predicate {
            details.append("Only those where \(predicate); what becomes of others another mapping says, or they go.")
        }
        if let policyClassName {
            details.append("What the class '\(policyClassName)' does, an NSEntityMigrationPolicy, is in its code only.")
        }
        details += attributes.filter(\.isCustom).map { "Attribute '\($0.name)' is \($0.words)." }
        details += relationships.filter(\.isCustom).map { "Relationship '\($0.name)' references \($0.words)." }
        return details
    }
}

extension MappingModel.PropertyMapping {
    /// The source of its value, in words.
    var words: String {
        switch expression {
        case .keyPath(let path): return "what '\(path)' of the old object is"
        case .results(let name, let objects):
            return "what '\(name)' has made of \(objects == "$source" ? "the same old object" : objects)"
        case .other(let text):
            return text.map { "the value of \($0)" } ?? "the value of an expression that only Xcode shows"
        case nil:
            let path = sourceKeyPath ?? "$source.\(name)"
            let old = path.hasPrefix("$source.") ? "'\(path.dropFirst("$source.".count))' of the old object" : path
            return sourceMappingName.map { "what '\($0)' has made of \(old)" } ?? "what \(old) is"
        }
    }
}
