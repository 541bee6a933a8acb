/// The findings and counts of a round trip.
public final class Report {
    /// The current activity, for messages.
    var stage = ""
    private(set) var failures: [String] = []
    private(set) var comparisons = 0
    private var setProperties: Set<String> = []
    private var comparedProperties: Set<String> = []
    private(set) var calledFunctions: Set<String> = []

    /// Records that a generated function ran.
    public func called(_ function: String) { calledFunctions.insert(function) }

    /// The properties that were set or computed, and compared.
    var properties: Set<String> { setProperties.intersection(comparedProperties) }

    func didSet(_ property: String) { setProperties.insert(property) }

    func compare(_ property: String, _ isSame: Bool, _ difference: @autoclosure () -> String) {
        comparisons += 1
        comparedProperties.insert(property)
        if !isSame { fail("\(property): \(difference())") }
    }

    /// Records a failure if a condition is not met.
    public func expect(_ condition: Bool, _ problem: @autoclosure () -> String) {
        comparisons += 1
        if !condition { fail(problem()) }
    }

    func fail(_ problem: String) { failures.append("\(stage): \(problem)") }
}

/// Returns a value as text for a message, truncated if it is long.
func brief(_ value: Any?) -> String {
    guard let value else { return "nil" }
    let text = "\(value)"
    return text.count > 120 ? "\(text.prefix(120))… (\(text.count))" : text
}
