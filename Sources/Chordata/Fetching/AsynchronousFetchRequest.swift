/// A fetch request whose rows are read in the background, without blocking the context's actor.
///
/// ```swift
/// let players = try await context.fetch(Player.fetchRequest().asynchronous { print("\($0) rows") })
/// ```
public struct AsynchronousFetchRequest<Object: ManagedObject>: Sendable {
    /// The fetch request.
    public var request: FetchRequest<Object>
    /// A closure that is called with the number of rows read so far.
    ///
    /// It is called after every 1,000 rows and at the end, on the thread that reads the rows. If the rows have to be
    /// read again, because a context of the container has saved or the fetching context has changed during the read,
    /// the calls begin again with the first rows. The closure is not called in the cases in which
    /// ``ManagedObjectContext/fetch(_:)-(AsynchronousFetchRequest<Object>)`` runs an ordinary fetch instead. A store in
    /// memory is locked during the call: the closure must not use the store or wait for code that uses it.
    public var progress: (@Sendable (Int) -> Void)?
    /// Creates a request.
    /// - Parameters:
    ///   - request: The fetch request.
    ///   - progress: A closure that is called with the number of rows read so far; see ``progress``.
    public init(_ request: FetchRequest<Object>, progress: (@Sendable (Int) -> Void)? = nil) {
        self.request = request
        self.progress = progress
    }
}

extension FetchRequest {
    /// Returns a request for the same objects that reads rows in the background, without blocking the context's actor.
    /// - Parameter progress: A closure that is called with the number of rows read so far; see
    ///   ``AsynchronousFetchRequest/progress``.
    /// - Returns: An asynchronous request, for ``ManagedObjectContext/fetch(_:)-(AsynchronousFetchRequest<Object>)``.
    public func asynchronous(progress: (@Sendable (Int) -> Void)? = nil) -> AsynchronousFetchRequest<Object> {
        AsynchronousFetchRequest(self, progress: progress)
    }
}
