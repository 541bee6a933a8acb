import ChordataDiagnosticPages
import ChordataDiagnostics
import ChordataTestSupport
import Foundation
import Testing

/// The folder of the pages in the manual.
let manualFolder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Sources/Chordata/Chordata.docc/Diagnostics")

/// The manual has one page for each diagnostic, which is also embedded in the command line, and an index of them.
struct CatalogueTests {
    @Test func everyIDHasAPage() { expectEqual(DiagnosticPage.all.map(\.id), DiagnosticID.allCases.map(\.rawValue)) }

    @Test func filesAreThePagesAndTheirIndex() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: manualFolder.path)
        expectEqual(names.sorted(), DiagnosticPage.all.map { "\($0.id).md" } + ["Diagnostics.md"])
    }

    @Test(arguments: DiagnosticID.allCases)
    func embeddedPageIsThatOfTheManual(_ id: DiagnosticID) throws {
        let file = try String(contentsOf: manualFolder.appending(path: "\(id.rawValue).md"), encoding: .utf8)
        expectEqual(try page(of: id).markdown, file)
    }

    @Test func indexListsAllPages() throws {
        let index = try String(contentsOf: manualFolder.appending(path: "Diagnostics.md"), encoding: .utf8)
        let rows = try DiagnosticID.allCases.map { id in
            let canBeChanged = id.canBeLowered ? "yes" : "no"
            let title = try page(of: id).title
            return "| [\(id.rawValue)](doc:\(id.rawValue)) | \(id.severity.rawValue) | \(canBeChanged) | \(title) |"
        }
        expectEqual(index.split(separator: "\n").filter { $0.hasPrefix("| [") }.map(String.init), rows)

        let families = Dictionary(grouping: DiagnosticPage.all.map(\.id)) { $0.prefix("CD01".count) }
        let topics = index.split(separator: "\n### ").dropFirst().map { topic in
            topic.matches(of: /- <doc:(\w+)>/).map { String($0.1) }
        }
        expectEqual(topics, families.sorted { $0.key < $1.key }.map(\.value))
    }
}
