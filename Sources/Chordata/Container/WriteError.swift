#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// An error of ``PersistentContainer/write(attemptLimit:_:)``.
public struct WriteError: Error {
    /// A kind of error.
    public enum Code: Sendable, Hashable {
        /// The method was called in its own closure, or in a task that the closure has started and that is not a
        /// detached task. The closure and the call would wait for each other.
        case nestedWrite
        /// The closure called `save()` of its context. The method itself saves the context after the closure.
        case saveInWrite
        /// Each attempt that the limit allows failed, the last one with a ``SaveConflictError``.
        case attemptLimitExceeded
    }

    /// The kind of error.
    public let code: Code
    /// The number of attempts for ``Code/attemptLimitExceeded``; 0 for other kinds of errors.
    public let attemptCount: Int
    /// The conflict of the last attempt for ``Code/attemptLimitExceeded``; `nil` for other kinds of errors.
    public let conflict: SaveConflictError?

    init(_ code: Code, attemptCount: Int = 0, conflict: SaveConflictError? = nil) {
        self.code = code
        self.attemptCount = attemptCount
        self.conflict = conflict
    }
}

extension WriteError: CustomStringConvertible, LocalizedError {
    /// The description of the error, which `localizedDescription` returns.
    public var errorDescription: String? { description }

    /// A textual description of the error.
    public var description: String {
        switch code {
        case .nestedWrite:
            "write was called in the closure of another write of the same container, so each would wait for the other; "
                + "use the context of the closure, or call write after the other write has ended"
        case .saveInWrite:
            "save() was called in the closure of write, which saves after the closure; remove the call, or use "
                + "performBackgroundTask"
        case .attemptLimitExceeded:
            "each of \(attemptCount) attempts was in conflict with another save; call write again later, or with a larger "
                + "attemptLimit\(conflict.map { " (the last conflict: \($0))" } ?? "")"
        }
    }
}
