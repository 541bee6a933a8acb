import Foundation
import PackagePlugin

/// A build plugin that does not belong to Chordata, and also adds a file to a target.
@main
struct Stamp: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let output = context.pluginWorkDirectoryURL.appending(path: "stamp.swift")
        return [
            .buildCommand(
                displayName: "Stamping \(target.name)",
                executable: try context.tool(named: "stamp").url,
                arguments: [target.name, output.path],
                outputFiles: [output]
            )
        ]
    }
}
