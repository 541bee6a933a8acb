import CoreData
import Foundation

/// The changes of the user since a token.
struct LocalChanges: Sendable {
    var payloads: [NotePayload] = []
    var token: Data?
}

/// The outcome of an import.
struct ImportReport: Sendable {
    var applied: [String] = []
    var replaced: [String] = []
}

/// The store of one device.
final class Device: Sendable {
    enum Author: String {
        case user
        case sync
    }

    let name: String
    let container: NSPersistentContainer

    /// Opens the store with the model of another device, because the containers of a process should share it.
    init(_ name: String, directory: URL, sharing other: Device? = nil) throws {
        self.name = name
        if let model = other?.container.managedObjectModel {
            container = NSPersistentContainer(name: "SyncClient", managedObjectModel: model)
        } else {
            container = NSPersistentContainer(name: "SyncClient")
        }
        let description = NSPersistentStoreDescription(url: directory.appending(path: "\(name).sqlite"))
        description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
        container.persistentStoreDescriptions = [description]
        container.loadPersistentStores { description, error in
            if let error { fatalError("Cannot load \(description.url?.lastPathComponent ?? "the store"): \(error)") }
        }
        container.viewContext.transactionAuthor = Author.user.rawValue
    }

    private func newContext(_ author: Author) -> NSManagedObjectContext {
        let context = container.newBackgroundContext()
        context.transactionAuthor = author.rawValue
        context.name = "\(name) \(author.rawValue)"
        return context
    }

    // MARK: The user

    func write(_ remoteID: String, title: String, at seconds: Double) async throws {
        let context = newContext(.user)
        try await context.perform {
            let note = try Device.note(remoteID, in: context) ?? Note(context: context)
            note.remoteID = remoteID
            note.title = title
            note.updatedAt = Date(timeIntervalSinceReferenceDate: seconds)
            try context.save()
        }
    }

    func pin(_ remoteID: String) async throws {
        let context = newContext(.user)
        try await context.perform {
            try Device.note(remoteID, in: context)?.isPinned = true
            try context.save()
        }
    }

    func delete(_ remoteID: String) async throws {
        let context = newContext(.user)
        try await context.perform {
            if let note = try Device.note(remoteID, in: context) { context.delete(note) }
            try context.save()
        }
    }

    func titles() async throws -> [String] {
        let context = newContext(.user)
        return try await context.perform {
            let request: NSFetchRequest<Note> = Note.fetchRequest()
            request.sortDescriptors = [NSSortDescriptor(keyPath: \Note.remoteID, ascending: true)]
            return try context.fetch(request).map { "\($0.remoteID ?? "") \($0.title ?? "")" }
        }
    }

    private static func note(_ remoteID: String, in context: NSManagedObjectContext) throws -> Note? {
        let request: NSFetchRequest<Note> = Note.fetchRequest()
        request.predicate = NSPredicate(format: "%K == %@", "remoteID", remoteID)
        request.fetchLimit = 1
        return try context.fetch(request).first
    }

    // MARK: History

