internal import ChordataModel

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Everything that one save writes; the plan is created without the store, and a ``StoreEngine`` executes it as a
/// whole.
///
/// The parts are executed in the order of the properties; only the rows that derive from rows as they are before the
/// save are read first. The values of rows are read from the objects while the plan is executed, so the plan is valid
/// until an object changes. It references the objects of rows without ownership, and inserted values by their address:
/// the caller retains both.
///
/// The plan is a class, because copies of its properties would be several percent of the instructions of a small save.
package final class SavePlan {
    package let schema: StoreSchema
    /// The plans of the stores that the save writes to, if the coordinator has several: this plan then has no rows.
    var parts: [SavePlan] = []
    /// The index of the store, if the coordinator has several.
    var place = 0
    /// The changed objects, for the persistent history.
    var objects: [ManagedObject] = []
    /// Unique values that are removed from rows that are about to lose them, so that other rows of the save may take
    /// them in any order.
    package var freedValues: [FreedValues] = []
    // An access to the groups ends before any other code runs.
    @exclusivity(unchecked) package var insertions: [RowGroup] = []
    @exclusivity(unchecked) package var updates: [RowGroup] = []
    /// Rows that are inserted without objects.
    package var values: InsertedValues?
    package var externalData: [ExternalDataChange] = []
    package var joinRows: [JoinRowChange] = []
    package var orders: [OrderChange] = []
    /// References to rows that are about to be deleted, which the engine removes from rows that are not registered in
    /// the context.
    package var nullifications: [Nullification] = []
    /// A closure that returns whether other contexts may have read rows with such references.
    ///
    /// The engine calls it within the transaction. Without such contexts, the engine leaves the references to the
    /// foreign keys of the tables.
    var hasOtherReaders: () -> Bool = { true }
    @exclusivity(unchecked) package var deletions: [RowGroup] = []
    /// The derived attributes that the engine computes after all other parts; `nil` if there are none.
    package var derivations: DerivationPlan?
    /// The number of row keys that the engine reserves for new objects; 0 if there are enough.
    package var reservedKeyCount: Int64 = 0
    /// The report for the save logger; `nil` if there is no logger.
    package var report: SaveReport?
    /// The progress to which the written rows are reported; `nil` if there is none.
    package var progress: OperationProgress?
    /// The names that the persistent history records.
    package var origin = SaveOrigin()

    init(schema: StoreSchema) { self.schema = schema }

    /// Reports the written rows to the current progress of the thread, if there is one.
    func reportProgress(of rowCount: Int) {
        progress = OperationProgress(expectedCount: rowCount)
        for part in parts { part.progress = progress }
    }

    /// Unique values that a row is about to lose.
    package struct FreedValues {
        package let type: RuntimeEntity
        package let key: Int64
        package let version: Int64
        package let columns: [String]
    }

    /// Rows for an array of `Values`, with consecutive keys.
    package struct InsertedValues {
        package let rows: ValuesInsertBuffer
        /// The key of the first row; `nil` if the engine reserves the keys.
        package let firstKey: Int64?
    }

    /// New bytes of an attribute that are stored in a side table; `nil` to remove them.
    package struct ExternalDataChange {
        package let attribute: ExternalField
        package let objectID: ManagedObjectID
        package let bytes: Data?
    }

    /// Rows of a join table that are removed and added for one object.
    package struct JoinRowChange {
        package let table: JoinTable
        package let owner: Int64
        package let removed: [Int64]
        /// The added members; some of them may be in the table already, because both ends of a pair may list it.
        package let added: [Int64]
    }

    /// A join table from the perspective of one of its ends.
    package struct JoinTable: Hashable {
        package let name: String
        /// The column of the owner of the members, and the column of the members.
        package let owner, member: String
    }

    /// The positions of the members of an ordered relationship.
    package struct OrderChange {
        package let columns: OrderColumns
        package let owner: Int64
        package let members: [ManagedObject]
        let changed: ChangedPositions
    }

    /// The members that get positions.
    enum ChangedPositions {
        /// All members, because the plan is executed on tables that do not have the rows of the store.
        case all
        /// The inserted members, and those that have to make room for them.
        case inserted(Set<ManagedObject>)
        /// As few members as are necessary for the order.
        case differences
    }

    /// References of a to-one relationship to rows that are about to be deleted.
    package struct Nullification {
        /// The relationship of the deleted rows whose inverse references them.
        package let relationship: RuntimeEntity.Relationship
        let deletions: RowGroup

        /// The keys of the deleted rows, in ascending order.
        package var owners: [Int64] { deletions.objects.map { $0.takeUnretainedValue().key }.sorted() }
    }

    /// Rows whose derived attributes a save computes in the store.
    package struct DerivationPlan {
        /// The derivations of each entity type.
        let derivations: [[Derivation]]
        /// The evaluator that computes, in memory, what the database cannot compute.
        package let evaluator: RowEvaluator
        /// The keys of updated and deleted rows by entity type: attributes that derive from them may change with them.
        var former: [Int: [Int64]] = [:]
        /// The keys of inserted and updated rows by entity type.
        var written: [Int: [Int64]] = [:]
        /// The keys, by entity type, of the rows whose own derived attributes may have changed.
        var moved: [Int: Set<Int64>] = [:]
        /// The written properties of rows without objects, whose derived attributes are all computed in the store;
        /// `nil` for rows of objects.
        var assignedNames: Set<String>?
    }
}

/// The names to which the persistent history attributes a transaction.
package struct SaveOrigin: Sendable {
    package var author: String?
    package var contextName: String?
}

/// Rows of one entity that a save inserts, updates in the same columns, or deletes.
///
/// The references have no ownership: the caller retains the objects, and reference counting would cost as much as the
/// rest.
package struct RowGroup {
    package let type: RuntimeEntity
    /// The columns that are written; for new rows, all columns are written.
    package let changed: PropertyMask
    package var objects: [Unmanaged<ManagedObject>]

    package init(type: RuntimeEntity, changed: PropertyMask, objects: [Unmanaged<ManagedObject>] = []) {
        (self.type, self.changed, self.objects) = (type, changed, objects)
    }
}

/// The columns that store the order of a relationship.
package struct OrderColumns {
    /// The table with the positions.
    package let table: String
    /// The columns with the key of the owner, the key of the member, and the position.
    package let owner, member, order: String
}

/// The rows that a save has written in addition to those of its objects.
package struct SaveEffects {
    /// The rows whose to-one relationships were nullified, because they referenced deleted rows.
    package var nullifiedRows: [ChangeSet.Row] = []
    /// The rows whose to-many relationships contained deleted rows, for the persistent history.
    var shortenedLists: [ListsOfRows] = []
    /// The rows whose derived attributes were computed.
    package var derivedRows: [DerivedRow] = []
    /// The key of the first row of inserted values.
    package var firstKey: Int64 = 0
    /// The row keys that were reserved for new objects.
    package var reservedKeys: Range<Int64>?

    package init() {}

    var derivedRowsByKey: [IdentityMap.Key: DerivedRow] {
        Dictionary(
            uniqueKeysWithValues: derivedRows.map { derived in
                let rootIndex = derived.row.values.runtimeEntity.rootIndex
                return (IdentityMap.Key(rootIndex: rootIndex, key: derived.row.key), derived)
            }
        )
    }
}
