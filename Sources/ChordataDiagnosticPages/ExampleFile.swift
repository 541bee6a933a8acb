/// A file of an example.
package struct ExampleFile: Sendable, Hashable {
    /// The path within the folder of the example, with `/` between its parts.
    package var path: String
    /// `nil` for an empty folder.
    package var contents: String?

    init(_ path: String, _ contents: String?) {
        self.path = path
        self.contents = contents
    }

    /// The language of the contents, as Markdown names it.
    var language: String {
        if path.hasSuffix(".json") { return "json" }
        if path.hasSuffix(".lock") || path.hasSuffix("/elements") { return "text" }
        return path.hasSuffix(".sql") ? "sql" : "xml"
    }
}

extension [ExampleFile] {
    /// A model with one version, from the contents of its root element.
    static func model(_ body: String) -> [ExampleFile] { versions(body) }

    /// A model with several versions, of which the last one is the current one.
    static func versions(_ bodies: String...) -> [ExampleFile] {
        let names = bodies.indices.map { $0 == 0 ? "Shop" : "Shop \($0 + 1)" }
        let files = zip(names, bodies).map { name, body in
            let lines = body.split(separator: "\n", omittingEmptySubsequences: false)
            let indented = lines.map { $0.isEmpty ? "\n" : "    \($0)\n" }.joined()
            return ExampleFile.contents(of: name, "<model>\n\(indented)</model>\n")
        }
        guard names.count > 1, let last = names.last else { return files }
        return files + [.currentVersion(named: last)]
    }

    /// The whole text of the one version of a model.
    static func modelText(_ text: String) -> [ExampleFile] { [.contents(of: "Shop", text)] }

    static func configuration(_ text: String) -> [ExampleFile] { [ExampleFile("chordata.json", text + "\n")] }
}

extension ExampleFile {
    static func contents(of version: String, _ text: String) -> ExampleFile {
        ExampleFile("Shop.xcdatamodeld/\(version).xcdatamodel/contents", text)
    }

    /// The file that names the current version.
    static func currentVersion(named name: String) -> ExampleFile {
        currentVersion("<key>_XCCurrentVersionName</key>", "<string>\(name).xcdatamodel</string>")
    }

    /// The file that names the current version, from the contents of its dictionary.
    static func currentVersion(_ lines: String...) -> ExampleFile {
        let body = lines.map { "    \($0)\n" }.joined()
        return ExampleFile(
            "Shop.xcdatamodeld/.xccurrentversion",
            "<plist version=\"1.0\">\n<dict>\n\(body)</dict>\n</plist>\n"
        )
    }
}