    /// Returns a request for the transactions of an author after a token that was archived.
    private static func historyRequest(of author: Author, after data: Data?) throws -> NSPersistentHistoryChangeRequest
    {
        let token = try data.flatMap {
            try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPersistentHistoryToken.self, from: $0)
        }
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
        if let fetchRequest = NSPersistentHistoryTransaction.fetchRequest {
            fetchRequest.predicate = NSPredicate(format: "author == %@", author.rawValue)
            request.fetchRequest = fetchRequest
        }
        return request
    }

    private static func transactions(
        _ request: NSPersistentHistoryChangeRequest,
        in context: NSManagedObjectContext
    ) throws -> [NSPersistentHistoryTransaction] {
        let result = try context.execute(request) as? NSPersistentHistoryResult
        return result?.result as? [NSPersistentHistoryTransaction] ?? []
    }

    /// Returns the changes of the user since the token, in the form that the server needs.
    func localChanges(after data: Data?) async throws -> LocalChanges {
        let context = newContext(.sync)
        return try await context.perform {
            var changes = LocalChanges(token: data)
            var changed: Set<NSManagedObjectID> = []
            let request = try Device.historyRequest(of: .user, after: data)
            for transaction in try Device.transactions(request, in: context) {
                for change in transaction.changes ?? [] where change.changedObjectID.entity.name == "Note" {
                    switch change.changeType {
                    case .insert:
                        changed.insert(change.changedObjectID)
                    case .update:
                        // The server does not know which notes are pinned.
                        let names = Set(change.updatedProperties?.map(\.name) ?? [])
                        if names != ["isPinned"] { changed.insert(change.changedObjectID) }
                    case .delete:
                        guard
                            let remoteID = change.tombstone?["remoteID"] as? String,
                            let date = change.tombstone?["updatedAt"] as? Date
                        else { continue }
                        let deletedAt = date.addingTimeInterval(1)
                        changes.payloads.append(
                            NotePayload(remoteID: remoteID, title: "", updatedAt: deletedAt, isDeleted: true)
                        )
                    @unknown default:
                        continue
                    }
                }
                changes.token = try NSKeyedArchiver.archivedData(
                    withRootObject: transaction.token,
                    requiringSecureCoding: true
                )
            }
            for objectID in changed {
                // Notes that were deleted later no longer exist.
                guard
                    let note = try? context.existingObject(with: objectID) as? Note,
                    let remoteID = note.remoteID, let title = note.title, let updatedAt = note.updatedAt
                else { continue }
                changes.payloads.append(NotePayload(remoteID: remoteID, title: title, updatedAt: updatedAt))
            }
            changes.payloads.sort { $0.remoteID < $1.remoteID }
            return changes
        }
    }

    /// Merges the saves of the synchronization into the context of the screens.
    ///
    /// Returns the number of transactions.
    func mergeIntoViewContext() async throws -> Int {
        let context = container.viewContext
        return try await context.perform {
            let request = try Device.historyRequest(of: .sync, after: nil)
            let transactions = try Device.transactions(request, in: context)
            for transaction in transactions {
                context.mergeChanges(fromContextDidSave: transaction.objectIDNotification())
            }
            return transactions.count
        }
    }

    // MARK: Imports

    /// Imports the payloads that are newer than the notes of the device.
    func apply(_ payloads: [NotePayload]) async throws -> ImportReport {
        let context = newContext(.sync)
        return try await context.perform {
            let policy = ImportPolicy()
            context.mergePolicy = policy
            let dates = try Device.dates(of: payloads.map(\.remoteID), in: context)
            var report = ImportReport()
            for payload in payloads {
                if let date = dates[payload.remoteID], date >= payload.updatedAt { continue }
                if payload.isDeleted {
                    guard let note = try Device.note(payload.remoteID, in: context) else { continue }
                    context.delete(note)
                } else {
                    // The constraint makes this an update if the note exists.
                    let note = Note(context: context)
                    note.remoteID = payload.remoteID
                    note.title = payload.title
                    note.updatedAt = payload.updatedAt
                }
                report.applied.append(payload.label)
            }
            if context.hasChanges { try context.save() }
            report.replaced = policy.replacedIDs.sorted()
            return report
        }
    }

    private static func dates(of remoteIDs: [String], in context: NSManagedObjectContext) throws -> [String: Date] {
        let request = NSFetchRequest<NSDictionary>(entityName: "Note")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = ["remoteID", "updatedAt"]
        request.predicate = NSPredicate(format: "remoteID IN %@", remoteIDs)
        var dates: [String: Date] = [:]
        for row in try context.fetch(request) {
            if let remoteID = row["remoteID"] as? String { dates[remoteID] = row["updatedAt"] as? Date }
        }
        return dates
    }

    /// Inserts attachments in one batch, and returns the names and sizes of all attachments.
    func insertAttachments(
        _ attachments: [(noteID: String, name: String, size: Int64)],
        replacing: Bool
    ) async throws -> [String] {
        let context = newContext(.sync)
        return try await context.perform {
            context.mergePolicy = replacing ? NSMergePolicy.mergeByPropertyObjectTrump : NSMergePolicy.error
            var rest = attachments[...]
            let request = NSBatchInsertRequest(
                entity: Attachment.entity(),
                managedObjectHandler: { object in
                    guard let next = rest.popFirst(), let attachment = object as? Attachment else { return true }
                    attachment.noteID = next.noteID
                    attachment.name = next.name
                    attachment.size = next.size
                    return false
                }
            )
            request.resultType = .objectIDs
            if !attachments.isEmpty { _ = try context.execute(request) }
            let fetch: NSFetchRequest<Attachment> = Attachment.fetchRequest()
            fetch.sortDescriptors = [
                NSSortDescriptor(keyPath: \Attachment.noteID, ascending: true),
                NSSortDescriptor(keyPath: \Attachment.name, ascending: true),
            ]
            return try context.fetch(fetch).map { "\($0.noteID ?? "")/\($0.name ?? "") \($0.size)" }
        }
    }
}
