#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// An error for a save, batch update or migration that would never end, because hooks, observers or derived attributes
/// change objects again and again.
///
/// The cause is a `willSave` hook, a validation hook or a notification observer that changes objects each time it is
/// called, or derived attributes that depend on each other.
public struct ChangeLimitExceededError: Error, Sendable, Hashable {
    /// The maximum number of rounds before a save fails.
    static let limit = 1_000

    /// The hook that changed the objects.
    let hook: String
    /// The remedy.
    private let remedy: String
    /// The names of the entities whose objects changed when the limit was reached; for a batch update, of all entities
    /// whose derived attributes changed.
    public let entityNames: Set<String>

    init(hook: String, entityNames: Set<String>) {
        self.hook = hook
        remedy = "set a property only if the new value differs from the current value"
        self.entityNames = entityNames
    }
}

extension ChangeLimitExceededError {
    /// Creates the error for derived attributes of some entities whose computation does not end.
    init(derivationsOf entityNames: Set<String>) {
        hook = "derived attributes"
        remedy = "remove the cycle of derivations"
        self.entityNames = entityNames
    }
}

extension ChangeLimitExceededError: CustomStringConvertible, LocalizedError {
    /// The description of the error, which `localizedDescription` returns.
    public var errorDescription: String? { description }

    /// A textual description of the error.
    public var description: String {
        let names = entityNames.ordered(by: <).map { "'\($0)'" }.joined(separator: ", ")
        return "\(hook) of \(names) changed objects \(Self.limit) times in a row; \(remedy)"
    }
}
