internal import ChordataMigration
package import ChordataModel
package import ChordataModelFile

/// Writes a stage in Swift that does what a mapping model does otherwise than by name.
///
/// It compiles; what is in the code of policy classes stands in it as a comment.
///
/// - Parameter source: the version that it begins with; without it by-name values are read whether there are any or not.
package func renderStage(of mapping: MappingModel, source: ManagedObjectModel?) -> String {
    let writer = StageWriter(mapping: mapping, source: source)
    let before = mapping.entities.flatMap(writer.linesBefore)
    // First the objects that there are, so that new ones are not taken for these.
    let carried = mapping.entities.filter(writer.isCarried)
    let made = mapping.entities.filter { !writer.isCarried($0) }
    let behind = (carried + made).flatMap(writer.linesBehind) + carried.flatMap(writer.linesAtEnd)
    var lines = [
        "import Chordata",
        "",
        "/// What the mapping model from '\(oneLine(mapping.sourceVersionName))' to '\(oneLine(mapping.destinationVersionName))' did.",
        "let \(writer.variableName) = MigrationStage.custom(",
        "    from: \(swiftLiteral(mapping.sourceVersionName)),",
        "    to: \(swiftLiteral(mapping.destinationVersionName))" + (before.isEmpty && behind.isEmpty ? "" : ","),
    ]
    func append(_ label: String, _ body: [String], isLast: Bool) {
        guard !body.isEmpty else { return }
        lines.append("    \(label): { migration in")
        lines += body.map { "        " + $0 }
        lines.append("    }" + (isLast ? "" : ","))
    }
    append("willMigrate", before, isLast: behind.isEmpty)
    append("didMigrate", behind, isLast: true)
    lines.append(")")
    return lines.joined(separator: "\n") + "\n"
}

private struct StageWriter {
    let mapping: MappingModel
    let source: ManagedObjectModel?

