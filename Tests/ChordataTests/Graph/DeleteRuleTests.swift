import ChordataTestStores
import ChordataTestSupport
import Testing

@_spi(Generated) @testable import Chordata

/// The effect of a deletion on the destinations of relationships: rules D1, D6 and D9.
///
/// Deny (D4) is tested in `RelationshipValidationTests`, the hooks (D2, D3) in `HookTests`, the state of a deleted
/// object (D7) in `BadInputTests`, and rollbacks (D8) in `ContextTests`.
struct DeleteRuleTests {
    /// A model of nodes that reference each other with relationships of all kinds, and of things related to them.
    static func definition() throws -> ModelDefinition {
        func relationship(
            _ name: String,
            _ destination: String,
            _ inverse: String?,
            isToMany: Bool = false,
            _ rule: DeleteRule = .nullify
        ) -> RelationshipDescription {
            RelationshipDescription(
                name: name,
                destinationEntityName: destination,
                inverseName: inverse,
                isToMany: isToMany,
                deleteRule: rule
            )
        }
        let name = AttributeDescription(name: "name", attributeType: .string, isOptional: true)
        let node = EntityDescription(
            name: "Node",
            attributes: [name],
            relationships: [
                relationship("next", "Node", "previous", .cascade), relationship("previous", "Node", "next"),
                relationship("children", "Node", "parent", isToMany: true, .cascade),
                relationship("parent", "Node", "children"),
                relationship("partner", "Node", "partner", .cascade),
                relationship("oneWay", "Node", nil, .cascade),
                relationship("things", "Thing", "node", isToMany: true, .noAction),
                relationship("topThing", "Thing", "topNode", .noAction),
                relationship("marks", "Thing", "markedNodes", isToMany: true, .noAction),
                relationship("locks", "Thing", "lockedNode", isToMany: true, .deny),
                relationship("loose", "Thing", nil, isToMany: true), relationship("looseOne", "Thing", nil),
                relationship("notes", "Thing", "notedNode", isToMany: true),
            ]
        )
        let thing = EntityDescription(
            name: "Thing",
            attributes: [name],
            relationships: [
                relationship("node", "Node", "things"), relationship("topNode", "Node", "topThing"),
                relationship("markedNodes", "Node", "marks", isToMany: true),
                relationship("lockedNode", "Node", "locks"), relationship("notedNode", "Node", "notes"),
            ]
        )
        return ModelDefinition(
            name: "Nodes",
            versionName: "1",
            model: try ManagedObjectModel(entities: [node, thing])
        )
    }

    private func withContainer(_ body: (PersistentContainer) throws -> Void) throws {
        try withStorePath { path in
            try body(try Self.definition().testContainer(at: path))
        }
    }

    private func insert(_ entityName: String, _ name: String, _ context: ManagedObjectContext) -> ManagedObject {
        let object = EntityDescription.insertNewObject(forEntityName: entityName, into: context)
        object.setValue(name, forKey: "name")
        return object
    }

    private func names(_ entityName: String, _ context: ManagedObjectContext) throws -> [String] {
        try context.fetch(FetchRequest<ManagedObject>(entityName: entityName))
            .compactMap { $0.value(forKey: "name") as? String }.sorted()
    }

    private func integer(_ sql: String, _ container: PersistentContainer) throws -> Int64 {
        let store = try #require(container.persistentStoreCoordinator.persistentStores.first)
        return try store.integer(sql)
    }

    /// Whether the members of a to-many were read.
    private func isRead(_ object: ManagedObject, _ name: String) throws -> Bool {
        let field = try #require(object.runtimeEntity.field(named: name))
        return object.toManyReference(field).pointee.storage != nil
    }

    // MARK: No Action (D1)

