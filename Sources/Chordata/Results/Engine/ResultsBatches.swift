/// Makes the objects of rows without one on access, each with its neighbours, and retains those that were accessed
/// last.
final class ResultsBatches {
    /// The number of retained batches.
    private static let limit = 2

    private let context: ManagedObjectContext
    let size: Int
    private var held: [[ManagedObject]] = []

    init(of size: Int, in context: ManagedObjectContext) {
        self.context = context
        self.size = size
    }

    /// The object of a row; its batch is read if it was not.
    func object(of row: ResultsRow) -> ManagedObject {
        let id = row.objectID
        if let known = context.graph.registered(key: id.key, rootIndex: id.entityType.rootIndex), !known.isFault {
            return known
        }
        guard let rows = row.section?.rows else { return hold([id])[0] }
        let place = rows.place(of: row)
        let start = place / size * size
        return hold((start..<min(start + size, rows.count)).map { rows[$0].objectID })[place - start]
    }

    private func hold(_ ids: [ManagedObjectID]) -> [ManagedObject] {
        let objects = context.objects(with: ids)
        if held.count == Self.limit { held.removeFirst() }
        held.append(objects)
        return objects
    }
}
