// The conflicts of a save that failed, for the module `CoreData`, whose errors contain them instead of object IDs.

extension ContextSaver {
    /// Returns the conflicts of an error of the last save; each changed row is read again.
    /// - Throws: ``StoreError`` when the store cannot be read.
    func conflicts(of error: SaveConflictError) throws -> [MergeConflict] {
        try processor.readingOnce {
            var known: Set<ManagedObjectID> = []
            var conflicts: [MergeConflict] = []
            for id in error.conflicts.map(\.objectID) {
                // An object can have several references to deleted objects.
                guard known.insert(id).inserted,
                    let object = graph.registered(key: id.permanentKey, rootIndex: id.runtimeEntity.rootIndex)
                else { continue }
                let row = error.isWithParent ? nil : try editor.reader.readRowSnapshot(of: object)
                conflicts.append(try MergeConflict(object, row, in: editor))
            }
            return conflicts
        }
    }

    /// Returns the violated uniqueness constraints of an error of the last save; the rows with the same values are read
    /// again.
    /// - Throws: ``StoreError`` when the store cannot be read.
    func conflicts(of error: UniquenessConflictError) throws -> [ConstraintConflict] {
        let conflicts = try processor.readingOnce { try ConflictFinder(editor).findConstraintConflicts() }
        return error.conflicts.compactMap { reported in
            conflicts.first {
                $0.constraint == reported.propertyNames && $0.conflictingObjects.map(\.objectID) == reported.objectIDs
            }
        }
    }
}
