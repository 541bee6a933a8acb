import Chordata
import ChordataTestStores
import ChordataTestSupport
import Testing

/// Hooks: 5A D2–D3, 5B steps 2 and 7 and "more rules".
struct HookTests {
    @Test func defaultsAreSetBeforeAwakeFromInsert() throws {
        try HookLog.withLog { log in
            let context = try DiaryModel.definition.testContainer(at: ":memory:").newContext()
            let note = Note(context: context)
            expectEqual(log.take(), ["Note awakeFromInsert empty"])
            expectEqual(note.text, "new")
            try context.save()
            expectEqual(log.take(), ["Note willSave inserted", "Note didSave without changes"])
        }
    }

    @Test func overridesOfCategoryClasses() throws {
        try HookLog.withLog { log in
            let container = try DiaryModel.definition.testContainer(at: ":memory:")
            let context = container.newContext()
            let portrait = Portrait(context: context)
            expectEqual(portrait.visits, 8)
            expectEqual(portrait.person, "nobody")
            let photo = Photo(context: context)
            try context.save()
            #expect(!photo.isFault)
            expectEqual(
                log.take(),
                [
                    "Portrait awakeFromInsert", "Photo awakeFromInsert", "Portrait willSave", "Photo willSave",
                    "Portrait didSave", "Photo didSave",
                ]
            )
            let other = container.newContext()
            let found = try other.fetch(Portrait.fetchRequest())
            expectEqual(found.map(\.visits), [7])
            expectEqual(log.take(), ["Portrait awakeFromFetch"])
            found.forEach(other.delete)
            expectEqual(log.take(), ["Portrait prepareForDeletion"])
        }
    }

    @Test func awakingFromFetchIsNotAChange() throws {
        try HookLog.withLog { log in
            let container = try DiaryModel.definition.testContainer(at: ":memory:")
            let context = container.newContext()
            Note(context: context).text = "one two three"
            try context.save()
            _ = log.take()
            let other = container.newContext()
            let note = try #require(try other.fetch(Note.fetchRequest()).first)
            expectEqual(log.take(), ["Note awakeFromFetch"])
            expectEqual(note.words, 3)
            expectEqual(note.text, "one two three!")
            #expect(!note.hasChanges && !other.hasChanges)
            _ = try other.fetch(Note.fetchRequest())
            #expect(log.take().isEmpty, "it is known already")
        }
    }

    @Test func aFaultAwakesWhenItIsRead() throws {
        try HookLog.withLog { log in
            let container = try DiaryModel.definition.testContainer(at: ":memory:")
            let context = container.newContext()
            let id = Note(context: context).objectID
            try context.save()
            _ = log.take()
            let fault = container.newContext()
            let note = try #require(fault.object(with: id) as? Note)
            #expect(log.take().isEmpty)
            expectEqual(note.text, "new!")
            expectEqual(log.take(), ["Note awakeFromFetch"])
        }
    }

    /// 5B step 2.
    @Test func willSaveIsRepeatedUntilNothingChanges() throws {
        try HookLog.withLog { log in
            let context = try DiaryModel.definition.testContainer(at: ":memory:").newContext()
            let note = Note(context: context)
            note.text = "count"
            _ = log.take()
            try context.save()
            expectEqual(
                log.take(),
                ["Note willSave inserted", "Note willSave inserted", "Note didSave without changes"]
            )
            expectEqual(note.saves, 1)
            note.text = "attach"
            try context.save()
            expectEqual(
                log.take(),
                ["Note willSave updated", "Note willSave updated", "Note didSave without changes"]
            )
            expectEqual(try context.count(for: Attachment.fetchRequest()), 1)
            #expect(!context.hasChanges)
        }
    }

    /// A fetch in a hook ends the event, which reports the hook's changes; `willSave` is repeated nevertheless.
    @Test func willSaveIsRepeatedAfterAHookThatFetches() throws {
        try HookLog.withLog { log in
            let context = try DiaryModel.definition.testContainer(at: ":memory:").newContext()
            let note = Note(context: context)
            note.text = "count and fetch"
            _ = log.take()
            try context.save()
            expectEqual(
                log.take(),
                [
                    "Note willSave inserted", "Note found 1", "Note willSave inserted", "Note didSave without changes",
                ]
            )
        }
    }

