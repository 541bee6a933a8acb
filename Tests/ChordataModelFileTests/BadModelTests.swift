import ChordataDiagnostics
import ChordataModelFile
import ChordataTestSupport
import Foundation
import Testing

/// Every row of the tables in `BadModels` is a model that is malformed, hostile or doubtful, with the expected
/// diagnostics.
///
/// `CHORDATA_RECORD=1 swift test --filter BadModelTests` rewrites the golden texts, and fails so that it is not
/// mistaken for a test.
struct BadModelTests {
    // Swift Testing also has a type of this name.
    private typealias Place = ChordataDiagnostics.SourceLocation

    private static let isRecording = ProcessInfo.processInfo.environment["CHORDATA_RECORD"] != nil

    private struct Outcome: Sendable {
        var row: BadModelRow
        var files: [(path: String, contents: [UInt8])]
        var hasBundle: Bool
        var hasReadingErrors: Bool
        var diagnostics: [Diagnostic]
        var duration: Duration

        var name: Comment { "\(row.table): \(row.title)" }
    }

    private static let tables = Result { try BadModelTable.all() }
    private static let outcomes = Result {
        try tables.get().flatMap(\.rows).map { row in
            let files = try row.files()
            let start = threadTime()
            let (bundle, diagnostics) = readModelBundle(BadModelRow.source(files))
            let checked = diagnostics + (bundle.map { checkModel($0) } ?? [])
            return Outcome(
                row: row,
                files: files,
                hasBundle: bundle != nil,
                hasReadingErrors: diagnostics.hasErrors,
                diagnostics: checked.sortedByLocation(),
                duration: threadTime() - start
            )
        }
    }

    // MARK: The tables

    @Test func diagnosticsMatchTheExpectations() throws {
        for table in try Self.tables.get() {
            let outcomes = try Self.outcomes.get().filter { $0.row.table == table.name }
            if Self.isRecording {
                try table.record(outcomes.map { writeMarks(renderText($0.diagnostics)) })
                Issue.record("recorded '\(table.name)'; run again without CHORDATA_RECORD")
                continue
            }
            for outcome in outcomes {
                expectEqual(writeMarks(renderText(outcome.diagnostics)), outcome.row.expected, outcome.name)
            }
        }
    }

    @Test func tablesHaveManyRowsWithUniqueTitles() throws {
        let rows = try Self.tables.get().flatMap(\.rows)
        #expect(rows.count { !$0.has("!nothing") } >= 500)
        let titles = Dictionary(grouping: rows, by: \.title)
        expectEqual(titles.filter { $1.count > 1 }.keys.sorted(), [])
        let inputs = Dictionary(grouping: rows) { $0.directives.filter { $0 != "!warning" } + $0.input }
        expectEqual(inputs.values.filter { $0.count > 1 }.map { $0.map(\.title) }, [])
    }

    /// One mistake gives one error, and a model is returned only if there are no errors.
    @Test func severitiesMatchTheRows() throws {
        for outcome in try Self.outcomes.get() {
            let (severity, count) = outcome.row.expectedSeverity
            let found = outcome.diagnostics.map(\.severity)
            let worst: Diagnostic.Severity? =
                found.contains(.error) ? .error : found.contains(.warning) ? .warning : found.first
            expectEqual(worst, severity, outcome.name)
            if let count { expectEqual(found.count { $0 == severity }, count, outcome.name) }
            #expect(outcome.hasBundle != outcome.hasReadingErrors, outcome.name)
        }
    }

