// Events in which all reads see one state of the store.

extension ManagedObjectContext {
    /// Runs a closure in which all reads see the same state of the store, until the closure saves, refreshes or merges.
    ///
    /// Pending changes are not processed when the closure ends, but at the end of the actor's
    /// [turn](doc:Glossary#Changes) or, outside of actors, at the next fetch or save.
    ///
    /// Outside of actors, many reads are faster in one closure, because they share one transaction.
    ///
    /// The closure runs immediately, in the isolation of the caller, which must be the isolation of the context. Calls
    /// can be nested. Do not block or wait in the closure.
    /// - Returns: The value that the closure returns.
    /// - Throws: Any error that the closure throws.
    public func performAndWait<Result>(_ body: () throws -> Result) rethrows -> Result {
        try processor.performAndWait(body)
    }
}
