import CoreData
import Foundation

@objc(Message)
class Message: NSManagedObject {
    /// The number of times that Core Data prepared a message for deletion.
    static var preparedDeletions = 0

    override func awakeFromInsert() {
        super.awakeFromInsert()
        setPrimitiveValue(Date(timeIntervalSinceReferenceDate: 0), forKey: "sentAt")
    }

    override func prepareForDeletion() {
        super.prepareForDeletion()
        Message.preparedDeletions += 1
        if let conversation = conversation, !conversation.isDeleted, !isRead {
            conversation.unreadCount -= 1
        }
    }

    var rowText: String {
        return "\(sender?.displayName ?? sender?.userName ?? "?"): \(text ?? "")\(isRead ? "" : " *")"
    }
}
