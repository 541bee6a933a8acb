/// The condition under which changes can be applied to results: since the fetch, no update has failed and the context
/// was not reset.
struct UpdateStatus {
    /// The error that prevented the last update; `nil` after a successful update.
    ///
    /// The results do not include the changes of that update, so later changes do not apply to them.
    private(set) var error: (any Error)?
    /// The number of resets of the context before the fetch; a reset detaches the objects of the results (F20).
    private var resetCount = 0

    /// The status before the first fetch.
    init() {}

    /// The status of new results.
    init(ofResultsFetchedIn context: ManagedObjectContext) { resetCount = context.notifier.resetCount }

    /// Returns a Boolean value that indicates whether changes of the context can be applied.
    func canUpdate(in context: ManagedObjectContext) -> Bool {
        resetCount == context.notifier.resetCount && error == nil
    }

    /// Records an error that prevented an update.
    mutating func fail(_ error: any Error) { self.error = error }
}
