// Where a context lives, and events there.

extension ManagedObjectContext {
    /// Makes the context one of an actor, as contexts are that code of the actor makes.
    ///
    /// For a context that was made where nothing is isolated: it was sent to the actor, or the initializer of the actor
    /// made it. The context then ends its events by itself, after each turn of the actor, and can merge what others
    /// save as that happens (``automaticallyMergesChangesFromParent``). It keeps the actor alive no longer than the
    /// actor's own turns do.
    ///
    /// ```swift
    /// actor Importer {
    ///     private let context: ManagedObjectContext
    ///     init(context: sending ManagedObjectContext) async {
    ///         self.context = context
    ///         context.attach(to: self)
    ///     }
    /// }
    /// ```
    ///
    /// A context that another actor had is the new one's from here on.
    /// - Parameter actor: The actor that uses the context from here on; the caller is isolated to it.
    public func attach(to actor: isolated any Actor) { setExecutor(of: actor) }

    /// The same, for callers that guarantee that the context is used on the actor only.
    func setExecutor(of actor: (any Actor)?) {
        guard let actor else { return }
        self.executor?.leave()
        let executor = ContextExecutor(actor, of: self)
        self.executor = executor
        scheduleProcessing = { executor.scheduleProcessing() }
        eventScope = .turn
        updateNotification()
        // Earlier changes are reported by no other notification.
        if !event.isEmpty { executor.scheduleProcessing() }
    }

    /// Lets saves of other contexts wake up this one, or not.
    func updateNotification() {
        guard let executor, automaticallyMergesChangesFromParent else { return inbox.setNotification(nil) }
        inbox.setNotification { executor.scheduleProcessing() }
        // Earlier saves are reported by no other notification.
        if !inbox.isEmpty { executor.scheduleProcessing() }
    }

    /// Runs a closure as one event, and processes what is pending at its end, also when it throws.
    ///
    /// It runs immediately in the caller's isolation, which must be the context's; it waits for nothing. All its reads
    /// see one state of the store, and observers are notified once of its changes (rule N8 of <doc:Core-Data-Rules>).
    ///
    /// ```swift
    /// try await context.perform {
    ///     for row in rows { _ = Player(context: context, name: row.name) }
    ///     try context.save()
    /// }
    /// ```
    /// - Returns: The value that the closure returns.
    /// - Throws: Any error that the closure throws.
    nonisolated(nonsending)
        public func perform<Result>(_ body: () throws -> Result) async rethrows -> Result
    {
        try performAndWait {
            defer { processPendingChanges() }
            return try body()
        }
    }
}
