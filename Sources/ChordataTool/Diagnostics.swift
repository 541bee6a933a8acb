internal import ArgumentParser
internal import ChordataDiagnosticPages
internal import ChordataDiagnostics

/// `chordata diagnostics`.
struct Diagnostics: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Explains a diagnostic by its id, or lists all of them.",
        discussion: "Example: chordata diagnostics CD0217"
    )

    @Argument(help: "The diagnostic id, as printed in brackets after the message. Omit to list all.") var id: String?

    func run() throws {
        guard let id else {
            for id in DiagnosticID.allCases { print("\(id.rawValue)  \(page(of: id).title)") }
            return
        }
        guard let known = DiagnosticID(rawValue: id.uppercased()) else {
            throw misuse("there is no diagnostic '\(id)'; 'chordata diagnostics' lists all")
        }
        print(renderTerminal(page(of: known)), terminator: "")
    }
}
