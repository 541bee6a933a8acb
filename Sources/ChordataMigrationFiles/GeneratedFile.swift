/// A generated text file: Swift of a model, or a file of its migrations.
package struct GeneratedFile: Sendable, Hashable {
    /// The name, without a folder.
    package var name: String
    package var contents: String

    package init(name: String, contents: String) {
        self.name = name
        self.contents = contents
    }
}
