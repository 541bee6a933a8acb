internal import ChordataModel
internal import ChordataSQL
internal import Synchronization

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

// Objects that are created without a context. An entity alone does not define the memory locations of its properties;
// the schema of a model with its classes defines them, so existing schemas are recorded here.

private struct KnownSchemas: Sendable {
    /// The models of generated code, which live as long as the program.
    var definitions: [ModelDefinition] = []
    /// The schemas that were created without a container.
    var made: [StoreSchema] = []
    /// The schemas of containers.
    var opened: [WeakSchema] = []
}

private struct WeakSchema: Sendable {
    weak var schema: StoreSchema?
}

private let known = Mutex(KnownSchemas())
private let unattachedCount = Atomic<Int64>(0)

extension ModelDefinition {
    /// Records the model of generated code.
    func remember() { known.withLock { $0.definitions.append(self) } }
}

extension StoreSchema {
    /// Records the schema of a container, until the schema is released.
    package func remember() {
        known.withLock { known in
            known.opened.removeAll { $0.schema == nil }
            known.opened.append(WeakSchema(schema: self))
        }
    }

    /// Returns the schema that contains an entity; `nil` if its container was released.
    static func ofContainer(with type: RuntimeEntity) -> StoreSchema? {
        known.withLock { known in
            (known.opened.compactMap(\.schema) + known.made).first { schema in
                schema.runtimeEntities.indices.contains(type.index) && schema.runtimeEntities[type.index] === type
            }
        }
    }

    fileprivate func type(of entity: EntityDescription) -> RuntimeEntity? {
        runtimeEntity(named: entity.name).flatMap { $0.entity == entity ? $0 : nil }
    }
}

/// Returns the entity in a known schema whose class a closure selects: several modules may have the same model, each
/// with its own classes.
private func knownType(of entity: EntityDescription, where isPicked: (ManagedObject.Type) -> Bool) -> RuntimeEntity? {
    let (opened, made, definitions) = known.withLock { known in
        (known.opened.compactMap(\.schema), known.made, known.definitions)
    }
    for schema in opened + made {
        if let type = schema.type(of: entity), isPicked(type.objectClass) { return type }
    }
    let generated = definitions.first { definition in
        definition.model.entity(named: entity.name) == entity
            && definition.classes.contains { $0.entityName == entity.name && isPicked($0) }
    }
    guard let generated else { return nil }
    // No store is opened here, so no call can throw the error of the check.
    do throws(StoreError) {
        try generated.classCheck.run(on: generated)
    } catch {
        preconditionFailure("\(error)")
    }
    let schema = StoreSchema(
        model: generated.model,
        mapping: makeSchemaMapping(of: generated.model),
        classes: generated.classes,
        storeUUID: .zero,
        nonStrictTables: []
    )
    known.withLock { $0.made.append(schema) }
    return schema.type(of: entity)
}

/// Creates an object of an entity, with the default values of the model and without a context.
func makeUnattachedObject(of entity: EntityDescription, where isPicked: (ManagedObject.Type) -> Bool) -> ManagedObject {
    guard let type = knownType(of: entity, where: isPicked) ?? knownType(of: entity, where: { _ in true }) else {
        preconditionFailure(
            "entity '\(entity.name)' belongs neither to a model with generated code nor to the model of an open container; "
                + "open a container of its model first"
        )
    }
    type.checkConcrete()
    let object = type.objectClass.init(ObjectInitialization(type, in: nil))
    object.detachmentReason = .neverInserted
    // The key is neither the key of a row nor the key of another unattached object.
    object.key = -unattachedCount.add(1, ordering: .relaxed).newValue
    object.setDefaults()
    return object
}

extension ManagedObjectContext {
    /// Inserts an object that was created without a context; has no effect on an object of this context, but traps if
    /// that object is marked for deletion.
    ///
    /// The object gets its object ID, and the hook `awakeFromInsert` is called. A [detached](doc:Glossary#Objects)
    /// object whose deletion was saved or merged is inserted as a new object with its current attribute values. The
    /// method traps for an object of another context, and for an object that was detached because its context was reset
    /// or released.
    public func insert(_ object: ManagedObject) {
        let name = object.runtimeEntity.entity.name
        if object.isDeletedAndDetached { object.becomeUnattached() }
        guard object.isUnattached else {
            precondition(
                object.managedObjectContext === self,
                "an object of '\(name)' is in another context, or its context was reset or released; "
                    + "create a new object in this context"
            )
            precondition(
                object.state != .deleted,
                "an object of '\(name)' is marked for deletion, so it cannot be inserted; undo the deletion with "
                    + "rollback()"
            )
            return
        }
        guard let type = schema.runtimeEntity(named: name), type.objectClass == object.runtimeEntity.objectClass,
            type.hasLayout(of: object.runtimeEntity)
        else {
            preconditionFailure(
                "an object of '\(name)' was created with a different model than this context's; create it with an entity of this context's model"
            )
        }
        object.enter(.passUnretained(self), as: type)
        editor.registerInserted(object)
    }
}

extension ManagedObject {
    /// Turns a deleted, detached object into an object that was never inserted.
    fileprivate final func becomeUnattached() {
        slowPath = []
        state = .clean
        detachmentReason = .neverInserted
        version = 0
        key = -unattachedCount.add(1, ordering: .relaxed).newValue
        let changes = ObjectChanges(of: self)
        for field in runtimeEntity.columnFields where field.attribute != nil { changes.recordChange(of: field.index) }
        self.changes = changes
    }

    /// The schema of the object's entity; `nil` if its container was released.
    final var schema: StoreSchema? { managedObjectContext?.schema ?? StoreSchema.ofContainer(with: runtimeEntity) }
}

extension RuntimeEntity {
    /// Returns a Boolean value that indicates whether objects store the same properties at the same offsets.
    fileprivate func hasLayout(of other: RuntimeEntity) -> Bool {
        fields.count == other.fields.count
            && zip(fields, other.fields).allSatisfy {
                $0.name == $1.name && $0.kind == $1.kind && $0.offset == $1.offset
            }
    }
}
