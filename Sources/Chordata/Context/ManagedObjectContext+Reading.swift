// One state of the store for all that an event reads.

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
        if reader != nil, parentReader?.isOutdated == true { endReading() }
        if let reader { return try body(reader) }
        guard endsEvents, let reader = try beginReading() else { return try readApart(body) }
        self.reader = reader
        readerBegan = .now
        scheduleProcessing?()
        return try body(reader)
    }

    /// Runs a closure as one event: all that it reads is one state of the store, and reading costs least.
    ///
    /// It runs where the context is used, and may be called within itself. Do not wait for anything in it.
    public func performAndWait<Result>(_ body: () throws -> Result) rethrows -> Result {
        let access = beginAccess()
        defer { access.end() }
        let isWithinEvent = endsEvents
        endsEvents = true
        defer {
            if !isWithinEvent {
                endsEvents = false
                endReading()
            }
        }
        return try body()
    }

    /// Whether the rows that are read may be those of a parent.
    var readsUnsavedRows: Bool { parentReader != nil || source?.readsUnsavedRows == true }

    private func beginReading() throws -> SQLiteConnection? {
        if let parentReader { return try parentReader.beginReading() }
        return try store.sqlite.beginReading()
    }

    private func readApart(_ body: (SQLiteConnection) throws -> Void) throws {
        if let parentReader { return try parentReader.read(body) }
        return try store.sqlite.read(body)
    }

    func endReading() {
        guard let reader else { return }
        self.reader = nil
        if let parentReader { parentReader.endReading(reader) } else { store.sqlite.endReading(reader) }
    }
}