    /// The slowest row takes a third of a second without optimization.
    @Test func noRowTakesLong() throws {
        for outcome in try Self.outcomes.get() { #expect(outcome.duration < .seconds(5), outcome.name) }
    }

    // MARK: Laws of diagnostics

    @Test func placesAreInTheFiles() throws {
        for outcome in try Self.outcomes.get() {
            for diagnostic in outcome.diagnostics {
                let location = try #require(diagnostic.location, outcome.name)
                expectPlace(location, in: outcome)
                for note in diagnostic.notes {
                    if let location = note.location { expectPlace(location, in: outcome) }
                }
                for fixIt in diagnostic.fixIts {
                    expectPlace(fixIt.location, in: outcome)
                    var end = fixIt.location
                    end.column += fixIt.length
                    expectPlace(end, in: outcome)
                }
            }
        }
    }

    private func expectPlace(_ location: Place, in outcome: Outcome) {
        if location.file == BadModelRow.bundlePath {
            #expect(location.line == 1 && location.column == 1, outcome.name)
            return
        }
        guard let contents = outcome.files.first(where: { $0.path == location.file })?.contents else {
            Issue.record("'\(location.file)' is not a file of the row '\(outcome.row.title)'")
            return
        }
        guard let line = range(ofLine: location.line, in: contents) else {
            Issue.record("\(location): there is no such line in the row '\(outcome.row.title)'")
            return
        }
        #expect((1...line.count + 1).contains(location.column), outcome.name)
        // A location in the middle of a character is invalid, unless the line is not valid UTF-8.
        if location.column <= line.count, String(validating: contents[line], as: UTF8.self) != nil {
            #expect(contents[line.lowerBound + location.column - 1] & 0xC0 != 0x80, outcome.name)
        }
    }

    /// The bytes of a line, counted from 1, without the line feed.
    private func range(ofLine number: Int, in contents: [UInt8]) -> Range<Int>? {
        contents.withUnsafeBytes { bytes in
            var start = 0
            var line = 1
            while true {
                let found = bytes.baseAddress.flatMap { memchr($0 + start, 10, bytes.count - start) }
                let end =
                    found.map { UnsafeRawPointer($0) - (bytes.baseAddress ?? UnsafeRawPointer($0)) } ?? bytes.count
                if line == number { return start..<end }
                guard found != nil else { return nil }
                start = end + 1
                line += 1
            }
        }
    }

    @Test func fixItsCorrect() throws {
        for outcome in try Self.outcomes.get() {
            for diagnostic in outcome.diagnostics {
                for fixIt in diagnostic.fixIts {
                    var files = outcome.files
                    let file = try #require(files.firstIndex { $0.path == fixIt.location.file }, outcome.name)
                    let line = try #require(range(ofLine: fixIt.location.line, in: files[file].contents))
                    let start = line.lowerBound + fixIt.location.column - 1
                    files[file].contents.replaceSubrange(
                        start..<start + fixIt.length,
                        with: Array(fixIt.replacement.utf8)
                    )
                    let (bundle, diagnostics) = readModelBundle(BadModelRow.source(files))
                    let left = diagnostics + (bundle.map { checkModel($0) } ?? [])
                    #expect(
                        !left.contains { $0.id == diagnostic.id && $0.location == diagnostic.location },
                        outcome.name
                    )
                }
            }
        }
    }

    // MARK: Identifiers

    /// Diagnostics that no file can cause here, and the reasons.
    private static let unreachable: [DiagnosticID: String] = [
        .unreadableFile: "found when files are loaded from the disk",
        .malformedConfiguration: "about chordata.json",
        .unknownConfigurationKey: "about chordata.json",
        .invalidConfigurationValue: "about chordata.json",
        .orphanedConfiguration: "about chordata.json",
        .olderFormat: "found when files are loaded from the disk",
        .versionAfterCurrent: "found with the migrations",
    ]

    @Test func everyIdentifierOccurs() throws {
        let found = Set(try Self.outcomes.get().flatMap(\.diagnostics).map(\.id))
        let wanted = DiagnosticID.allCases.filter { id in
            ["CD01", "CD02", "CD03"].contains { id.rawValue.hasPrefix($0) } && Self.unreachable[id] == nil
        }
        expectEqual(wanted.filter { !found.contains($0) }.map(\.rawValue), [])
        expectEqual(Self.unreachable.keys.filter { found.contains($0) }.map(\.rawValue), [])
    }
}
