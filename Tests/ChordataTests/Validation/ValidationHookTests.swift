import Chordata
import ChordataTestStores
import ChordataTestSupport
import Foundation
import Testing

/// Validation by classes, in addition to the model: 5B step 3.
struct ValidationHookTests {
    private func context() throws -> ManagedObjectContext {
        try DiaryModel.definition.testContainer(at: ":memory:").newContext()
    }

    /// Returns the validation error that a save throws.
    private func saveError(_ context: ManagedObjectContext) -> ValidationError? {
        #expect(throws: ValidationError.self) { try context.save() }
    }

    @Test func aPropertysHookRefusesAValue() throws {
        let context = try context()
        let note = Note(context: context)
        note.text = "refused text"
        // The only failure is the hook's own error, unchanged.
        #expect(throws: Refusal(of: "text")) { try context.save() }
        #expect(throws: Refusal(of: "text")) { try note.validateValue("refused text", forKey: "text") }
        #expect(throws: Refusal(of: "text")) { try note.validateForInsert() }
        let other = Note(context: context)
        other.saves = -1
        let error = saveError(context)
        expectEqual(error?.code, .multipleErrors)
        let failure = try #require(error?.failures.first)
        #expect(failure.propertyName == "text" && failure.objectID == note.objectID)
        expectEqual(failure.code, .managedObjectValidation)
        #expect(failure.underlyingError as? Refusal == Refusal(of: "text"))
        expectEqual(failure.reason, "failed the validation of its class: text must not be so")
        expectEqual(
            error?.description,
            """
            'text' of 'Note' (\(note.objectID)) failed the validation of its class: text must not be so (1550)
            'Note' (\(other.objectID)) failed the validation of its class: insertion must not be so (1550)
            """
        )
        other.saves = 0
        try note.validateValue("else", forKey: "text")
        note.text = "else"
        try context.save()
        #expect(!context.hasChanges)
    }

    @Test func propertyHooksRunInModelOrderBeforeObjectHooks() throws {
        try HookLog.withLog { log in
            let context = try context()
            let note = Note(context: context)
            note.text = "record validation"
            _ = log.take()
            try context.save()
            let asked = log.take().filter { $0.contains("validate") }
            expectEqual(
                asked,
                [
                    "Note validateProperty saves 0", "Note validateProperty text record validation",
                    "Note validateProperty words 0", "Note validateProperty attachments 0", "Note validateInsert",
                ]
            )
            // A to-many that did not change is not validated.
            note.saves = 1
            try context.save()
            expectEqual(
                log.take().filter { $0.contains("validate") },
                [
                    "Note validateProperty saves 1", "Note validateProperty text record validation",
                    "Note validateProperty words 0", "Note validateUpdate",
                ]
            )
        }
    }

    @Test func anObjectsHooksRefuseInsertionUpdateAndDeletion() throws {
        let context = try context()
        let note = Note(context: context)
        note.saves = -1
        #expect(throws: Refusal(of: "insertion")) { try context.save() }
        #expect(throws: Refusal(of: "insertion")) { try note.validateForInsert() }
        try note.validateForUpdate()
        note.saves = 0
        try note.validateForInsert()
        try context.save()
        note.saves = -2
        #expect(throws: Refusal(of: "update")) { try context.save() }
        #expect(throws: Refusal(of: "update")) { try note.validateForUpdate() }
        note.saves = -3
        try context.save()
        context.delete(note)
        #expect(throws: Refusal(of: "deletion")) { try context.save() }
        #expect(note.isDeleted)
        context.rollback()
        note.saves = 0
        context.delete(note)
        try context.save()
        expectEqual(try context.count(for: Note.fetchRequest()), 0)
    }

    @Test func objectHooksAreSkippedWhileAPropertyIsInvalid() throws {
        let context = try context()
        let note = Note(context: context)
        note.saves = -1
        note.text = "refused text"
        #expect(throws: Refusal(of: "text")) { try context.save() }
        note.setValue(nil, forKey: "text")
        let missing = saveError(context)
        expectEqual(missing?.failures.map(\.code), [.missingMandatoryProperty])
        note.text = ""
        #expect(throws: Refusal(of: "insertion")) { try context.save() }
    }

    @Test func aHookMayThrowAValidationErrorOfItsOwn() throws {
        let context = try context()
        let note = Note(context: context)
        note.saves = 1_000_000
        let error = saveError(context)
        expectEqual(error?.code, .multipleErrors)
        expectEqual(error?.failures.map(\.code), [.numberTooLarge, .managedObjectValidation])
        expectEqual(error?.failures.map(\.reason), ["is too large; reset it", "is too short; write more"])
        expectEqual(error?.failures.map(\.propertyName), ["saves", "text"])
    }

