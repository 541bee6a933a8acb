internal import ChordataModel

/// The objects of a list's entity that an event may have affected through other objects.
struct ResultsDependencies {
    /// A path to other objects, and the properties of these objects on which the list depends.
    private struct End {
        let path: [RelationshipDescription]
        /// The names of the properties on which the list depends.
        var propertyNames: Set<String> = []

        /// Returns a Boolean value that indicates whether changes of fields of an object may affect the list.
        /// - Parameter fields: The fields; `nil` if they are unknown.
        func isAffected(by fields: PropertyMask?, of type: RuntimeEntity) -> Bool {
            guard let fields else { return true }
            // If the inverse of a to-many relationship has changed, other objects referenced the object before.
            return propertyNames.contains { fields.contains($0, of: type) }
                || path.contains { $0.isToMany && $0.inverseName.map { fields.contains($0, of: type) } != false }
        }

        /// Returns a Boolean value that indicates whether every owner that could be affected is reachable now through
        /// the inverse, or is reported by the event itself.
        func canTraceOwners(from object: ManagedObject, isRefreshed: Bool) -> Bool {
            guard path.allSatisfy({ $0.inverseName != nil }), object.state != .detached else { return false }
            if path.allSatisfy({ !$0.isToMany }) { return true }
            // An object that lost a member because of an unsaved change is a changed object itself.
            return !isRefreshed && object.state != .deleted
        }
    }

    private let ends: [(entityName: String, end: End)]

    init(_ dependencies: Set<FetchDependency>) {
        var ends: [[RelationshipDescription]: End] = [:]
        for dependency in dependencies {
            ends[dependency.path, default: End(path: dependency.path)].propertyNames.formUnion(
                dependency.propertyName.map { [$0] } ?? []
            )
        }
        self.ends = ends.values.map { ($0.path[$0.path.count - 1].destinationEntityName, $0) }
    }

    /// Returns a Boolean value that indicates whether the list depends on objects of an entity.
    func includes(_ type: RuntimeEntity, in model: ManagedObjectModel) -> Bool {
        ends.contains { model.entity(type.entity.name, isKindOf: $0.entityName) }
    }

    /// Returns the objects of a list that an event may have changed, inserted or affected through other objects, after
    /// their rows were read; deleted objects are not included.
    /// - Parameter isWanted: A closure that returns a Boolean value that indicates whether the list may have objects of
    ///   an entity.
    /// - Returns: The objects, the objects among them that only have another key, and a Boolean value that indicates
    ///   whether these are all objects.
    @inline(__always)
    func objects(
        touchedBy change: ContextChange,
        in context: ManagedObjectContext,
        where isWanted: (RuntimeEntity) -> Bool
    ) throws -> (objects: Set<ManagedObject>, rekeyed: Set<ManagedObject>, areAll: Bool) {
        var touched: Set<ManagedObject> = []
        for object in [change.inserted, change.updated, change.refreshed].joined() where isWanted(object.runtimeEntity)
        {
            touched.insert(object)
        }
        for (index, keys) in change.unseen.updated where isWanted(context.schema.runtimeEntities[index]) {
            touched.formUnion(
                try context.reader.readObjects(of: keys.sorted(), type: context.schema.runtimeEntities[index])
            )
        }
        let affected = try objects(affectedBy: change, in: context)
        for object in affected ?? [] where isWanted(object.runtimeEntity) { touched.insert(object) }
        var rekeyed: Set<ManagedObject> = []
        for object in change.keys.objects where isWanted(object.runtimeEntity) && touched.insert(object).inserted {
            rekeyed.insert(object)
        }
        try context.fetcher.readFaults(among: touched)
        return (touched, rekeyed, affected != nil)
    }

    /// Returns the objects that reference the changed objects of an event; `nil` if they are unknown, because a
    /// relationship has no inverse or the earlier references to an object are unknown.
    func objects(affectedBy change: ContextChange, in context: ManagedObjectContext) throws -> Set<ManagedObject>? {
        guard !ends.isEmpty else { return [] }
        let model = context.schema.model
        for index in change.unseen.deleted.keys where includes(context.schema.runtimeEntities[index], in: model) {
            return nil
        }
        let fetched = try readObjects(of: change.unseen, in: context)
        var affected: Set<ManagedObject> = []
        for object in [change.inserted, change.updated, change.refreshed, change.deleted, fetched].joined() {
            let isFetched = fetched.contains(object)
            let isRefreshed = isFetched || change.isRefreshedFromStore(object)
            let fields = isFetched ? nil : change.changedFields(of: object)
            for (entityName, end) in ends where model.entity(object.runtimeEntity.entity.name, isKindOf: entityName) {
                guard end.isAffected(by: fields, of: object.runtimeEntity) else { continue }
                guard end.canTraceOwners(from: object, isRefreshed: isRefreshed) else { return nil }
                guard let origins = origins(of: object, end.path, in: context) else { return nil }
                affected.formUnion(origins)
            }
        }
        return affected
    }

    /// Reads the unregistered objects of changed rows whose changes may affect the list.
    private func readObjects(of rows: UnregisteredChanges, in context: ManagedObjectContext) throws -> Set<
        ManagedObject
    > {
        var objects: Set<ManagedObject> = []
        for (index, keys) in rows.updated {
            let type = context.schema.runtimeEntities[index]
            let ends = ends.filter { context.schema.model.entity(type.entity.name, isKindOf: $0.entityName) }
            guard !ends.isEmpty else { continue }
            let affecting = keys.filter { key in
                let fields = rows.changedFields(ofEntity: index, key: key)
                return ends.contains { $0.end.isAffected(by: fields, of: type) }
            }
            objects.formUnion(try context.reader.readObjects(of: affecting.sorted(), type: type))
        }
        return objects
    }

    /// Returns the objects from which a path reaches an object; `nil` if an inverse relationship is invalid until a
    /// save.
    private func origins(
        of object: ManagedObject,
        _ path: [RelationshipDescription],
        in context: ManagedObjectContext
    ) -> Set<ManagedObject>? {
        var objects: Set<ManagedObject> = [object]
        for step in path.reversed() {
            var previous: Set<ManagedObject> = []
            for object in objects {
                object.readRowOfFault()
                guard let name = step.inverseName, let field = object.runtimeEntity.field(named: name),
                    let relationship = object.runtimeEntity.relationships[field.index]
                else { continue }
                let members = RelationshipReference(object: object, field: field.index)
                guard !context.graph.remote.staleToManys.contains(members) else { return nil }
                previous.formUnion(context.editor.targets(of: object, relationship))
            }
            objects = previous
        }
        return objects
    }
}

extension PropertyMask {
    /// Returns a Boolean value that indicates whether a property is in the mask.
    fileprivate func contains(_ propertyName: String, of type: RuntimeEntity) -> Bool {
        type.field(named: propertyName).map { contains($0.index) } ?? false
    }
}
