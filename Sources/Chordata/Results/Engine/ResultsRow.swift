/// A row of a list: an object, and the sort and section values that it had when the list last read it.
final class ResultsRow: OrderStatisticTreeElement {
    /// The object of a row.
    private enum Holding {
        case object(ManagedObject)
        /// The entity of the object, which is created on access.
        case entity(RuntimeEntity, ObjectBatchLoader)
    }

    /// The row key of the object; only the list changes this key and the section.
    var key: Int64
    /// The key that the object had when the list last read it: it determines the order if all sort values are equal.
    let tieKey: Int64
    private var holding: Holding
    /// Each access to the sort values ends before another access begins, so exclusivity does not have to be checked.
    @exclusivity(unchecked) private(set) var sortValues: SortValues
    unowned(unsafe) var section: ResultsSection?
    unowned(unsafe) var leaf: OrderStatisticTree<ResultsRow>.Node?

    /// The object; reads its batch if the row does not hold it.
    var object: ManagedObject {
        switch holding {
        case .object(let object): object
        case .entity(_, let loader): loader.object(of: self)
        }
    }

    private var runtimeEntity: RuntimeEntity {
        switch holding {
        case .object(let object): object.runtimeEntity
        case .entity(let type, _): type
        }
    }

    /// The object ID under which the list has the object, which may have been removed or may now have the key of
    /// another row.
    var objectID: ManagedObjectID { ManagedObjectID(runtimeEntity: runtimeEntity, key: key) }

    /// - Parameter loader: The loader that provides the object on access; `nil` if the row retains the object.
    init(key: Int64, object: ManagedObject, sortValues: SortValues, loader: ObjectBatchLoader? = nil) {
        self.key = key
        tieKey = key
        holding = loader.map { .entity(object.runtimeEntity, $0) } ?? .object(object)
        self.sortValues = sortValues
    }

    /// Returns a Boolean value that indicates whether this is the row of an object, and not of another object that had
    /// the same key before.
    func isOf(_ object: ManagedObject) -> Bool { isOf(object, knownAs: object.key) }

    /// Returns a Boolean value that indicates whether this is the row of an object that had a given key when the row
    /// was created.
    func isOf(_ object: ManagedObject, knownAs known: Int64) -> Bool {
        switch holding {
        case .object(let held): held === object
        case .entity(let type, _): key == known && type.rootIndex == object.runtimeEntity.rootIndex
        }
    }

    /// Returns a Boolean value that indicates whether two rows have the same object.
    func isOfObject(of other: ResultsRow) -> Bool {
        switch (holding, other.holding) {
        case (.object(let object), .object(let another)): object === another
        case (.entity, _), (_, .entity): key == other.key
        }
    }

    /// Replaces the object and the sort values with those of another row.
    func take(_ other: ResultsRow) {
        holding = other.holding
        sortValues = other.sortValues
    }
}

/// A row and the section that it belongs to.
struct ResultsEntry {
    let row: ResultsRow
    /// The name of the section; it has no meaning in a list without sections.
    let sectionName: SectionName
}
