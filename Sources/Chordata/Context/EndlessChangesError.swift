#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Objects were changed by their `willSave`, or while they were validated, each time that was done, so a save would never begin.
public struct EndlessChangesError: Error, Sendable, Hashable {
    /// How often hooks are called before a save gives up.
    static let limit = 1_000

    /// What changed them.
    let hook: String
    /// The entities of the objects that changed last.
    public let entityNames: Set<String>
}

extension EndlessChangesError: CustomStringConvertible, LocalizedError {
    /// The whole in words, for `localizedDescription`.
    public var errorDescription: String? { description }

    /// The whole in words.
    public var description: String {
        let names = entityNames.sorted().map { "'\($0)'" }.joined(separator: ", ")
        return
            "\(hook) of \(names) changed objects \(Self.limit) times in a row; test for a difference before setting a property"
    }
}