    /// D1: the other end keeps its reference to the deleted object; in the file, the reference is NULL.
    @Test(.onlySQLite(.readers)) func noActionLeavesTheOtherEndAsItIs() throws {
        try withContainer { container in
            let context = container.newContext()
            let (node, thing) = (insert("Node", "n", context), insert("Thing", "t", context))
            thing.setValue(node, forKey: "node")
            thing.setValue(node, forKey: "topNode")
            thing.setValue([node], forKey: "markedNodes")
            try context.save()
            context.delete(node)
            #expect(!thing.hasChanges)
            #expect(thing.value(forKey: "node") as? ManagedObject === node)
            try context.save()
            #expect(node.managedObjectContext == nil)
            // The references are still in memory.
            #expect(thing.value(forKey: "node") as? ManagedObject === node)
            #expect(thing.value(forKey: "topNode") as? ManagedObject === node)
            #expect(thing.value(forKey: "markedNodes") as? Set<ManagedObject> == [node])
            // The foreign keys of the file ensure that it has no reference to a missing row.
            expectEqual(try integer("SELECT \"node\" IS NULL AND \"topNode\" IS NULL FROM \"Thing\"", container), 1)
            expectEqual(try integer("SELECT count(*) FROM \"Node_marks\"", container), 0)
            #expect(try container.store.hasOnlyValidReferences())
            // The next save neither fails nor writes the reference.
            thing.setValue("changed", forKey: "name")
            try context.save()
            expectEqual(try integer("SELECT \"node\" IS NULL AND \"name\" = 'changed' FROM \"Thing\"", container), 1)
            // A reference that is set again is written.
            let other = insert("Node", "o", context)
            for key in ["node", "topNode"] { thing.setValue(other, forKey: key) }
            thing.setValue([other], forKey: "markedNodes")
            try context.save()
            let fresh = container.newContext()
            let found = try #require(try fresh.existingObject(with: thing.objectID) as ManagedObject?)
            #expect((found.value(forKey: "node") as? ManagedObject)?.objectID == other.objectID)
            #expect((found.value(forKey: "topNode") as? ManagedObject)?.objectID == other.objectID)
            #expect((found.value(forKey: "markedNodes") as? Set<ManagedObject>)?.map(\.objectID) == [other.objectID])
        }
    }

    /// D1: a context that reads the row later finds no reference.
    @Test func afterNoActionAFreshContextFindsNothing() throws {
        try withContainer { container in
            let context = container.newContext()
            let (node, thing) = (insert("Node", "n", context), insert("Thing", "t", context))
            thing.setValue(node, forKey: "node")
            thing.setValue([node], forKey: "markedNodes")
            try context.save()
            context.delete(node)
            try context.save()
            let fresh = container.newContext()
            let found = try fresh.existingObject(with: thing.objectID)
            #expect(found.value(forKey: "node") == nil)
            #expect((found.value(forKey: "markedNodes") as? Set<ManagedObject>)?.isEmpty == true)
            context.refresh(thing, mergeChanges: false)
            #expect(thing.value(forKey: "node") == nil)
            #expect((thing.value(forKey: "markedNodes") as? Set<ManagedObject>)?.isEmpty == true)
        }
    }

    /// D1: a reference that is set in the same save that deletes its destination is not written to the file, either.
    @Test func noActionWithAReferenceThatIsNew() throws {
        try withContainer { container in
            let context = container.newContext()
            let (node, thing) = (insert("Node", "n", context), insert("Thing", "t", context))
            try context.save()
            let new = insert("Thing", "u", context)
            for object in [thing, new] { object.setValue(node, forKey: "node") }
            context.delete(node)
            try context.save()
            expectEqual(try integer("SELECT count(*) FROM \"Thing\" WHERE \"node\" IS NULL", container), 2)
        }
    }

    // MARK: Cascade (D1)

    @Test func cascadeAlongALoopOfOne() throws {
        try withContainer { container in
            let context = container.newContext()
            let node = insert("Node", "n", context)
            for key in ["next", "parent", "partner", "oneWay"] { node.setValue(node, forKey: key) }
            _ = insert("Node", "stays", context)
            try context.save()
            context.delete(node)
            try context.save()
            expectEqual(try names("Node", container.newContext()), ["stays"])
        }
    }

    /// The objects may or may not be registered in the context.
    @Test(arguments: ["next", "parent", "oneWay"], [true, false])
    func cascadeAroundACircle(key: String, isKnown: Bool) throws {
        try withContainer { container in
            let context = container.newContext()
            let nodes = ["a", "b", "c"].map { insert("Node", $0, context) }
            for (index, node) in nodes.enumerated() { node.setValue(nodes[(index + 1) % 3], forKey: key) }
            insert("Node", "stays", context).setValue(nil, forKey: key)
            try context.save()
            let deleting = isKnown ? context : container.newContext()
            deleting.delete(try deleting.existingObject(with: nodes[1].objectID))
            expectEqual(deleting.deletedObjects.count, 3)
            try deleting.save()
            expectEqual(try names("Node", deleting), ["stays"])
            expectEqual(try names("Node", container.newContext()), ["stays"])
        }
    }

