import CoreData
import Foundation

let container = ChatContainer.open()
let viewContext = container.viewContext
let importer = MessageImporter(container: container)
let saveLog = SaveLog()

func date(_ seconds: TimeInterval) -> Date {
    return Date(timeIntervalSince1970: seconds)
}

print("== Two conversations")
let ada = User(context: viewContext)
ada.userName = "ada"
ada.displayName = "Ada"
let ben = User(context: viewContext)
ben.userName = "ben"
ben.displayName = "Ben"
let lunch = Conversation(context: viewContext)
lunch.title = "Lunch"
lunch.lastMessageAt = date(10)
let release = Conversation(context: viewContext)
release.title = "Release"
release.lastMessageAt = date(20)
for conversation in [lunch, release] { conversation.addToParticipants([ada, ben]) }
try viewContext.save()
print("file: \(container.persistentStoreDescriptions.first?.url?.lastPathComponent ?? "none")")
print("type is SQLite: \(container.persistentStoreDescriptions.first?.type == NSSQLiteStoreType)")
print("ben takes part in \(ben.conversations?.count ?? 0)")

let conversationRequest: NSFetchRequest<Conversation> = Conversation.fetchRequest()
conversationRequest.sortDescriptors = [NSSortDescriptor(key: "lastMessageAt", ascending: false)]
let conversationList = try ListController(conversationRequest, context: viewContext) { conversation in
    "\(conversation.title ?? "") (\(conversation.unreadCount))"
}
conversationList.flush()

func importPage(_ json: String, until condition: () -> Bool) {
    var outcome: Result<Int, Error>?
    importer.importPage(json) { outcome = $0 }
    waitOnMain { outcome != nil && condition() }
    switch outcome {
    case .success(let count)?: print("imported \(count)")
    case .failure(let error)?: print("failed: \(error)")
    case nil: print("no outcome")
    }
}

print("== Messages from the server")
importPage(
    """
    [{"id": "m1", "conversation": "Lunch", "sender": "ben", "text": "Pizza today?", "sentAt": 100},
     {"id": "m2", "conversation": "Lunch", "sender": "cho", "text": "I bring salad", "sentAt": 200}]
    """,
    until: { lunch.unreadCount == 2 }
)
saveLog.flush()
conversationList.flush()
print("participants: \((lunch.participants as? Set<User> ?? []).compactMap { $0.userName }.sorted())")

print("== The same page again")
importPage(
    """
    [{"id": "m2", "conversation": "Lunch", "sender": "cho", "text": "I bring salad", "sentAt": 200}]
    """,
    until: { true }
)
saveLog.flush()

print("== Open Lunch")
let messageRequest: NSFetchRequest<Message> = Message.fetchRequest()
messageRequest.predicate = NSPredicate(format: "conversation == %@", lunch)
messageRequest.sortDescriptors = [NSSortDescriptor(key: "sentAt", ascending: true)]
let messageList = try ListController(messageRequest, context: viewContext) { $0.rowText }
messageList.flush()

print("== Read the first message")
messageList.objects.first?.isRead = true
lunch.unreadCount -= 1
try viewContext.save()
conversationList.flush()
messageList.flush()

print("== Send a message")
let reply = Message(context: viewContext)
print("sent at the reference date: \(reply.sentAt == Date(timeIntervalSinceReferenceDate: 0))")
reply.serverID = "local-1"
reply.text = "See you at noon"
reply.sentAt = date(300)
reply.sender = ada
reply.isRead = true
reply.conversation = lunch
lunch.lastMessageAt = date(300)
try viewContext.save()
conversationList.flush()
messageList.flush()

print("== News of the release")
importPage(
    """
    [{"id": "m3", "conversation": "Release", "sender": "ben", "text": "The build is green", "sentAt": 500}]
    """,
    until: { release.unreadCount == 1 }
)
saveLog.flush()
conversationList.flush()
messageList.flush()

print("== Delete an unread message")
viewContext.delete(messageList.objects[1])
print("prepared: \(Message.preparedDeletions)")
try viewContext.save()
conversationList.flush()
messageList.flush()

print("== Delete Lunch")
viewContext.delete(lunch)
try viewContext.save()
print("prepared: \(Message.preparedDeletions)")
conversationList.flush()
messageList.flush()
print("messages of Ada: \(ada.messages?.count ?? 0), of Ben: \(ben.messages?.count ?? 0)")

conversationList.fetchedResultsController.delegate = nil
messageList.fetchedResultsController.delegate = nil

print("== A message without a conversation")
let lost = Message(context: viewContext)
lost.serverID = "lost"
do {
    try viewContext.save()
} catch let error as NSError {
    print("missing: \(error.code == NSValidationMissingMandatoryPropertyError)")
    print("key: \(error.userInfo[NSValidationKeyErrorKey] as? String ?? "nil")")
}
viewContext.rollback()
print("changes: \(viewContext.hasChanges)")

print("== A duplicate")
let releaseID = release.objectID
let background = container.newBackgroundContext()
background.performAndWait {
    guard let conversation = background.object(with: releaseID) as? Conversation else { return }
    let duplicate = Message(context: background)
    duplicate.serverID = "m3"
    duplicate.text = "The build is green again"
    duplicate.conversation = conversation
    do {
        try background.save()
        print("saved")
    } catch let error as NSError {
        print("constraint: \(error.code == NSManagedObjectConstraintMergeError), code \(error.code)")
        let conflicts = error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSConstraintConflict] ?? []
        print("conflicts: \(conflicts.count), constraint: \(conflicts.first?.constraint ?? [])")
        print("object in the store: \(conflicts.first?.databaseObject != nil)")
    }
    background.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
    do {
        try background.save()
        print("merged")
    } catch {
        print("failed: \(error)")
    }
}
let check = container.newBackgroundContext()
check.performAndWait {
    let request: NSFetchRequest<Message> = Message.fetchRequest()
    request.predicate = NSPredicate(format: "serverID == %@", "m3")
    let messages = (try? check.fetch(request)) ?? []
    print("\(messages.count) message: \(messages.first?.text ?? "nil")")
    print("in \(messages.first?.conversation?.title ?? "nil")")
}

print("== Memory")
viewContext.refreshAllObjects()
print("Ada is a fault: \(ada.isFault), then her name is \(ada.displayName ?? "nil")")
viewContext.reset()
print("registered: \(viewContext.registeredObjects.count)")

container.removeFiles()
print("stores: \(container.persistentStoreCoordinator.persistentStores.count)")