    /// 5B step 2: in Core Data, this is an endless loop.
    @Test func aHookThatAlwaysChangesMakesTheSaveFail() throws {
        try HookLog.withLog { _ in
            let context = try DiaryModel.definition.testContainer(at: ":memory:").newContext()
            let note = Note(context: context)
            note.text = "endless"
            #expect {
                try context.save()
            } throws: { error in
                "\(error)" == """
                    willSave of 'Note' changed objects 1000 times in a row; set a property only if the new value differs from \
                    the current value
                    """
            }
            #expect(note.isInserted)
            note.text = "count"
            try context.save()
            #expect(!context.hasChanges)
        }
    }

    @Test func insertionsUndoneByHooksReceiveNoDidSave() throws {
        try HookLog.withLog { log in
            let context = try DiaryModel.definition.testContainer(at: ":memory:").newContext()
            let (note, doomed) = (Note(context: context), Note(context: context))
            note.text = "undo"
            doomed.text = "doomed"
            _ = log.take()
            try context.save()
            expectEqual(
                log.take(),
                [
                    "Note willSave inserted", "Note prepareForDeletion 0", "Note didSave without changes",
                ]
            )
            expectEqual(try context.count(for: Note.fetchRequest()), 1)
        }
    }

    @Test func deletionsInDidSaveBelongToTheNextSave() throws {
        try HookLog.withLog { log in
            let container = try DiaryModel.definition.testContainer(at: ":memory:")
            let (context, other) = (container.newContext(), container.newContext())
            let notes = (0..<2).map { _ in Note(context: context) }
            let (first, second) = (notes[0], notes[1])
            log.then = { object, line in
                if object === first, line.hasPrefix("Note didSave"), !second.isDeleted { context.delete(second) }
            }
            try context.save()
            #expect(second.isDeleted && second.managedObjectContext === context && context.deletedObjects == [second])
            log.then = nil
            expectEqual(try other.count(for: Note.fetchRequest()), 2)
            try context.save()
            #expect(second.managedObjectContext == nil && !context.hasChanges)
            expectEqual(try other.count(for: Note.fetchRequest()), 1)
        }
    }

    /// 5B step 7.
    @Test func changesInDidSaveBelongToTheNextSave() throws {
        try HookLog.withLog { log in
            let context = try DiaryModel.definition.testContainer(at: ":memory:").newContext()
            let note = Note(context: context)
            note.text = "again"
            try context.save()
            expectEqual(note.text, "changed by didSave")
            #expect(note.isUpdated && context.updatedObjects == [note])
            try context.save()
            #expect(!context.hasChanges)
            context.delete(note)
            _ = log.take()
            try context.save()
            expectEqual(log.take(), ["Note willSave deleted", "Note didSave with changes, deleted"])
            #expect(note.managedObjectContext == nil)
        }
    }

    @Test func cascadedObjectsReceivePrepareForDeletion() throws {
        try HookLog.withLog { log in
            let context = try DiaryModel.definition.testContainer(at: ":memory:").newContext()
            let note = Note(context: context)
            note.attachments = [Attachment(context: context), Attachment(context: context)]
            try context.save()
            _ = log.take()
            context.delete(note)
            expectEqual(
                log.take(),
                [
                    "Note prepareForDeletion 2", "Attachment prepareForDeletion", "Attachment prepareForDeletion",
                ]
            )
            context.delete(note)
            #expect(log.take().isEmpty)
        }
    }

    @Test func preparingComesBeforeTheRules() throws {
        try HookLog.withLog { _ in
            let context = try DiaryModel.definition.testContainer(at: ":memory:").newContext()
            let note = Note(context: context)
            let attachment = Attachment(context: context)
            note.attachments = [attachment]
            note.text = "keep"
            try context.save()
            context.delete(note)
            #expect(!attachment.isDeleted && attachment.note == nil)
        }
    }

    @Test func unreferencedObjectsBecomeFaults() throws {
        try HookLog.withLog { log in
            let context = try DiaryModel.definition.testContainer(at: ":memory:").newContext()
            let held = Note(context: context)
            _ = Note(context: context)
            _ = log.take()
            try context.save()
            expectEqual(
                log.take().filter { $0.contains("Fault") },
                [
                    "Note willTurnIntoFault new", "Note didTurnIntoFault true",
                ]
            )
            #expect(!held.isFault)
            expectEqual(context.registeredObjects, [held])
        }
    }
}
