/// Something a user must or should know about the files they gave us.
///
/// Identifiers are promised and never reused; the wording is not.
package struct Diagnostic: Sendable, Hashable, Codable {
    package enum Severity: String, Sendable, Hashable, Codable {
        case error, warning, remark
    }

    /// A further place that belongs to the diagnostic, such as the other of two equal names.
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
    /// Lower case, without a full stop, with names in 'quotes'; says what to do.
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
    /// The beginning of the text.
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

    /// The diagnostics in the order a reader meets their places; those without a place come first.
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
