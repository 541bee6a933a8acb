internal import CChordataSQLite
internal import Dispatch
internal import Synchronization

// Debug builds check Core Data's confinement rule. The compiler enforces the rule in language mode 6, but not in mode
// 5, and not behind `@unchecked Sendable` and `nonisolated(unsafe)`. Release builds contain none of these checks.

/// One use of a context, from the call to its return.
struct ContextAccess {
    #if DEBUG
        /// The accessor of the context; `nil` for a use within another use.
        let outermost: ContextAccessor?
    #endif

    @inline(__always)
    func end() {
        #if DEBUG
            outermost?.thread.store(0, ordering: .releasing)
        #endif
    }
}

#if DEBUG
    /// The thread that is currently using a context.
    final class ContextAccessor: Sendable {
        /// The thread; 0 while no thread is using the context.
        let thread = Atomic<UInt>(0)
    }
#endif

extension ContextExecutor {
    /// Begins a use of the context; traps if another thread is using the context, or if the context belongs to the main
    /// actor and the caller does not run on the main actor.
    @inline(__always)
    func beginAccess() -> ContextAccess {
        #if DEBUG
            return beginCheckedAccess()
        #else
            return ContextAccess()
        #endif
    }

    #if DEBUG
        private func beginCheckedAccess() -> ContextAccess {
            let current = UInt(bitPattern: chordata_thread())
            if accessor.thread.load(ordering: .relaxed) == current { return ContextAccess(outermost: nil) }
            // This check comes before the context is claimed: otherwise the actor's own code would trap because of two
            // threads.
            checkHome()
            let isFree = accessor.thread.compareExchange(
                expected: 0,
                desired: current,
                ordering: .acquiringAndReleasing
            ).exchanged
            precondition(
                isFree,
                """
                a context was used by two threads at the same time: a context and its objects belong to the task or actor that the \
                context was made for; create another context with newContext() or performBackgroundTask, and pass objectID \
                or Values
                """
            )
            return ContextAccess(outermost: accessor)
        }

        private func checkHome() {
            guard let actor = job?.actor, actor === MainActor.shared else { return }
            precondition(
                isOnMainActor(),
                """
                a context of the main actor was used elsewhere: the view context and its objects belong to the main actor; use \
                performBackgroundTask or newContext(), and pass objectID or Values
                """
            )
        }
    #endif
}

#if DEBUG
    // `preconditionIsolated` would trap with its own message.
    private let mainQueueKey: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// Returns a Boolean value that indicates whether the current code may use objects that belong to the main actor.
    private func isOnMainActor() -> Bool {
        if DispatchQueue.getSpecific(key: mainQueueKey) == true { return true }
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return false }
        // Code of the main actor may run on another queue while the main queue waits for that queue. In this case, the
        // task runs immediately on this thread; otherwise it may also run before the check, but on another thread.
        let place = Place()
        Task.immediate { @MainActor in place.thread.store(UInt(bitPattern: chordata_thread()), ordering: .releasing) }
        return place.thread.load(ordering: .acquiring) == UInt(bitPattern: chordata_thread())
    }

    private final class Place: Sendable {
        let thread = Atomic<UInt>(0)
    }
#endif
