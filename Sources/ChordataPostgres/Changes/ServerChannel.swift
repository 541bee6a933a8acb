package import Chordata

/// The channel through which the programs of a store notify each other of their saves.
///
/// A notification says only that something was written. The changes are in the table of saves, so a lost notification
/// only delays other programs, which do not miss any changes.
package protocol ServerChannel: AnyObject, Sendable {
    /// A Boolean value that indicates whether the notifications of other programs arrive; otherwise, for example behind
    /// a connection pooler, the table must be read at intervals.
    var isListening: Bool { get }

    /// Notifies the other programs soon; several calls within a short time are one notification.
    func notify()

    /// Runs a closure with the connection of the channel, which no context uses.
    /// - Throws: ``StoreError`` if the server cannot be reached, and any error that the closure throws.
    func withConnection<Result>(_ body: (any ServerConnection) throws -> Result) throws -> Result
}

/// The options with which a store on a server is opened.
package struct ServerOptions: Sendable {
    /// A Boolean value that indicates whether each save records its changes.
    package var recordsChanges = true
    /// A Boolean value that indicates whether the contexts receive the saves of other programs.
    package var reportsRemoteChanges = true
    /// A Boolean value that indicates whether the records are kept as a persistent history.
    package var tracksPersistentHistory = false
    /// The time for which records are kept without a persistent history.
    package var changeRetention = Duration.seconds(3_600)
    /// A Boolean value that indicates whether a store of an older version is migrated when it is opened.
    package var shouldMigrateStoreAutomatically = true
    /// The stages of the migrations.
    package var migrationStages: [MigrationStage] = []
    /// A Boolean value that indicates whether the program must have the stages of all steps, also of those that the
    /// store does not need.
    package var requiresAllStages = true
    /// The minimum number of new rows of one entity from which a save copies them, in round trips of their own.
    package var copiedRowCount = 5_000
    package var saveLogger: SaveLogger?

    package init() {}
}
