package import Chordata

/// A connection to a database server, used by one thread at a time.
package protocol ServerConnection: AnyObject {
    /// A Boolean value that indicates whether a transaction is open.
    var isInTransaction: Bool { get }

    /// Executes statements in one round trip, or in more if one of them copies rows.
    ///
    /// The server executes none of the statements after one that fails.
    /// - Parameters:
    ///   - statements: The statements.
    ///   - onRow: A closure that is called for each row with the index of its statement and a cell for each column,
    ///     which are valid during the call. It may execute other statements.
    /// - Returns: The number of rows that each statement has read or written.
    /// - Throws: ``ServerFailure`` if a statement fails or the connection is lost, and any error that the closure
    ///   throws.
    func execute(
        _ statements: [ServerStatement],
        _ onRow: (_ index: Int, _ cells: UnsafeMutableBufferPointer<StoreCell>) throws -> Void
    ) throws -> [Int]

    /// The names of the columns of a row, while ``execute(_:_:)`` calls its closure with the row.
    var columnNames: [String] { get }

    /// Sets whether statements have the time limit of the store, which they have by default.
    func setTimeLimited(_ isLimited: Bool)

    /// Sets whether statements are prepared, which they are by default.
    ///
    /// The server does not execute a prepared statement whose columns have other types now.
    func setPreparing(_ isPreparing: Bool)

    /// Sends the statement that ends a transaction that only reads, and does not wait for its result.
    ///
    /// If it cannot be sent, the connection is lost, and the server ends the transaction.
    func endReading()
}

extension ServerConnection {
    /// Executes statements whose rows are ignored.
    @discardableResult
    package func execute(_ statements: [ServerStatement]) throws -> [Int] { try execute(statements) { _, _ in } }
}

/// The failure of one of several statements.
package struct ServerFailure: Error {
    package let error: StoreError
    /// The index of the statement; `nil` if the connection was lost or the end of the transaction failed.
    package let index: Int?

    package init(_ error: StoreError, at index: Int?) { (self.error, self.index) = (error, index) }
}

extension StoreError {
    /// A Boolean value that indicates whether a pooler sent a prepared statement to another connection of the server;
    /// from then on, statements are not prepared.
    package var isOfPreparation: Bool { sqlState == "26000" || sqlState == "42P05" }
}

/// The connections to a store on a database server.
package protocol ServerDatabase: AnyObject, Sendable {
    /// The location of the store, for errors, without a password.
    var place: String { get }
    /// Takes a connection that has no other user until it is returned.
    /// - Parameter purpose: The use of the connection, which an error names when none is free.
    /// - Throws: ``StoreError`` when the server cannot be reached or no connection is free in time.
    func take(for purpose: String) throws(StoreError) -> any ServerConnection
    /// A Boolean value that indicates whether a caller would get a connection without waiting for another caller.
    var isConnectionAvailable: Bool { get }
    /// Returns a connection; it is closed if it is lost or has an open transaction.
    func release(_ connection: any ServerConnection)
    /// Opens a channel to the other programs of a store, which is closed when it is released.
    /// - Parameter onNotification: A closure that is called after a notification, and when notifications may have been
    ///   lost; `nil` if the program only notifies others.
    func openChannel(named name: String, onNotification: (@Sendable () -> Void)?) -> any ServerChannel
}
