#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// An error for a call of a context's `save()` by a hook or an observer while the same context is being saved.
///
/// An observer of a notification that is posted after the save can save again, and so can an observer of that save; if
/// 100 saves are nested in this way, a further save throws this error. No changes are lost. Changes that were made
/// before the rows are written are part of the running save; later changes are part of the next save.
public struct RecursiveSaveError: Error, Sendable, Hashable {
    /// The maximum number of saves that begin before the observers of earlier ones have returned.
    static let limit = 100
}

extension RecursiveSaveError: CustomStringConvertible, LocalizedError {
    /// The description of the error, which `localizedDescription` returns.
    public var errorDescription: String? { description }

    /// A textual description of the error.
    public var description: String {
        "save() was called during a save of the same context, by a hook or by an observer of its notifications; remove "
            + "the call: changes that are made before the rows are written are saved too"
    }
}
