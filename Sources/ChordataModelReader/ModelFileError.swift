internal import ChordataDiagnostics

/// The errors of a model that cannot be read.
public struct ModelFileError: Error, Sendable, Hashable {
    /// An error of a model.
    public struct Problem: Sendable, Hashable {
        /// The identifier of the diagnostic, such as `CD0201`.
        public let id: String
        /// The problem and its remedy.
        public let message: String
        /// The path of the file; the path of the model if the problem has no location.
        public let path: String
        /// The line, counted from 1; 0 if the problem is not at a line.
        public let line: Int
        /// The column, counted from 1; 0 if the problem is not at a line.
        public let column: Int
    }

    /// The errors, sorted by location; there is at least one.
    public let problems: [Problem]

    init(_ diagnostics: [Diagnostic], path: String) {
        problems = diagnostics.filter { $0.severity == .error }.map { diagnostic in
            Problem(
                id: diagnostic.id.rawValue,
                message: diagnostic.message,
                path: diagnostic.location?.file ?? path,
                line: diagnostic.location?.line ?? 0,
                column: diagnostic.location?.column ?? 0
            )
        }
    }
}

extension ModelFileError: CustomStringConvertible {
    /// The description has one line per error, in the format of `chordata validate`, without notes.
    public var description: String {
        problems.map { problem in
            let place = problem.line == 0 ? problem.path : "\(problem.path):\(problem.line):\(problem.column)"
            return "\(place): error: \(problem.message) [\(problem.id)]"
        }
        .joined(separator: "\n")
    }
}
