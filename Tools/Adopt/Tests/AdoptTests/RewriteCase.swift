import Testing

/// A text before and after.
struct RewriteCase: CustomTestStringConvertible {
    let name: String
    let before: String
    let after: String
    /// The reports, in order.
    var reports: [String] = []

    var testDescription: String { name }

    /// The cases of all suites.
    static let all = classes + members + keys + modelURLs + imports + reported
}
