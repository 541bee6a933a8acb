import Chordata

// The classes that the model 'Diary' leaves to the user, whose hooks record their calls.

class Photo: _Photo {
    override func awakeFromInsert() { record("awakeFromInsert") }
    override func awakeFromFetch() { record("awakeFromFetch") }
    override func willSave() { record("willSave") }
    override func didSave() { record("didSave") }
    override func prepareForDeletion() { record("prepareForDeletion") }
    override func willTurnIntoFault() { record("willTurnIntoFault") }
    override func didTurnIntoFault() { record("didTurnIntoFault") }

    override func validateForInsert() throws {
        try super.validateForInsert()
        if caption == "refused" { throw Refusal(of: "insertion") }
    }

    override func validateForUpdate() throws {
        try super.validateForUpdate()
        if caption == "refused" { throw Refusal(of: "update") }
    }

    override func validateForDelete() throws {
        try super.validateForDelete()
        if caption == "kept" { throw Refusal(of: "deletion") }
    }
}

extension Photo: ValidatePropertyHook {
    func validateProperty(_ key: PropertyKey, value: Any?) throws {
        if case .caption = key, value as? String == "refused by key" { throw Refusal(of: "caption") }
    }
}

final class Portrait: _Portrait {
    /// A stored property that is not in the model.
    var visits = 7

    override func awakeFromInsert() {
        super.awakeFromInsert()
        visits += 1
        person = "nobody"
    }
}

extension Note: AwakeFromInsertHook, AwakeFromFetchHook, WillSaveHook, DidSaveHook, PrepareForDeletionHook,
    WillTurnIntoFaultHook, DidTurnIntoFaultHook
{
    func awakeFromInsert() {
        record("awakeFromInsert \(text)")
        text = "new"
    }

    func awakeFromFetch() {
        record("awakeFromFetch")
        words = Int64(text.split(separator: " ").count)
        text += "!"
    }

    func willSave() {
        record("willSave \(isInserted ? "inserted" : isUpdated ? "updated" : isDeleted ? "deleted" : "unchanged")")
        switch text {
        case "count": if saves == 0 { saves = 1 }
        case "count and fetch":
            guard saves == 0, let context = managedObjectContext else { break }
            saves = 1
            record("found \((try? context.fetch(Note.fetchRequest()).count) ?? -1)")
        case "undo":
            guard let context = managedObjectContext else { break }
            for case let note as Note in context.insertedObjects where note.text == "doomed" { context.delete(note) }
        case "endless": saves += 1
        case "attach":
            if attachments.isEmpty, let context = managedObjectContext {
                addToAttachments(Attachment(context: context))
            }
        default: break
        }
    }

    func didSave() {
        record("didSave \(hasChanges ? "with" : "without") changes\(isDeleted ? ", deleted" : "")")
        if text == "again" { text = "changed by didSave" }
    }

    func prepareForDeletion() {
        record("prepareForDeletion \(attachments.count)")
        if text == "keep" { removeFromAttachments(attachments) }
    }

    func willTurnIntoFault() { record("willTurnIntoFault \(text)") }
    func didTurnIntoFault() { record("didTurnIntoFault \(isFault)") }
}

extension Attachment: PrepareForDeletionHook {
    func prepareForDeletion() { record("prepareForDeletion") }
}

/// The calls of hooks that were recorded in the current test.
final class HookLog {
    @TaskLocal static var current: HookLog?
    var lines: [String] = []
    /// The last values that were passed to the hooks of properties, by property.
    var values: [String: Any?] = [:]
    /// A closure that each hook calls after it was recorded.
    var then: ((ManagedObject, String) throws -> Void)?
    /// The error that a hook throws if it is to refuse with an error other than its own.
    var refusal: (any Error)?
    private(set) var errors: [any Error] = []

    func add(_ line: String, of object: ManagedObject) {
        lines.append(line)
        do {
            try then?(object, line)
        } catch {
            errors.append(error)
        }
    }

    /// Runs a test with a separate record.
    static func withLog(_ body: (HookLog) throws -> Void) rethrows {
        let log = HookLog()
        try $current.withValue(log) { try body(log) }
    }

    /// The lines since the last call.
    func take() -> [String] {
        defer { lines = [] }
        return lines
    }
}

extension HookLog: @unchecked Sendable {}  // A test uses the log in one task.

extension ManagedObject {
    fileprivate func record(_ line: String) { HookLog.current?.add("\(Self.entityName) \(line)", of: self) }
}
