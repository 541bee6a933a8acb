internal import ChordataModel

/// The objects of a list's entity that an event may have affected through other objects.
struct ResultsDependencies {
    /// The data of the objects at the end of one path.
    private struct End {
        let path: [RelationshipDescription]
        /// The properties that matter there.
        var propertyNames: Set<String> = []

        /// Returns a Boolean value that indicates whether it may matter what happened to an object.
        /// - Parameter isRefreshed: Whether it got values of the store.
        func isAffected(by object: ManagedObject, isRefreshed: Bool) -> Bool {
            guard !isRefreshed, object.state == .updated else { return true }
            return object.hasChanges(ofAny: propertyNames) || path.contains { $0.isToMany && object.inverseChanged($0) }
        }

        /// Returns a Boolean value that indicates whether every owner that could be affected is reachable now through
        /// the inverse, or is reported by the event itself.
        func canTraceOwners(from object: ManagedObject, isRefreshed: Bool) -> Bool {
            guard path.allSatisfy({ $0.inverseName != nil }), object.state != .detached else { return false }
            if path.allSatisfy({ !$0.isToMany }) { return true }
            // An object that lost a member by an unsaved change has a change of its own.
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

    /// Returns a Boolean value that indicates whether objects of an entity matter.
    func includes(_ type: RuntimeEntity, in model: ManagedObjectModel) -> Bool {
        ends.contains { model.entity(type.entity.name, isKindOf: $0.entityName) }
    }

    /// The objects that reference the changed objects of an event; `nil` where they are unknown, because a relationship
    /// has no inverse or the earlier references to an object are unknown.
    func objects(affectedBy change: ContextChange, in context: ManagedObjectContext) throws -> Set<ManagedObject>? {
        guard !ends.isEmpty else { return [] }
        let model = context.schema.model
        for index in change.unseen.deleted.keys where includes(context.schema.entityTypes[index], in: model) {
            return nil
        }
        let fetched = try readObjects(of: change.unseen, in: context)
        var affected: Set<ManagedObject> = []
        for object in [change.inserted, change.updated, change.refreshed, change.deleted, fetched].joined() {
            let isRefreshed = change.refreshedFromStore.contains(object) || fetched.contains(object)
            for (entityName, end) in ends where model.entity(object.entityType.entity.name, isKindOf: entityName) {
                guard end.isAffected(by: object, isRefreshed: isRefreshed) else { continue }
                guard end.canTraceOwners(from: object, isRefreshed: isRefreshed) else { return nil }
                guard let origins = origins(of: object, end.path, in: context) else { return nil }
                affected.formUnion(origins)
            }
        }
        return affected
    }

    /// The unregistered objects of changed rows.
    private func readObjects(of rows: UnregisteredChanges, in context: ManagedObjectContext) throws -> Set<
        ManagedObject
    > {
        var objects: Set<ManagedObject> = []
        for (index, keys) in rows.updated {
            let type = context.schema.entityTypes[index]
            guard includes(type, in: context.schema.model) else { continue }
            objects.formUnion(try context.readObjects(of: keys.sorted(), type: type))
        }
        return objects
    }

    /// The objects from which a path reaches an object; `nil` where an inverse relationship is invalid until a save.
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
                guard let name = step.inverseName, let field = object.entityType.field(named: name),
                    let relationship = object.entityType.relationships[field.index]
                else { continue }
                let members = RelationshipReference(object: object, field: field.index)
                guard !context.staleToManys.contains(members) else { return nil }
                previous.formUnion(context.targets(of: object, relationship))
            }
            objects = previous
        }
        return objects
    }
}

extension ManagedObject {
    /// Returns a Boolean value that indicates whether there are unsaved changes of some properties.
    fileprivate func hasChanges(ofAny propertyNames: Set<String>) -> Bool {
        guard let changed = changes?.changed else { return true }
        return propertyNames.contains { name in
            entityType.field(named: name).map { changed.contains($0.index) } ?? false
        }
    }

    /// Returns a Boolean value that indicates whether there are unsaved changes of the inverse of a relationship to
    /// this object: other objects referenced it before.
    fileprivate func inverseChanged(_ relationship: RelationshipDescription) -> Bool {
        relationship.inverseName.map { hasChanges(ofAny: [$0]) } ?? true
    }
}
