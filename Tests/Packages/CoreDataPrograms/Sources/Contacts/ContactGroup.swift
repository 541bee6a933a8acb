import CoreData
import Foundation

@objc(ContactGroup)
class ContactGroup: NSManagedObject {
    @NSManaged var name: String?
    @NSManaged var members: NSSet?

    class func named(_ name: String, in context: NSManagedObjectContext) throws -> ContactGroup {
        let request = NSFetchRequest<NSFetchRequestResult>(entityName: "ContactGroup")
        request.predicate = NSPredicate(format: "%K == %@", #keyPath(ContactGroup.name), name)
        request.fetchLimit = 1
        if let group = try context.fetch(request).first as? ContactGroup { return group }
        guard let entity = NSEntityDescription.entity(forEntityName: "ContactGroup", in: context) else {
            fatalError("The model has no entity ContactGroup")
        }
        let group = ContactGroup(entity: entity, insertInto: context)
        group.name = name
        return group
    }

    func add(_ person: Person) {
        mutableSetValue(forKey: "members").add(person)
    }

    func remove(_ person: Person) {
        mutableSetValue(forKey: "members").remove(person)
    }
}
