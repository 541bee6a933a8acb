internal import ArgumentParser
internal import ChordataDiagram
internal import ChordataGeneration
internal import ChordataModel
internal import ChordataModelFile
internal import Foundation

/// `chordata graph`.
struct Graph: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Draws the entities of a model, with their attributes and relationships.",
        discussion: """
            Example: chordata graph Done.xcdatamodeld --format svg --output model.svg
            GitHub and other sites render Mermaid in a README; dot is the language of Graphviz. With --graphviz, an svg \
            is laid out by Graphviz, whose 'dot' must be installed.
            """
    )

    enum Language: String, ExpressibleByArgument, CaseIterable {
        case mermaid, dot, svg
    }

    @Argument(help: "The model, an .xcdatamodeld or .xcdatamodel.") var model: String
    @Option(help: "The format of the diagram: mermaid, dot or svg.") var format = Language.mermaid
    @Option(help: "The version; the current version by default.") var version: String?
    @Option(help: "The file to write; standard output by default.") var output: String?
    @Flag(inversion: .prefixedNo, help: "Lays out an svg with Graphviz.") var graphviz = false

    func run() throws {
        let (bundle, configuration) = try load(model)
        // The diagram shows the types of the generated code.
        let typeName = { transformableTypeName(of: $0, configuration.configuration) }
        let chosen = bundle.versions[try bundle.index(ofVersion: version)].model
        switch format {
        case .mermaid: try write(renderMermaid(chosen, typeName: typeName), to: output)
        case .dot: try write(renderDot(chosen, typeName: typeName), to: output)
        case .svg: try write(renderSVG(layout(of: chosen, typeName: typeName)), to: output)
        }
        if let output { summarize("wrote \(output)") }
    }

    private func layout(of model: ManagedObjectModel, typeName: TransformableTypeName) throws -> DiagramLayout {
        guard graphviz else { return layOut(model, typeName: typeName) }
        guard let dot = findExecutable("dot") else {
            printError("error: there is no program 'dot' on the PATH; install Graphviz, or draw without --graphviz\n")
            throw ExitCode(1)
        }
        let layout: DiagramLayout?
        do {
            layout = layOut(
                model,
                graphvizPlain: try runGraphviz(dot, renderDotForLayout(model, typeName: typeName)),
                typeName: typeName
            )
        } catch {
            layout = nil
        }
        if let layout { return layout }
        // This is not an error, because the diagram can be laid out without Graphviz.
        printError("warning: \(dot) did not give a usable layout, so Chordata's own is used\n")
        return layOut(model, typeName: typeName)
    }

    /// Returns the output of `dot -Tplain` for a text; `nil` if `dot` fails.
    private func runGraphviz(_ dot: String, _ text: String) throws -> String {
        // The texts are passed in files, so that neither side waits for the other to read.
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let (input, output) = (folder.path + "/model.dot", folder.path + "/model.plain")
        try Data(text.utf8).write(to: URL(fileURLWithPath: input))
        let process = Process()
        process.executableURL = URL(fileURLWithPath: dot)
        process.arguments = ["-Tplain", "-o", output, input]
        // The output of `dot` is not output of this command.
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { return "" }
        return try String(contentsOfFile: output, encoding: .utf8)
    }
}

/// The path of a program on the `PATH`.
private func findExecutable(_ name: String) -> String? {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { "\($0)/\(name)" }
        .first { path in
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
                && FileManager.default.isExecutableFile(atPath: path)
        }
}
