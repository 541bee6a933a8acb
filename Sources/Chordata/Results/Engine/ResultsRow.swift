/// A row of a list: an object, and the sort and section values that it had when the list last read it.
final class ResultsRow: OrderStatisticTreeElement {
    /// The object of a row.
    private enum Holding {
        case object(ManagedObject)
        /// Its entity; it is made on access.
        case entity(RuntimeEntity, ObjectBatchLoader)
    }

    /// The row key of the object; only the list changes this key and the section.
    var key: Int64
    /// The key that the object had when the list last read it: it decides the order if all sort values are equal.
    let tieKey: Int64
    private var holding: Holding
    /// No access of them lasts while another one begins, so that nothing has to look for that.
    @exclusivity(unchecked) private(set) var sortValues: SortValues
    unowned(unsafe) var section: ResultsSection?
    unowned(unsafe) var leaf: OrderStatisticTree<ResultsRow>.Node?

    /// The object; reads its batch where the row has none.
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

    /// The identity by which the list knows the object, which may have been removed and have the key of another one.
    var objectID: ManagedObjectID { ManagedObjectID(runtimeEntity: runtimeEntity, key: key) }

    /// - Parameter loader: The source of the object on access; without it the row retains the object.
    init(key: Int64, object: ManagedObject, sortValues: SortValues, loader: ObjectBatchLoader? = nil) {
        self.key = key
        tieKey = key
        holding = loader.map { .entity(object.runtimeEntity, $0) } ?? .object(object)
        self.sortValues = sortValues
    }

    /// Returns a Boolean value that indicates whether it is the row of an object, and not of another one that had its
    /// key before.
    func isOf(_ object: ManagedObject) -> Bool { isOf(object, knownAs: object.key) }

    /// Returns a Boolean value that indicates whether it is the row of an object that had some key when the row was
    /// made.
    func isOf(_ object: ManagedObject, knownAs known: Int64) -> Bool {
        switch holding {
        case .object(let held): held === object
        case .entity(let type, _): key == known && type.rootIndex == object.runtimeEntity.rootIndex
        }
    }

    /// Returns a Boolean value that indicates whether both are of one object.
    func isOfObject(of other: ResultsRow) -> Bool {
        switch (holding, other.holding) {
        case (.object(let object), .object(let another)): object === another
        case (.entity, _), (_, .entity): key == other.key
        }
    }

    /// A row that copies another one's object and values.
    func take(_ other: ResultsRow) {
        holding = other.holding
        sortValues = other.sortValues
    }
}

/// A row and the section that it belongs to.
struct ResultsEntry {
    let row: ResultsRow
    /// The value has no meaning in a list without sections.
    let sectionName: SectionName
}
