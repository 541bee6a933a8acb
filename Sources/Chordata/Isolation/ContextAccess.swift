internal import CChordataSQLite
internal import Dispatch
internal import Synchronization

// Core Data's rule of confinement, checked while a program is developed: what the compiler proves in language mode 6 it
// does not look at in mode 5, nor behind `@unchecked Sendable` and `nonisolated(unsafe)`. Nothing of it is in a release
// build.

/// One use of a context, from the call to its return.
struct ContextAccess {
    #if DEBUG
        /// Its owner; `nil` for a use within another one.
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
    /// The thread that uses a context now.
    final class ContextAccessor: Sendable {
        /// 0 while no thread does.
        let thread = Atomic<UInt>(0)
    }
#endif

extension ContextExecutor {
    /// Begins a use of the context; traps when another thread is using it, and when it is one of the main
    /// actor elsewhere.
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
            // Before the context is claimed: otherwise the actor's own code would trap because of two threads.
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
    // `preconditionIsolated` would end the program with words of its own.
    private let mainQueueKey: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// Returns a Boolean value that indicates whether what runs now may use what belongs to the main actor.
    private func isOnMainActor() -> Bool {
        if DispatchQueue.getSpecific(key: mainQueueKey) == true { return true }
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return false }
        // Code of the main actor may run on another queue while it waits for that. Then this task runs here and now;
        // otherwise it may also run before the check, but on another thread.
        let place = Place()
        Task.immediate { @MainActor in place.thread.store(UInt(bitPattern: chordata_thread()), ordering: .releasing) }
        return place.thread.load(ordering: .acquiring) == UInt(bitPattern: chordata_thread())
    }

    private final class Place: Sendable {
        let thread = Atomic<UInt>(0)
    }
#endif
