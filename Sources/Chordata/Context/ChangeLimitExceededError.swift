#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Objects were changed by their `willSave`, while they were validated, or by derived attributes that depend on
/// themselves, each time these ran, so a save would never end.
public struct ChangeLimitExceededError: Error, Sendable, Hashable {
    /// The maximum number of rounds before a save fails.
    static let limit = 1_000

    /// The hook that changed them.
    let hook: String
    /// Its remedy.
    private let remedy: String
    /// The entities of the objects that changed last.
    public let entityNames: Set<String>

    init(hook: String, entityNames: Set<String>) {
        self.hook = hook
        remedy = "set a property only if its value differs"
        self.entityNames = entityNames
    }
}

extension ChangeLimitExceededError {
    /// Derived attributes of some entities never come to an end.
    init(derivationsOf entityNames: Set<String>) {
        hook = "derived attributes"
        remedy = "remove the cycle of derivations"
        self.entityNames = entityNames
    }
}

extension ChangeLimitExceededError: CustomStringConvertible, LocalizedError {
    /// The whole in words, for `localizedDescription`.
    public var errorDescription: String? { description }

    /// The whole in words.
    public var description: String {
        let names = entityNames.ordered(by: <).map { "'\($0)'" }.joined(separator: ", ")
        return "\(hook) of \(names) changed objects \(Self.limit) times in a row; \(remedy)"
    }
}
