internal import ArgumentParser
internal import ChordataDiagnostics
internal import ChordataFiles
internal import ChordataGeneration
internal import ChordataMigrationFiles
internal import ChordataModel
internal import ChordataModelFile

/// `chordata migrate mapping`.
struct MigrateMapping: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mapping",
        abstract:
            "Lists the mappings of a Core Data mapping model or, with --swift, prints a stage in Swift for it, with TODO comments for what you have to write.",
        discussion: """
            Examples: chordata migrate mapping 'Done to Done 2.xcmappingmodel'
                      chordata migrate mapping 'Done to Done 2.xcmappingmodel' --model Done.xcdatamodeld --swift > Stage.swift
            With --model the command also reports whether a stage is needed: most of what mapping models do is inferred.
            """
    )

    @Argument(help: "The mapping model, an .xcmappingmodel.") var mapping: String
    @Option(help: "The model whose versions it maps, an .xcdatamodeld.") var model: String?
    @Flag(name: .customLong("swift"), help: "Prints the stage in Swift instead of the report.") var printsSwift = false
    @Option(help: "The output format: text or json.") var format = OutputFormat.text

    func validate() throws {
        guard !printsSwift || format == .text else {
            throw ValidationError("--swift cannot be combined with --format json")
        }
    }

    func run() throws {
        let (loaded, diagnostics) = loadMappingModel(at: mapping)
        try report(diagnostics)
        guard let loaded else { throw ExitCode(1) }
        let need = try model.map { try self.need(of: loaded, modelPath: $0) }
        if printsSwift {
            if let need { printError(need.lines.map { $0 + "\n" }.joined()) }
            print(renderStage(of: loaded, source: need?.source), terminator: "")
            return
        }
        let text = describeMapping(loaded)
        switch format {
        case .text: print(text + (need.map { "\n" + $0.lines.joined(separator: "\n") + "\n" } ?? ""), terminator: "")
        case .json:
            print(
                jsonObject([
                    ("version", "1"), ("from", jsonString(loaded.sourceVersionName)),
                    ("to", jsonString(loaded.destinationVersionName)), ("report", jsonString(text)),
                    ("entities", jsonArray(loaded.entities.map(json))),
                    ("tasksOfStage", need.map { jsonArray($0.tasks.map(jsonString)) } ?? "null"),
                ])
            )
        }
    }

    /// The work that is left for a stage, according to the models of the two versions.
    private struct Need {
        var source: ManagedObjectModel
        var tasks: [String]
        var lines: [String]
    }

    private func need(of mapping: MappingModel, modelPath: String) throws -> Need {
        let (bundle, configuration) = try load(modelPath)
        let first = try bundle.index(ofVersion: mapping.sourceVersionName)
        let last = try bundle.index(ofVersion: mapping.destinationVersionName)
        guard first < last else {
            throw misuse(
                "'\(mapping.sourceVersionName)' does not come before '\(mapping.destinationVersionName)': "
                    + bundle.orderExplanation
            )
        }
        let steps = bundle.migrations(from: first, to: last, configuration.migrationFiles)
        let notInferred = steps.flatMap(\.diagnostics).filter { $0.id == .migrationNotInferred }.map(\.message)
        let match = ModelMatch(source: bundle.versions[first].model, destination: bundle.versions[last].model)
        let tasks = notInferred + tasksOfStage(of: mapping, match)
        let name = mapping.destinationVersionName
        let command = "chordata migrate new \(shellWord(modelPath)) --stage \(shellWord(name))"
        guard !tasks.isEmpty else {
            let line = "Everything in the mapping model is inferred, so no stage is needed."
            return Need(source: bundle.versions[first].model, tasks: [], lines: [line])
        }
        let heading =
            notInferred.isEmpty
            ? "All changes of the model are inferred, but these mappings are not, so a stage is needed:"
            : "Not inferred, so a stage is needed:"
        var lines = [heading] + tasks.map { "- \($0)" }
        let between = bundle.versions[first + 1..<last].map { "'\($0.name)'" }
        lines.append(
            between.isEmpty
                ? "To write the files for it, run: \(command)"
                : "There are other versions between these two: \(between.joined(separator: ", ")). A stage belongs to one step; "
                    + "write a stage for each step that needs one."
        )
        return Need(source: bundle.versions[first].model, tasks: tasks, lines: lines)
    }

    private func json(of entity: MappingModel.EntityMapping) -> String {
        func properties(_ all: [MappingModel.PropertyMapping]) -> String {
            jsonArray(
                all.map { property in
                    jsonObject([
                        ("name", jsonString(property.name)), ("isCustom", "\(property.isCustom)"),
                        ("expression", (property.expression?.text ?? property.sourceKeyPath).map(jsonString) ?? "null"),
                    ])
                }
            )
        }
        return jsonObject([
            ("name", jsonString(entity.name)), ("source", entity.sourceName.map(jsonString) ?? "null"),
            ("destination", entity.destinationName.map(jsonString) ?? "null"),
            ("policyClass", entity.policyClassName.map(jsonString) ?? "null"),
            ("predicate", entity.predicate.map(jsonString) ?? "null"), ("attributes", properties(entity.attributes)),
            ("relationships", properties(entity.relationships)),
        ])
    }
}