    var variableName: String {
        let text = mapping.sourceVersionName + "To" + mapping.destinationVersionName
        let letters = text.unicodeScalars.filter {
            $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0))
        }
        let name = String(String.UnicodeScalarView(letters)).drop { $0.isNumber }
        return name.isEmpty ? "stage" : name.prefix(1).lowercased() + name.dropFirst()
    }

    /// Whether objects are what objects of that name were before, which the step carries over by itself.
    func isCarried(_ entity: MappingModel.EntityMapping) -> Bool {
        entity.sourceName == entity.destinationName
    }

    /// Whether several mappings are for objects of an entity: what one leaves another takes.
    private func isShared(_ sourceName: String) -> Bool {
        mapping.entities.count { $0.sourceName == sourceName } > 1
    }

    // MARK: Before

    /// What is to be done while objects are those of the older version.
    func linesBefore(of entity: MappingModel.EntityMapping) -> [String] {
        guard isCarried(entity), let sourceName = entity.sourceName, let predicate = entity.predicate,
            !isShared(sourceName)
        else { return [] }
        return [
            "// \(oneLine(entity.name)): only objects where \(oneLine(predicate)).",
            "for object in try migration.objects.fetch(",
            "    FetchRequest<ManagedObject>(entityName: \(swiftLiteral(sourceName)))",
            "        .where(format: \(swiftLiteral("NOT (\(predicate))")))",
            ") {",
            "    migration.objects.delete(object)",
            "}",
        ]
    }

    // MARK: Behind

    /// What is to be done when all else is: objects go of which others were made.
    func linesAtEnd(of entity: MappingModel.EntityMapping) -> [String] {
        guard isCarried(entity), let name = entity.destinationName, let predicate = entity.predicate,
            entity.sourceName.map(isShared) == true
        else { return [] }
        return [
            "// \(oneLine(entity.name)): only objects where \(oneLine(predicate)), as far as that is of the newer version.",
            "for object in \(fetch(name, "NOT (\(predicate))")) {",
            "    migration.objects.delete(object)",
            "}",
        ]
    }

    /// What is to be done while objects are those of the newer version.
    func linesBehind(of entity: MappingModel.EntityMapping) -> [String] {
        guard let destinationName = entity.destinationName else { return [] }
        var lines = ["// \(oneLine(entity.name))"]
        if let policy = entity.policyClassName {
            lines.append("// TODO: what the class '\(oneLine(policy))' did belongs here.")
        }
        guard let sourceName = entity.sourceName else {
            // Without a policy no objects are made.
            return entity.policyClassName == nil ? [] : lines
        }
        let custom = (entity.attributes + entity.relationships).filter(\.isCustom)
        if isCarried(entity) {
            if custom.isEmpty { return entity.policyClassName == nil ? [] : lines }
            let settings = custom.flatMap { property in
                setting(property) { "try migration.previousValue(forKey: \(swiftLiteral($0)), of: object)" }
            }
            if settings.allSatisfy({ $0.contains("// TODO") }) {
                return lines + settings.map { String($0.drop { $0 == " " }) }
            }
            lines.append("for object in \(fetch(destinationName, nil)) {")
            return lines + settings + ["}"]
        }
        // Another mapping may carry the old objects over; then they are there.
        let isThere = mapping.entities.contains { $0.sourceName == sourceName && isCarried($0) }
        lines.append(
            isThere
                ? "for old in \(fetch(sourceName, entity.predicate)) {"
                : "for old in try migration.previousObjects(ofEntity: \(swiftLiteral(sourceName))) {"
        )
        if !isThere, let predicate = entity.predicate {
            lines.append("    // TODO: only where \(oneLine(predicate)).")
        }
        let arguments = "forEntityName: \(swiftLiteral(destinationName)), into: migration.objects"
        lines.append("    let object = EntityDescription.insertNewObject(\(arguments))")
        func old(_ key: String) -> String {
            isThere ? "try migration.previousValue(forKey: \(swiftLiteral(key)), of: old)" : "old[\(swiftLiteral(key))]"
        }
        let byName = entity.attributes.filter { !$0.isCustom && hasAttribute($0.name, sourceName) }.map(\.name)
        if !byName.isEmpty {
            let names = byName.map { swiftLiteral($0) }
            let list = names.joined(separator: ", ")
            if list.count < 80 {
                lines.append("    for name in [\(list)] {")
            } else {
                lines += ["    for name in ["] + names.map { "        \($0)," } + ["    ] {"]
            }
            lines.append(
                isThere
                    ? "        object.setValue(try migration.previousValue(forKey: name, of: old), forKey: name)"
                    : "        if let value = old[name] { object.setValue(value, forKey: name) }"
            )
            lines.append("    }")
        }
        lines += custom.flatMap { property in
            // Paths over objects that may be gone are not in the values.
            if !isThere, case .keyPath(let path) = property.expression, path.contains(".") {
                return ["    // TODO: '\(oneLine(property.name))' was \(oneLine(property.words))."]
            }
            // What another mapping has made of the old object is the object itself, where that is carried over.
            if isThere, case .results(_, "$source") = property.expression {
                return ["    object.setValue(old, forKey: \(swiftLiteral(property.name)))"]
            }
            return setting(property, old)
        }
        for relationship in entity.relationships where !relationship.isCustom {
            lines.append("    // TODO: '\(oneLine(relationship.name))' led to \(oneLine(relationship.words)).")
        }
        return lines + ["}"]
    }

    private func hasAttribute(_ name: String, _ entityName: String) -> Bool {
        guard let source else { return true }
        return source.entity(named: entityName)?.attribute(named: name) != nil
    }

    private func fetch(_ entityName: String, _ predicate: String?) -> String {
        let request = "FetchRequest<ManagedObject>(entityName: \(swiftLiteral(entityName)))"
        return "try migration.objects.fetch(\(request)\(predicate.map { ".where(format: \(swiftLiteral($0)))" } ?? ""))"
    }

    /// What gives an object its value.
    private func setting(_ property: MappingModel.PropertyMapping, _ old: (String) -> String) -> [String] {
        if case .keyPath(let path) = property.expression {
            let line = "    object.setValue(\(old(path)), forKey: \(swiftLiteral(property.name)))"
            if line.count < 100 { return [line] }
            return [
                "    object.setValue(",
                "        \(old(path)),",
                "        forKey: \(swiftLiteral(property.name))",
                "    )",
            ]
        }
        return ["    // TODO: '\(oneLine(property.name))' was \(oneLine(property.words))."]
    }
}
