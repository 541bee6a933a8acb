package import ChordataModelFile

/// Writes a stage in Swift that has a place for all that a mapping model maps otherwise than by name.
///
/// It compiles; what it cannot do stands in it as a comment.
package func renderStage(of mapping: MappingModel) -> String {
    let before = mapping.entities.flatMap(\.linesBefore)
    let behind = mapping.entities.flatMap(\.linesBehind)
    var lines = [
        "import Chordata",
        "",
        "/// What the mapping model from '\(oneLine(mapping.sourceVersionName))' to '\(oneLine(mapping.destinationVersionName))' did.",
        "let \(variableName(mapping)) = MigrationStage.custom(",
        "    from: \(swiftLiteral(mapping.sourceVersionName)),",
        "    to: \(swiftLiteral(mapping.destinationVersionName))" + (before.isEmpty && behind.isEmpty ? "" : ","),
    ]
    func append(_ label: String, _ body: [String], isLast: Bool) {
        guard !body.isEmpty else { return }
        lines.append("    \(label): { migration in")
        lines += body.map { $0.isEmpty ? "" : "        " + $0 }
        lines.append("    }" + (isLast ? "" : ","))
    }
    append("willMigrate", before, isLast: behind.isEmpty)
    append("didMigrate", behind, isLast: true)
    lines.append(")")
    return lines.joined(separator: "\n") + "\n"
}

private func variableName(_ mapping: MappingModel) -> String {
    let text = mapping.sourceVersionName + "To" + mapping.destinationVersionName
    let letters = text.unicodeScalars.filter { $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0)) }
    let name = String(String.UnicodeScalarView(letters)).drop { $0.isNumber }
    return name.isEmpty ? "stage" : name.prefix(1).lowercased() + name.dropFirst()
}

/// Names in comments must not end them.
private func oneLine(_ text: String) -> String { text.split(whereSeparator: \.isNewline).joined(separator: " ") }

extension MappingModel.EntityMapping {
    /// Whether its objects are what objects of that name were before, which the step carries over by itself.
    private var isCarried: Bool { sourceName == destinationName }

    /// What is to be done while objects are those of the older version.
    fileprivate var linesBefore: [String] {
        guard isCarried, let sourceName, let predicate else { return [] }
        return [
            "// \(oneLine(name)): only objects where \(oneLine(predicate)).",
            "let others = FetchRequest<ManagedObject>(entityName: \(swiftLiteral(sourceName)))",
            "for object in try migration.objects.fetch(others.where(format: \(swiftLiteral("NOT (\(predicate))")))) {",
            "    migration.objects.delete(object)",
            "}",
        ].scoped
    }

    /// What is to be done while objects are those of the newer version.
    fileprivate var linesBehind: [String] {
        guard let destinationName else { return [] }
        let custom = (attributes + relationships).filter(\.isCustom)
        let needsPlace = policyClassName != nil || !custom.isEmpty || !isCarried
        guard needsPlace else { return [] }
        let request = "FetchRequest<ManagedObject>(entityName: \(swiftLiteral(destinationName)))"
        var lines = ["// \(oneLine(name))"]
        if isCarried {
            lines.append("for object in try migration.objects.fetch(\(request)) {")
            lines += custom.flatMap(\.lines).map { "    " + $0 }
        } else {
            let source =
                sourceName.map { "of '\(oneLine($0))'\(predicate.map { " where \(oneLine($0))" } ?? "")" } ?? ""
            lines.append(
                "// Objects were made \(source.isEmpty ? "from nothing" : "for each object " + source), and had by name:"
            )
            let byName = (attributes + relationships).filter { !$0.isCustom }.map { oneLine($0.name) }
            lines.append("// \(byName.isEmpty ? "nothing" : byName.joined(separator: ", ")).")
            lines.append(
                "// If they are the same objects under another name, give '\(oneLine(destinationName))' a renaming identifier."
            )
            lines += custom.map { "// '\(oneLine($0.name))' was \(oneLine($0.words))." }
        }
        if let policyClassName {
            let words = "TODO: what the class '\(oneLine(policyClassName))' did belongs here."
            lines.append((isCarried ? "    " : "") + "// " + words)
        }
        if isCarried {
            if policyClassName != nil, custom.isEmpty { lines.append("    _ = object") }
            lines.append("}")
        }
        return lines + [""]
    }
}

extension MappingModel.PropertyMapping {
    /// What gives an object its value.
    fileprivate var lines: [String] {
        if case .keyPath(let path) = expression, !path.contains(".") {
            return [
                "object.setValue(",
                "    try migration.previousValue(forKey: \(swiftLiteral(path)), of: object),",
                "    forKey: \(swiftLiteral(name))",
                ")",
            ]
        }
        return [
            "// TODO: '\(oneLine(name))' was \(oneLine(words)): \(oneLine(expression?.text ?? sourceKeyPath ?? "")).",
            "object.setValue(nil, forKey: \(swiftLiteral(name)))",
        ]
    }
}

extension [String] {
    /// In a scope of their own, with an empty line behind.
    fileprivate var scoped: [String] { ["do {"] + map { "    " + $0 } + ["}", ""] }
}