    /// Core Data code checks the domain, code and text of its own errors.
    @Test(arguments: [
        NSError(domain: "Booking", code: 42, userInfo: [NSLocalizedDescriptionKey: "only pairs, please"]) as any Error,
        SpokenRefusal(), Refusal(of: "text"),
    ]) func anErrorOfAHookKeepsDomainCodeAndText(_ thrown: any Error) throws {
        try HookLog.withLog { log in
            let context = try context()
            let note = Note(context: context)
            note.text = "refused otherwise"
            log.refusal = thrown
            let original = thrown as NSError
            for body in [{ try context.save() }, { try note.validateValue("refused otherwise", forKey: "text") }] {
                let error = try #require(#expect(throws: (any Error).self) { try body() }) as NSError
                #expect(error.domain == original.domain && error.code == original.code)
                expectEqual(error.localizedDescription, original.localizedDescription)
            }
            let other = Note(context: context)
            other.saves = -1
            let several = try #require(saveError(context)) as NSError
            #expect(several.domain == NSCocoaErrorDomain && several.code == 1_560)
            let details = try #require(several.userInfo["NSDetailedErrors"] as? [NSError])
            #expect(details.first?.domain == original.domain && details.first?.code == original.code)
            expectEqual(details.first?.localizedDescription, original.localizedDescription)
            let text = (thrown as? Refusal)?.description ?? original.localizedDescription
            #expect(several.localizedDescription.contains("failed the validation of its class: \(text) (1550)"))
        }
    }

    @Test func changesByHooksAreValidated() throws {
        let context = try context()
        let (note, attachment) = (Note(context: context), Attachment(context: context))
        note.attachments = [attachment]
        try context.save()
        note.text = "spoil attachments"
        expectEqual(saveError(context)?.failures.map(\.entityName), ["Attachment"])
        attachment.title = "corrected"
        note.text = "well"
        try context.save()
        note.text = "change at validation"
        #expect {
            try context.save()
        } throws: { error in
            "\(error)" == """
                validation of 'Note' changed objects 1000 times in a row; set a property only if the new value differs from \
                the current value
                """
        }
        note.text = "well"
        try context.save()
    }

    @Test func overridesOfCategoryClasses() throws {
        let context = try context()
        let photo = Photo(context: context)
        photo.caption = "refused"
        #expect(throws: Refusal(of: "insertion")) { try context.save() }
        photo.setValue(nil, forKey: "caption")
        // `super` is called first, and throws.
        expectEqual(saveError(context)?.failures.map(\.code), [.missingMandatoryProperty])
        #expect(throws: ValidationError.self) { try photo.validateForInsert() }
        photo.caption = "fine"
        try context.save()
        photo.caption = "refused"
        #expect(throws: Refusal(of: "update")) { try context.save() }
        photo.caption = "kept"
        try context.save()
        context.delete(photo)
        #expect(throws: Refusal(of: "deletion")) { try context.save() }
        context.rollback()
        photo.caption = "fine"
        context.delete(photo)
        try context.save()
    }

    @Test func aHookIsInherited() throws {
        let context = try context()
        let portrait = Portrait(context: context)
        portrait.caption = "refused"
        #expect(throws: Refusal(of: "insertion")) { try context.save() }
        portrait.caption = "refused by key"
        #expect(throws: Refusal(of: "caption")) { try context.save() }
        #expect(throws: Refusal(of: "caption")) { try portrait.validateForInsert() }
        portrait.caption = "fine"
        try context.save()
    }
}

/// Saves from within a controller's notification, while other changes wait to be reported.
private final class SavingDelegate: FetchedResultsControllerDelegate {
    var context: ManagedObjectContext?
    private(set) var errors: [any Error] = []
    private(set) var saveCount = 0

    func controllerDidChangeContent(_ controller: FetchedResultsController<Note>) {
        guard let context, saveCount == 0 else { return }
        saveCount += 1
        do {
            for note in controller.fetchedObjects ?? [] { note.saves += 1 }
            try context.save()
        } catch {
            errors.append(error)
        }
    }
}

extension ValidationHookTests {
    @Test func aSaveWithinANotificationEnds() throws {
        let context = try context()
        let controller = FetchedResultsController(
            fetchRequest: Note.fetchRequest().sorted(by: \.text),
            managedObjectContext: context
        )
        let delegate = SavingDelegate()
        delegate.context = context
        controller.delegate = delegate
        try controller.performFetch()
        let note = Note(context: context)
        context.processPendingChanges()
        #expect(delegate.errors.isEmpty, "\(delegate.errors)")
        #expect(delegate.saveCount == 1 && note.saves == 1)
        expectEqual(try context.count(for: Note.fetchRequest()), 1)
        try context.save()
        #expect(!context.hasChanges)
    }
}
