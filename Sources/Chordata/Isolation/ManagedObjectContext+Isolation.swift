// The isolation of a context, and its events.

extension ManagedObjectContext {
    /// Assigns the context to an actor, as if code on the actor had created it.
    ///
    /// Use this method for a context that was created in nonisolated code and then sent to the actor, or that was
    /// created by the actor's initializer. Afterwards the context processes pending changes automatically after each
    /// [turn](doc:Glossary#Changes) of the actor, and merges saves of other contexts in the actor's next turn if
    /// ``automaticallyMergesChangesFromParent`` is `true`. The context retains the actor only until pending changes are
    /// processed at the end of the actor's turn.
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
    /// If the context was assigned to another actor before, it now belongs to the new actor only.
    /// - Parameter actor: The actor that uses the context from now on. The caller must be isolated to it.
    public func attach(to actor: isolated any Actor) { setExecutor(of: actor) }

    /// Assigns the context to an actor; the caller guarantees that the context is used on the actor only.
    func setExecutor(of actor: (any Actor)?) {
        guard let actor else { return }
        executor.attach(ProcessingJob(actor, of: self))
        updateNotification()
        // No other notification reports the earlier changes.
        if !graph.event.isEmpty { executor.scheduleProcessing() }
    }

    /// Begins a use of the context; see ``ContextExecutor/beginAccess()``.
    @inline(__always)
    func beginAccess() -> ContextAccess { executor.beginAccess() }

    /// Sets or removes the notification by which saves of other contexts wake up this context.
    func updateNotification() {
        guard let job = executor.job, automaticallyMergesChangesFromParent else { return inbox.setNotification(nil) }
        inbox.setNotification { job.schedule() }
        // No other notification reports the earlier saves.
        if !inbox.isEmpty { job.schedule() }
    }

    /// Runs a closure as one event, and processes pending changes at its end, even if the closure throws.
    ///
    /// The closure runs immediately, in the isolation of the caller, which must be that of the context. All reads in
    /// the closure see the same state of the store until the closure saves, refreshes or merges. At the end of the
    /// closure, and at each fetch and save in it, observers are notified of all changes since the last notification
    /// (rule N8 of <doc:Core-Data-Rules>).
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

// For the module `CoreData`, whose contexts have queues.

extension ManagedObjectContext {
    /// The queue of the context.
    package var association: (any ContextAssociation)? { executor.association }

    package func associate(with association: any ContextAssociation) { executor.association = association }

    /// Assigns the context to an actor, each of whose turns may have several events: code written for Core Data expects
    /// each fetch to see the newest state of the store.
    package func setExecutor(ofQueue actor: any Actor) {
        setExecutor(of: actor)
        executor.endTurns()
    }

    package func saveChanges() throws { try saver.save() }

    nonisolated(nonsending) package func saveChangesWhenAvailable() async throws { try await saver.saveWhenAvailable() }
}
