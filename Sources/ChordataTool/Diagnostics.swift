internal import ArgumentParser
internal import ChordataDiagnosticPages

/// `chordata diagnostics`.
struct Diagnostics: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Explains a diagnostic by its id, or lists all of them.",
        discussion: "Example: chordata diagnostics CD0217"
    )

    @Argument(help: "The diagnostic id, as printed in brackets after the message. Omit to list all.") var id: String?

    func run() throws {
        guard let id else {
            for page in DiagnosticPage.all { print("\(page.id)  \(page.title)") }
            return
        }
        guard let page = DiagnosticPage.all.first(where: { $0.id == id.uppercased() }) else {
            throw misuse("there is no diagnostic '\(id)'; 'chordata diagnostics' lists all")
        }
        print(renderTerminal(page), terminator: "")
    }
}