    @Test func cascadeBetweenTwo() throws {
        try withContainer { container in
            let context = container.newContext()
            let (first, second) = (insert("Node", "a", context), insert("Node", "b", context))
            first.setValue(second, forKey: "partner")
            #expect(second.value(forKey: "partner") as? ManagedObject === first)
            try context.save()
            context.delete(second)
            #expect(first.isDeleted)
            context.rollback()
            #expect(first.value(forKey: "partner") as? ManagedObject === second)
            context.delete(first)
            try context.save()
            expectEqual(try names("Node", container.newContext()), [])
        }
    }

    /// The cascade does not recurse for each object, so the stack of any thread is large enough.
    @Test func cascadeAlongAChain() throws {
        try withContainer { container in
            let context = container.newContext()
            let count = 20_000
            var last = insert("Node", "first", context)
            let first = last.objectID
            for _ in 1..<count {
                let next = EntityDescription.insertNewObject(forEntityName: "Node", into: context)
                last.setValue(next, forKey: "next")
                last = next
            }
            _ = insert("Node", "stays", context)
            try context.save()
            let fresh = container.newContext()
            fresh.delete(try fresh.existingObject(with: first))
            expectEqual(fresh.deletedObjects.count, count)
            try fresh.save()
            expectEqual(try names("Node", container.newContext()), ["stays"])
        }
    }

    // MARK: Foreign keys

    /// Each row references a row that is written after it.
    @Test func newRowsThatReferenceEachOther() throws {
        try withContainer { container in
            let context = container.newContext()
            let (first, second) = (insert("Node", "a", context), insert("Node", "b", context))
            let thing = insert("Thing", "t", context)
            first.setValue(second, forKey: "next")
            second.setValue(first, forKey: "next")
            first.setValue(second, forKey: "oneWay")
            second.setValue(first, forKey: "oneWay")
            first.setValue(thing, forKey: "topThing")
            first.setValue(thing, forKey: "looseOne")
            thing.setValue(first, forKey: "node")
            try context.save()
            let fresh = container.newContext()
            let found = try fresh.existingObject(with: first.objectID)
            for key in ["next", "previous", "oneWay"] {
                #expect((found.value(forKey: key) as? ManagedObject)?.objectID == second.objectID, "\(key)")
            }
            #expect((found.value(forKey: "topThing") as? ManagedObject)?.objectID == thing.objectID)
            #expect(try container.store.hasOnlyValidReferences())
        }
    }

    @Test func bothEndsAreDeletedInOneSave() throws {
        try withContainer { container in
            let context = container.newContext()
            let (node, thing) = (insert("Node", "n", context), insert("Thing", "t", context))
            node.setValue(thing, forKey: "looseOne")
            for key in ["node", "topNode", "lockedNode", "notedNode"] { thing.setValue(node, forKey: key) }
            thing.setValue([node], forKey: "markedNodes")
            try context.save()
            for order in [[node, thing], [thing, node]] {
                order.forEach(context.delete)
                expectEqual(context.deletedObjects, [node, thing])
                context.rollback()
            }
            let fresh = container.newContext()
            fresh.delete(try fresh.existingObject(with: thing.objectID))
            fresh.delete(try fresh.existingObject(with: node.objectID))
            try fresh.save()
            expectEqual(try names("Node", fresh), [])
            expectEqual(try names("Thing", fresh), [])
            expectEqual(try integer("SELECT count(*) FROM \"Node_marks\"", container), 0)
        }
    }

    // MARK: Deleted insertions (D6)

