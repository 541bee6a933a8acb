/// Reads the objects of a list in batches, and retains the objects of the two newest batches.
///
/// A batch consists of consecutive objects of a list; the first batch begins with the first object. The list decides
/// which batches are read: a ``BatchedArray`` never changes, so it reads a batch that is not retained; the rows of a
/// results controller change their positions, so the controller reads the batch of a row whose object is not
/// registered.
final class ObjectBatchLoader {
    /// Objects that were read together.
    private struct Batch {
        /// The index of the first object; `nil` if the indexes of the list can change.
        let start: Int?
        let objects: [ManagedObject]
    }

    /// The number of batches whose objects are retained.
    private static let limit = 2

    let context: ManagedObjectContext
    private let size: Int
    /// The retained batches, the newest at the end.
    private var batches: [Batch] = []

    /// Creates a loader that has read nothing.
    /// - Parameter size: The number of objects in a batch; at least 1.
    init(batchSize size: Int, in context: ManagedObjectContext) {
        self.size = size
        self.context = context
    }

    /// Returns the object at an index if its batch is retained; the batch becomes the newest one.
    func retainedObject(at index: Int) -> ManagedObject? {
        let start = index / size * size
        // The search begins with the newest batch, and uses indexes so that no element is retained.
        guard let place = batches.indices.last(where: { batches[$0].start == start }) else { return nil }
        if place < batches.count - 1 { batches.append(batches.remove(at: place)) }
        return batches[batches.count - 1].objects[index - start]
    }

    /// Reads a batch and retains its objects instead of the objects of the oldest batch.
    /// - Parameter start: The index of the first object, for ``retainedObject(at:)``.
    /// - Returns: The objects; an object is a fault if the store cannot be read.
    func load(_ ids: [ManagedObjectID], at start: Int? = nil) -> [ManagedObject] {
        let objects = context.fetcher.objects(with: ids)
        if batches.count == Self.limit { batches.removeFirst() }
        batches.append(Batch(start: start, objects: objects))
        return objects
    }

    /// Returns the indexes of the batch that contains an index.
    /// - Parameter count: The number of objects in the list.
    func range(containing index: Int, of count: Int) -> Range<Int> {
        Self.range(containing: index, of: count, batchSize: size)
    }

    /// Returns the indexes of the batch that contains an index, for a list without a loader.
    static func range(containing index: Int, of count: Int, batchSize size: Int) -> Range<Int> {
        let start = index / size * size
        return start..<min(start + size, count)
    }
}
