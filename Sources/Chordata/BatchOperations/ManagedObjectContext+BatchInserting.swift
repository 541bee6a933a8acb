internal import ChordataModel
internal import Foundation

extension ManagedObjectContext {
    /// Inserts objects in the store in a separate transaction (rule U12 of <doc:Core-Data-Rules>).
    ///
    /// The objects are created in a temporary context and validated by the rules of the model; no hook is called.
    /// Unsaved changes of this context are neither saved nor changed. Derived attributes are computed. Other contexts
    /// receive the new rows as they receive a save. Observers of this context are notified immediately of the inserted
    /// objects, and of refreshed objects whose rows the insertion changed too: objects at the other end of a
    /// relationship, existing objects that the merge policy updated, and objects whose derived attributes were
    /// computed again.
    ///
    /// The ``mergePolicy`` resolves violated uniqueness constraints, as in ``insertValues(_:)``. With
    /// ``MergePolicy/mergeByPropertyObjectTrump`` or ``MergePolicy/overwrite`` the insertion is an upsert: the new
    /// values replace the values of an existing object. With ``MergePolicy/mergeByPropertyStoreTrump`` or
    /// ``MergePolicy/rollback`` an existing object is left unchanged, and the new values are dropped.
    ///
    /// - Returns: The object IDs of the new objects, or of the objects that the merge policy has updated or kept in
    ///   their place; see ``BatchInsertResult/insertedObjectIDs``.
    /// - Throws: ``BatchInsertError`` when a dictionary does not match the entity, ``FetchError`` when the entity does
    ///   not exist, ``MissingObjectError`` when the row that a relationship references was deleted,
    ///   ``ValidationError`` when an object is not valid, ``UniquenessConflictError`` when a uniqueness constraint is
    ///   violated, ``StoreAssignmentError`` when the first of the affected stores does not have the entity,
    ///   ``StoreError`` when the store cannot be written, what a closure of the request throws, and `CancellationError`
    ///   when the current task is cancelled before the first row is written, or the current `Progress` before the last
    ///   one. If an error is thrown, nothing was inserted; with ``StoreError/Code/outcomeUnknown``, this is unknown.
    /// - Complexity: O(n) in the number of objects, which are in memory until they are written.
    @discardableResult
    public func execute<Object: ManagedObject>(_ request: BatchInsertRequest<Object>) throws -> BatchInsertResult {
        let access = beginAccess()
        defer { access.end() }
        let type = try schema.runtimeEntity(of: FetchRequest<Object>(entityName: request.entityName))
        type.checkConcrete()
        let scratch = ManagedObjectContext(for: merger, readsThrough: false)
        defer { withExtendedLifetime(scratch) {} }
        let inserted = try inserter.insertObjects(by: scratch.saver) {
            let objects = try BatchObjectMaker(type, scratch.editor).makeObjects(request.source)
            if let store = request.affectedStores?.first {
                try scratch.saver.assign(objects.filter(\.isInserted), to: store)
            }
            return objects
        } invalidateMembers: {
            merger.editor.invalidateMembers(referencing: [type.index])
        }
        return BatchInsertResult(inserted.keys, type, inserted.changes)
    }
}

/// Creates the objects of a batch insertion in a private context.
private struct BatchObjectMaker {
    private let type: RuntimeEntity
    private let editor: ObjectEditor

    init(_ type: RuntimeEntity, _ editor: ObjectEditor) { (self.type, self.editor) = (type, editor) }

    func makeObjects<Object: ManagedObject>(_ source: BatchInsertRequest<Object>.Source) throws -> [ManagedObject] {
        var objects: [ManagedObject] = []
        switch source {
        case .dictionaries(let dictionaries):
            objects.reserveCapacity(dictionaries.count)
            for dictionary in dictionaries {
                try Task.checkCancellation()
                objects.append(try makeObject(dictionary, at: objects.count))
            }
        case .dictionaryHandler(let fill):
            while true {
                try Task.checkCancellation()
                var dictionary: [String: Any?] = [:]
                if try fill(&dictionary) { break }
                objects.append(try makeObject(dictionary, at: objects.count))
            }
        case .managedObjectHandler(let fill):
            while true {
                try Task.checkCancellation()
                let object = editor.insertNewObject(of: type)
                // The request was bound to an entity of this class.
                guard let typed = object as? Object, try !fill(typed) else {
                    editor.delete(object, callsHook: false)
                    break
                }
                objects.append(object)
            }
        }
        return objects
    }

    private func makeObject(_ dictionary: [String: Any?], at index: Int) throws -> ManagedObject {
        let object = editor.insertNewObject(of: type)
        for (name, value) in dictionary {
            guard let field = type.field(named: name) else { throw unknownProperty(name, index) }
            try set(value is NSNull ? nil : value, field, of: object, index)
        }
        return object
    }

    private func set(_ value: Any?, _ field: Field, of object: ManagedObject, _ index: Int) throws {
        let entityName = type.entity.name
        if field.attribute?.isDerived == true {
            throw BatchInsertError.notInsertable(
                field.name,
                entityName: entityName,
                index: index,
                reason: "is derived from other properties"
            )
        }
        switch field.kind.base {
        case .toMany:
            throw BatchInsertError.notInsertable(
                field.name,
                entityName: entityName,
                index: index,
                reason: "is a to-many relationship"
            )
        case .toOne:
            guard let value else {
                // `nil` counts as set, so that it also replaces the value of an existing object.
                return editor.recordChange(of: object, field: field.index)
            }
            let destination = try destination(value, field, index)
            editor.setToOne(destination, of: object, field: field.index)
        case .int16, .int32, .int64, .double, .float, .bool, .string, .date, .uuid, .url, .data, .decimal, .encoded,
            .external, .any, .objectID:
            guard object.setAttributeIfValid(value, of: field) else {
                throw BatchInsertError.invalidValue(
                    field.name,
                    entityName: entityName,
                    typeName: field.attribute?.attributeType.rawValue ?? "",
                    index: index
                )
            }
        }
    }

    private func destination(_ value: Any, _ field: Field, _ index: Int) throws -> ManagedObject {
        let objectID = value as? ManagedObjectID ?? (value as? ManagedObject)?.objectID
        guard let relationship = type.relationships[field.index], let objectID,
            let destination = editor.reader.runtimeEntityInStore(of: objectID),
            editor.graph.schema.model.entity(
                destination.entity.name,
                isKindOf: relationship.description.destinationEntityName
            )
        else {
            throw BatchInsertError.invalidValue(
                field.name,
                entityName: type.entity.name,
                typeName: "ManagedObjectID of '\(field.relationship?.destinationEntityName ?? "")'",
                index: index
            )
        }
        return try editor.reader.existingObject(forKey: objectID.permanentKey, type: destination)
    }

    private func unknownProperty(_ name: String, _ index: Int) -> BatchInsertError {
        if let element = type.elements(ofCompositeNamed: name)?.first {
            return .notInsertable(
                name,
                entityName: type.entity.name,
                index: index,
                reason: "is a composite, whose elements have keys of their own such as '\(name).\(element)'"
            )
        }
        return .unknownProperty(
            name,
            entityName: type.entity.name,
            index: index,
            suggestion: nearestName(to: name, among: type.fields.map(\.name))
        )
    }
}
