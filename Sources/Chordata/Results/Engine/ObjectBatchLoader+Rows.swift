extension ObjectBatchLoader {
    /// Returns the object of a row that does not retain an object; its batch is read unless the object is registered
    /// and not a fault.
    func object(of row: ResultsRow) -> ManagedObject {
        let id = row.objectID
        if let known = context.graph.registered(key: id.key, rootIndex: id.runtimeEntity.rootIndex), !known.isFault {
            return known
        }
        guard let rows = row.section?.rows else { return load([id])[0] }
        let place = rows.place(of: row)
        let range = range(containing: place, of: rows.count)
        return load(range.map { rows[$0].objectID })[place - range.lowerBound]
    }
}
