internal import ChordataMigration
internal import ChordataMigrationFiles
package import ChordataModel
package import ChordataModelFile

/// Renders a stage in Swift for the mappings of a mapping model that are not by name.
///
/// The stage compiles; the work of policy classes appears in it as a comment.
///
/// - Parameter source: The source version. If it is `nil`, values are read by name even if there may be none.
package func renderStage(of mapping: MappingModel, source: ManagedObjectModel?) -> String {
    let writer = StageWriter(mapping: mapping, source: source)
    let before = mapping.entities.flatMap(writer.linesBefore)
    // Existing objects come first, so that new objects are not mistaken for existing ones.
    let carried = mapping.entities.filter(writer.isCarried)
    let made = mapping.entities.filter { !writer.isCarried($0) }
    let divided = writer.divided(carried)
    let behind =
        divided.flatMap(writer.linesOfUnwanted) + (carried + made).flatMap(writer.linesBehind)
        + divided.flatMap(writer.linesAtEnd)
    var arguments = [
        SwiftArgument("from", .string(mapping.sourceVersionName)),
        SwiftArgument("to", .string(mapping.destinationVersionName)),
    ]
    func append(_ label: String, _ body: [String]) {
        guard !body.isEmpty else { return }
        arguments.append(SwiftArgument(label, .closure(parameter: "migration", body: body)))
    }
    append("willMigrate", before)
    append("didMigrate", behind)
    let stage = SwiftVariable(
        documentation: [
            "Migrates as the mapping model from '\(mapping.sourceVersionName)' to "
                + "'\(mapping.destinationVersionName)' did."
        ],
        kind: .let,
        name: writer.variableName,
        initialValue: .call(
            SwiftCall(
                name: "MigrationStage.custom",
                argumentLines: arguments.map { [$0] },
                hasParenthesisOnOwnLine: true
            )
        )
    )
    return renderSwift(SwiftFile(imports: [SwiftImport(module: "Chordata")], declarations: [.variable(stage)]))
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

    /// Returns a Boolean value that indicates whether a mapping keeps the entity of its objects, so that the step
    /// migrates the objects automatically.
    func isCarried(_ entity: MappingModel.EntityMapping) -> Bool {
        entity.sourceName == entity.destinationName
    }

    /// Returns a Boolean value that indicates whether several mappings have the same source entity: objects that one
    /// mapping leaves out may belong to another mapping.
    private func isShared(_ sourceName: String) -> Bool {
        mapping.entities.count { $0.sourceName == sourceName } > 1
    }

    // MARK: Before

    /// Returns the lines for the work on objects of the older version.
    func linesBefore(of entity: MappingModel.EntityMapping) -> [String] {
        guard isCarried(entity), let sourceName = entity.sourceName, let predicate = entity.predicate,
            !isShared(sourceName)
        else { return [] }
        return [
            "// \(oneLine(entity.name)): keep only the objects where \(oneLine(predicate)), and delete the others.",
            "try migration.discard(",
            "    try migration.objects.fetch(",
            "        FetchRequest<ManagedObject>(entityName: \(swiftLiteral(sourceName)))",
            "            .where(format: \(swiftLiteral("NOT (\(predicate))")))",
            "    )",
            ")",
        ]
    }

    // MARK: Behind

    /// An entity whose objects are the source of several mappings, and the predicates of the mappings that keep the
    /// objects.
    struct Divided {
        var name: String
        var predicates: [String]
        /// The name of the variable with the objects that are deleted after other objects replaced them.
        var variableName: String
    }

    /// Returns the entities of which some objects are deleted, in the order of their mappings.
    func divided(_ carried: [MappingModel.EntityMapping]) -> [Divided] {
        var divided: [Divided] = []
        for entity in carried {
            guard let name = entity.destinationName, isShared(name), !divided.contains(where: { $0.name == name })
            else {
                continue
            }
            let all = carried.filter { $0.destinationName == name }
            let predicates = all.compactMap(\.predicate)
            // Without a predicate, all objects are kept.
            guard predicates.count == all.count else { continue }
            let variableName = "unwanted" + (divided.isEmpty ? "" : "\(divided.count + 1)")
            divided.append(Divided(name: name, predicates: predicates, variableName: variableName))
        }
        return divided
    }

    /// Returns the lines that fetch the objects to delete, before there are new objects and changed values.
    func linesOfUnwanted(_ entity: Divided) -> [String] {
        let predicate =
            entity.predicates.count == 1
            ? entity.predicates[0] : entity.predicates.map { "(\($0))" }.joined(separator: " OR ")
        return [
            "// The migration keeps only the objects of '\(oneLine(entity.name))' where \(oneLine(predicate)) (evaluated on objects of "
                + "the newer version), and deletes the others.",
            "let \(entity.variableName) = \(fetch(entity.name, "NOT (\(predicate))"))",
        ]
    }

    /// Returns the last lines of a stage, which delete objects that were replaced by other objects.
    func linesAtEnd(_ entity: Divided) -> [String] {
        ["try migration.discard(\(entity.variableName))"]
    }

    /// Returns the lines for the work on objects of the newer version.
    func linesBehind(of entity: MappingModel.EntityMapping) -> [String] {
        guard let destinationName = entity.destinationName else { return [] }
        var heading = ["// \(oneLine(entity.name))"]
        if let policy = entity.policyClassName {
            heading.append("// TODO: do the work of the migration policy '\(oneLine(policy))' here.")
        }
        let body =
            switch entity.sourceName {
            case nil: [String]()
            case destinationName: linesOfCarried(entity, destinationName)
            case let sourceName?: linesOfMade(entity, from: sourceName, into: destinationName)
            }
        return body.isEmpty && entity.policyClassName == nil ? [] : heading + body
    }

    /// Returns the lines that set the properties that are not mapped by name.
    private func linesOfCarried(_ entity: MappingModel.EntityMapping, _ entityName: String) -> [String] {
        let settings = entity.custom.map { property in
            setting(property) { "try migration.previousValue(forKey: \(swiftLiteral($0)), of: object)" }
        }
        let lines = settings.flatMap(\.lines)
        // Without code, the object of the loop would be unused.
        guard settings.contains(where: \.isCode) else { return lines }
        // If there are several mappings, each one has its own objects.
        let isOneOfSeveral = mapping.entities.count { isCarried($0) && $0.sourceName == entityName } > 1
        return ["for object in \(fetch(entityName, isOneOfSeveral ? entity.predicate : nil)) {"] + lines.indented + [
            "}"
        ]
    }

    /// Returns the lines that create objects from the objects of another entity.
    private func linesOfMade(
        _ entity: MappingModel.EntityMapping,
        from sourceName: String,
        into destinationName: String
    ) -> [String] {
        // If another mapping keeps the old objects, they exist in the newer version.
        let carrying = mapping.entities.filter { $0.sourceName == sourceName && isCarried($0) }
        let carriesObjects = !carrying.isEmpty
        func old(_ key: String) -> String {
            carriesObjects
                ? "try migration.previousValue(forKey: \(swiftLiteral(key)), of: old)" : "old[\(swiftLiteral(key))]"
        }
        var settings: [Setting] = []
        let byName = entity.attributes.filter { !$0.isCustom && hasAttribute($0.name, sourceName) }.map(\.name)
        if !byName.isEmpty {
            let names = byName.map { swiftLiteral($0) }
            let list = names.joined(separator: ", ")
            let heading =
                list.count < 80
                ? ["for name in [\(list)] {"] : ["for name in ["] + names.map { "    \($0)," } + ["] {"]
            let lines = [
                carriesObjects
                    ? "    object.setValue(try migration.previousValue(forKey: name, of: old), forKey: name)"
                    : "    if let value = old[name] { object.setValue(value, forKey: name) }",
                "}",
            ]
            settings.append(Setting(lines: heading + lines, isCode: true))
        }
        settings += entity.custom.map { property in
            switch property.expression {
            // The values do not include key paths over objects that may be missing.
            case .keyPath(let path)? where !carriesObjects && path.contains("."): toDo(property)
            // The result of the mapping that keeps the old object is the object itself.
            case .results(let name, "$source")? where carrying.contains { $0.name == name }:
                Setting(lines: ["object.setValue(old, forKey: \(swiftLiteral(property.name)))"], isCode: true)
            default: setting(property, old)
            }
        }
        settings += entity.relationships.filter { !$0.isCustom }.map { relationship in
            let line = "// TODO: set '\(oneLine(relationship.name))' to \(oneLine(relationship.words))."
            return Setting(lines: [line], isCode: false)
        }
        // Without code, the two objects would be unused.
        let isUsed = settings.contains(where: \.isCode)
        var body: [String] = []
        if !carriesObjects, let predicate = entity.predicate {
            body.append("// TODO: only for the old objects where \(oneLine(predicate)); skip the others.")
        }
        let arguments = "forEntityName: \(swiftLiteral(destinationName)), into: migration.objects"
        body.append("\(isUsed ? "let object" : "_") = EntityDescription.insertNewObject(\(arguments))")
        body += settings.flatMap(\.lines)
        let objects =
            carriesObjects
            ? fetch(sourceName, entity.predicate)
            : "try migration.previousObjects(ofEntity: \(swiftLiteral(sourceName)))"
        return ["for \(isUsed ? "old" : "_") in \(objects) {"] + body.indented + ["}"]
    }

    private func hasAttribute(_ name: String, _ entityName: String) -> Bool {
        guard let source else { return true }
        return source.entity(named: entityName)?.attribute(named: name) != nil
    }

    private func fetch(_ entityName: String, _ predicate: String?) -> String {
        let request = "FetchRequest<ManagedObject>(entityName: \(swiftLiteral(entityName)))"
        return "try migration.objects.fetch(\(request)\(predicate.map { ".where(format: \(swiftLiteral($0)))" } ?? ""))"
    }

    /// - Parameter old: the expression for the old object's value at a key path.
    private func setting(_ property: MappingModel.PropertyMapping, _ old: (String) -> String) -> Setting {
        guard case .keyPath(let path) = property.expression else { return toDo(property) }
        let line = "object.setValue(\(old(path)), forKey: \(swiftLiteral(property.name)))"
        if line.count < 96 { return Setting(lines: [line], isCode: true) }
        return Setting(
            lines: ["object.setValue(", "    \(old(path)),", "    forKey: \(swiftLiteral(property.name))", ")"],
            isCode: true
        )
    }

    private func toDo(_ property: MappingModel.PropertyMapping) -> Setting {
        let line = "// TODO: set '\(oneLine(property.name))' to \(oneLine(property.words))."
        return Setting(lines: [line], isCode: false)
    }
}

/// The code that sets a property, or a comment for the user, who knows the objects.
private struct Setting {
    var lines: [String]
    var isCode: Bool
}

extension MappingModel.EntityMapping {
    /// The mappings that are not by name.
    fileprivate var custom: [MappingModel.PropertyMapping] { (attributes + relationships).filter(\.isCustom) }
}

extension [String] {
    fileprivate var indented: [String] { map { "    " + $0 } }
}
