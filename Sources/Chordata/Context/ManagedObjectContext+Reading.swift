// One state of the store for all that an event reads.

/// The part of a program that is one event of a context.
enum EventScope {
    /// There are no events: each read is a transaction of its own, because none may stay open while the context waits
    /// for something.
    case none
    /// A turn of the context's actor. One that takes longer than a second is several: the program never ends its turn.
    case turn
    /// The closure of ``ManagedObjectContext/performAndWait(_:)``.
    case closure

    static let longestTurn = Duration.seconds(1)
}

extension ManagedObjectContext {
    /// Reads the store: within an event all reads see the same state of it.
    func readStore<Result>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
        // What does not depend on the type of the result is compiled once.
        var result: Result?
        try withReader { result = try body($0) }
        return result!  // The body returned or threw.
    }

    private func withReader(_ body: (SQLiteConnection) throws -> Void) throws {
        let access = beginAccess()
        defer { access.end() }
        if let source { return try source.readStore(body) }
        // What has changed above since the transaction began it does not see.
        if reader != nil, parentOverlayReader?.isOutdated == true { endReading() }
        if let reader { return try store.sqlite.read(with: reader, body) }
        guard eventScope != .none, let reader = try beginReading() else { return try readApart(body) }
        self.reader = reader
        scheduleProcessing?()
        return try store.sqlite.read(with: reader, body)
    }

    /// Runs a closure in which all reads see the same state of the store, until the closure saves, refreshes or merges.
    ///
    /// Pending changes are not processed when the closure ends, but at the end of the actor's turn or, outside of
    /// actors, at the next fetch or save.
    ///
    /// Outside of actors, many reads are faster in one closure than without it, because they share one transaction.
    ///
    /// The closure runs immediately, in the isolation of the caller, which must be that of the context. Calls can be
    /// nested. Do not block or wait in the closure.
    /// - Returns: The value that the closure returns.
    /// - Throws: Any error that the closure throws.
    public func performAndWait<Result>(_ body: () throws -> Result) rethrows -> Result {
        let access = beginAccess()
        defer { access.end() }
        let outerScope = eventScope
        mergeBeforeEvent()
        eventScope = .closure
        defer {
            eventScope = outerScope
            if outerScope == .none { endReading() }
        }
        return try body()
    }

    /// Merges what other contexts saved, unless an event has begun.
    private func mergeBeforeEvent() {
        guard automaticallyMergesChangesFromParent || parent != nil, isBetweenEvents else { return }
        beginEvent()
        parent?.processChanges()
        if automaticallyMergesChangesFromParent { mergeInbox() }
    }

    /// Begins an event: it reads the newest state of the store.
    func beginEvent() {
        endReading()
        eventBegan = .now
    }

    /// A Boolean value that indicates whether the context can merge without a change in the middle of an event.
    var isBetweenEvents: Bool {
        if isProcessing { return false }
        switch eventScope {
        case .none: return true
        case .closure: return false
        case .turn: return .now - eventBegan > EventScope.longestTurn
        }
    }

    /// A Boolean value that indicates whether the rows that are read may be those of a parent.
    var readsParentOverlay: Bool { parentOverlayReader != nil || source?.readsParentOverlay == true }

    private func beginReading() throws -> SQLiteConnection? {
        if let parentOverlayReader { return try parentOverlayReader.beginReading() }
        return try store.sqlite.beginReading()
    }

    private func readApart(_ body: (SQLiteConnection) throws -> Void) throws {
        if let parentOverlayReader { return try parentOverlayReader.read(body) }
        return try store.sqlite.read(body)
    }

    func endReading() {
        guard let reader else { return }
        self.reader = nil
        if let parentOverlayReader { parentOverlayReader.endReading(reader) } else { store.sqlite.endReading(reader) }
    }
}
