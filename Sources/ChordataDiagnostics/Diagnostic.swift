/// An error, a warning or a remark about the files of a user.
///
/// An identifier keeps its meaning and is never reused; the wording can change.
package struct Diagnostic: Sendable, Hashable, Codable {
    package enum Severity: String, Sendable, Hashable, Codable {
        case error, warning, remark
    }

    /// An additional location that belongs to the diagnostic, such as that of the other of two equal names.
    package struct Note: Sendable, Hashable, Codable {
        package var message: String
        package var location: SourceLocation?

        package init(_ message: String, at location: SourceLocation? = nil) {
            self.message = message
            self.location = location
        }
    }

    package var id: DiagnosticID
    package var severity: Severity
    /// The message, in lower case, without a full stop, with names in 'quotes', and with the remedy.
    package var message: String
    package var location: SourceLocation?
    package var notes: [Note]
    package var fixIts: [FixIt]

    package init(
        _ id: DiagnosticID,
        _ message: String,
        at location: SourceLocation?,
        severity: Severity? = nil,
        notes: [Note] = [],
        fixIts: [FixIt] = []
    ) {
        self.id = id
        self.severity = severity ?? id.severity
        self.message = message
        self.location = location
        self.notes = notes
        self.fixIts = fixIts
    }
}

/// A fix that a tool can apply.
package struct FixIt: Sendable, Hashable, Codable {
    /// A description of the fix, in the imperative.
    package var message: String
    /// The beginning of the text that is replaced.
    package var location: SourceLocation
    /// The number of replaced UTF-8 code units.
    package var length: Int
    package var replacement: String

    package init(_ message: String, at location: SourceLocation, length: Int, replacement: String) {
        self.message = message
        self.location = location
        self.length = length
        self.replacement = replacement
    }
}

extension [Diagnostic] {
    package var hasErrors: Bool { contains { $0.severity == .error } }

    /// Returns the diagnostics sorted by location; those without a location come first.
    package func sortedByLocation() -> [Diagnostic] {
        enumerated().sorted { left, right in
            switch (left.element.location, right.element.location) {
            case (nil, nil): left.offset < right.offset
            case (nil, _): true
            case (_, nil): false
            case (let a?, let b?): a == b ? left.offset < right.offset : a < b
            }
        }.map(\.element)
    }
}
