import CoreData
import Foundation

/// A message as the server sends it.
struct MessagePayload: Decodable {
    let id: String
    let conversation: String
    let sender: String
    let text: String
    let sentAt: Date
}

/// Imports pages of messages in the background.
final class MessageImporter {
    private let container: NSPersistentContainer

    init(container: NSPersistentContainer) {
        self.container = container
    }

    /// Calls the completion on the main queue, with the number of new messages.
    func importPage(_ json: String, completion: @escaping (Result<Int, Error>) -> Void) {
        container.performBackgroundTask { context in
            context.name = "import"
            context.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
            let result = Result { try self.importMessages(Data(json.utf8), into: context) }
            DispatchQueue.main.async { completion(result) }
        }
    }

    private func importMessages(_ data: Data, into context: NSManagedObjectContext) throws -> Int {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        let payloads = try decoder.decode([MessagePayload].self, from: data)

        // All objects are fetched before the first one is inserted.
        let known = try existingIDs(of: payloads, in: context)
        var users = try users(named: Set(payloads.map { $0.sender }), in: context)
        let conversations = try self.conversations(titled: Set(payloads.map { $0.conversation }), in: context)

        var count = 0
        for payload in payloads where !known.contains(payload.id) {
            guard let conversation = conversations[payload.conversation] else { continue }
            let message = Message(context: context)
            message.serverID = payload.id
            message.text = payload.text
            message.sentAt = payload.sentAt
            let sender = users[payload.sender] ?? User(context: context)
            sender.userName = payload.sender
            users[payload.sender] = sender
            message.sender = sender
            conversation.addToMessages(message)
            conversation.addToParticipants(sender)
            conversation.unreadCount += 1
            if payload.sentAt > conversation.lastMessageAt ?? .distantPast {
                conversation.lastMessageAt = payload.sentAt
            }
            count += 1
        }
        if context.hasChanges { try context.save() }
        return count
    }

    private func existingIDs(of payloads: [MessagePayload], in context: NSManagedObjectContext) throws -> Set<String> {
        let request = NSFetchRequest<NSDictionary>(entityName: "Message")
        request.predicate = NSPredicate(format: "serverID IN %@", payloads.map { $0.id })
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = ["serverID"]
        return Set(try context.fetch(request).compactMap { $0["serverID"] as? String })
    }

    private func users(named names: Set<String>, in context: NSManagedObjectContext) throws -> [String: User] {
        let request: NSFetchRequest<User> = User.fetchRequest()
        request.predicate = NSPredicate(format: "userName IN %@", Array(names))
        var result: [String: User] = [:]
        for user in try context.fetch(request) { result[user.userName ?? ""] = user }
        return result
    }

    private func conversations(
        titled titles: Set<String>,
        in context: NSManagedObjectContext
    ) throws -> [String: Conversation] {
        let request: NSFetchRequest<Conversation> = Conversation.fetchRequest()
        request.predicate = NSPredicate(format: "title IN %@", Array(titles))
        request.returnsObjectsAsFaults = false
        var result: [String: Conversation] = [:]
        for conversation in try context.fetch(request) { result[conversation.title ?? ""] = conversation }
        return result
    }
}
