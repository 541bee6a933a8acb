package import ChordataModelFile

/// Describes in plain English the mappings of a mapping model that differ from mapping by name.
package func describeMapping(_ mapping: MappingModel) -> String {
    var lines = ["'\(mapping.sourceVersionName)' to '\(mapping.destinationVersionName)'"]
    for entity in mapping.entities {
        let details = entity.details
        lines.append("")
        let hasSource = entity.sourceName != nil && entity.destinationName != nil
        let ending = details.isEmpty ? (hasSource ? ", and all properties are mapped by name." : ".") : ":"
        lines.append(entity.summary + ending)
        lines += details.map { "- \($0)" }
        if !details.isEmpty, hasSource { lines.append("- All other properties are mapped by name.") }
    }
    return lines.joined(separator: "\n") + "\n"
}

extension MappingModel.EntityMapping {
    /// A sentence about what happens to the objects of the entity, without the end punctuation.
    fileprivate var summary: String {
        switch (sourceName, destinationName) {
        case (let source?, let destination?):
            source == destination
                ? "Objects of '\(source)' are kept"
                : "For each object of '\(source)', an object of '\(destination)' is created"
        case (let source?, nil): "Objects of '\(source)' are removed"
        case (nil, let destination?):
            policyClassName == nil
                ? "'\(destination)' is new, and has no objects" : "Objects of '\(destination)' are created"
        case (nil, nil): "Entity mapping '\(name)' has neither a source nor a destination"
        }
    }

    /// Sentences about the predicate, the policy class, and the properties that are not mapped by name.
    fileprivate var details: [String] {
        var details: [String] = []
        if let predicate {
            details.append(
                "Only objects where \(predicate); other objects are handled by another entity mapping, or deleted."
            )
        }
        if let policyClassName {
            details.append(
                "The NSEntityMigrationPolicy '\(policyClassName)' also runs code that is not in the mapping model."
            )
        }
        details += attributes.filter(\.isCustom).map { "Attribute '\($0.name)' is \($0.words)." }
        details += relationships.filter(\.isCustom).map { "Relationship '\($0.name)' references \($0.words)." }
        return details
    }
}

extension MappingModel.PropertyMapping {
    /// The source of the property's value, in words.
    package var words: String {
        switch expression {
        case .keyPath(let path): return "the value of '\(path)' of the source object"
        case .results(let name, let objects):
            return "the result of entity mapping '\(name)' for "
                + "\(objects == "$source" ? "the same source object" : objects)"
        case .other(let text):
            return text.map { "the value of \($0)" } ?? "the value of an expression that only Xcode can display"
        case nil:
            let path = sourceKeyPath ?? "$source.\(name)"
            let old = path.hasPrefix("$source.") ? "'\(path.dropFirst("$source.".count))' of the source object" : path
            return sourceMappingName.map { "the result of entity mapping '\($0)' for \(old)" } ?? "the value of \(old)"
        }
    }
}