    /// D6: neither the object nor references to it reach the store, and the object is no longer registered.
    @Test func aNewObjectThatIsDeletedIsForgotten() throws {
        try withContainer { container in
            let context = container.newContext()
            let (node, child, thing) = (
                insert("Node", "n", context), insert("Node", "c", context), insert("Thing", "t", context)
            )
            child.setValue(node, forKey: "parent")
            thing.setValue(node, forKey: "notedNode")
            let ids = [node.objectID, child.objectID]
            context.delete(node)
            expectEqual(context.insertedObjects, [thing])
            #expect(context.deletedObjects.isEmpty)
            #expect(thing.value(forKey: "notedNode") == nil)
            context.processPendingChanges()
            for object in [node, child] { #expect(object.managedObjectContext == nil && object.isDeleted) }
            for id in ids {
                #expect(context.registeredObject(for: id) == nil)
                #expect(throws: MissingObjectError.self) { try context.existingObject(with: id) }
            }
            try context.save()
            expectEqual(try names("Node", container.newContext()), [])
            expectEqual(try names("Thing", container.newContext()), ["t"])
        }
    }

    // MARK: Rollback (D8)

    /// D8: a rollback restores relationships of all cardinalities, whether they were read or not.
    @Test(arguments: [true, false])
    func rollbackRestoresNullifiedReferences(isRead: Bool) throws {
        try withContainer { container in
            let context = container.newContext()
            let (node, next) = (insert("Node", "n", context), insert("Node", "m", context))
            let things = ["t", "u"].map { insert("Thing", $0, context) }
            next.setValue(node, forKey: "next")
            for thing in things {
                thing.setValue(node, forKey: "notedNode")
                thing.setValue([node, next], forKey: "markedNodes")
            }
            try context.save()
            let here = isRead ? context : container.newContext()
            let found = here.object(with: node.objectID)
            here.delete(found)
            for thing in things { here.delete(here.object(with: thing.objectID)) }
            #expect(here.object(with: next.objectID).value(forKey: "next") == nil)
            here.rollback()
            #expect(!here.hasChanges)
            #expect(here.object(with: next.objectID).value(forKey: "next") as? ManagedObject === found)
            let all = Set(things.map { here.object(with: $0.objectID) })
            #expect(found.value(forKey: "notes") as? Set<ManagedObject> == all)
            for object in [found, here.object(with: next.objectID)] {
                #expect(object.value(forKey: "marks") as? Set<ManagedObject> == all)
            }
            for thing in all { #expect(thing.value(forKey: "notedNode") as? ManagedObject === found) }
            try here.save()
            expectEqual(try integer("SELECT count(*) FROM \"Node_marks\"", container), 4)
            expectEqual(try integer("SELECT count(*) FROM \"Thing\" WHERE \"notedNode\" IS NOT NULL", container), 2)
        }
    }

    // MARK: Faults (D9)

    /// D9: when an object is deleted, No Action and Deny read nothing, nor does a relationship without an inverse.
    @Test func faultsThatNoRuleNeedsAreNotFired() throws {
        try withContainer { container in
            let context = container.newContext()
            let (node, thing) = (insert("Node", "n", context), insert("Thing", "t", context))
            for key in ["node", "topNode"] { thing.setValue(node, forKey: key) }
            thing.setValue([node], forKey: "markedNodes")
            node.setValue([thing], forKey: "loose")
            node.setValue(thing, forKey: "looseOne")
            try context.save()
            let fresh = container.newContext()
            let deleted = fresh.object(with: node.objectID)
            let target = fresh.object(with: thing.objectID)
            fresh.delete(deleted)
            #expect(target.isFault && !target.hasChanges)
            for key in ["things", "marks", "locks", "loose"] { #expect(try !isRead(deleted, key), "\(key)") }
            try fresh.save()
            #expect(target.isFault)
            for key in ["node", "topNode"] { #expect(target.value(forKey: key) == nil) }
        }
    }

    /// D9: Nullify changes and therefore reads the other end, but not the other destinations of the other end.
    @Test func nullifyReadsTheOtherEndsOnly() throws {
        try withContainer { container in
            let context = container.newContext()
            let (parent, top) = (insert("Node", "p", context), insert("Node", "t", context))
            parent.setValue(top, forKey: "parent")
            let children = ["a", "b"].map { insert("Node", $0, context) }
            for child in children { child.setValue(parent, forKey: "parent") }
            try context.save()
            let fresh = container.newContext()
            let found = ([top, parent] + children).map { fresh.object(with: $0.objectID) }
            fresh.delete(found[2])
            #expect(!found[1].isFault && found[1].isUpdated)
            #expect(found[0].isFault && found[3].isFault)
            #expect(try !isRead(found[1], "children"))
            try fresh.save()
            #expect(found[0].isFault && found[3].isFault)
            #expect((found[1].value(forKey: "children") as? Set<ManagedObject>) == [found[3]])
        }
    }

    /// D9: Cascade reads the deleted objects, and reads their destinations only if the rules of these require it.
    @Test func cascadeReadsDeletedObjects() throws {
        try withContainer { container in
            let context = container.newContext()
            let (parent, child) = (insert("Node", "p", context), insert("Node", "c", context))
            let (thing, noted) = (insert("Thing", "t", context), insert("Thing", "u", context))
            child.setValue(parent, forKey: "parent")
            thing.setValue(child, forKey: "node")
            noted.setValue(child, forKey: "notedNode")
            try context.save()
            let fresh = container.newContext()
            let found = [parent, child, thing, noted].map { fresh.object(with: $0.objectID) }
            fresh.delete(found[0])
            #expect(found[1].isDeleted && !found[1].isFault)
            #expect(found[2].isFault)
            #expect(found[3].isUpdated)
        }
    }
}
