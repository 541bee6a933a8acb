import CoreData
import Foundation

let contactsErrorDomain = "ContactsErrorDomain"
let contactHasNoNameError = 7

@objc(Person)
class Person: NSManagedObject {
    @NSManaged var birthday: Date?
    @NSManaged var favorite: NSNumber?
    @NSManaged var firstName: String?
    @NSManaged var initial: String?
    @NSManaged var lastName: String?
    @NSManaged var phone: String?
    @NSManaged var group: ContactGroup?

    class func insert(
        _ firstName: String?,
        _ lastName: String?,
        phone: String? = nil,
        into context: NSManagedObjectContext
    ) -> Person {
        guard
            let person = NSEntityDescription.insertNewObject(forEntityName: "Person", into: context) as? Person
        else { fatalError("The model has no class for Person") }
        person.firstName = firstName
        person.lastName = lastName
        person.phone = phone
        person.updateInitial()
        return person
    }

    func updateInitial() {
        let name = lastName ?? firstName ?? "#"
        initial = name.isEmpty ? "#" : String(name.prefix(1)).uppercased()
    }

    var displayName: String {
        return [firstName, lastName].compactMap { $0 }.joined(separator: " ")
    }

    // MARK: Hooks

    override func awakeFromInsert() {
        super.awakeFromInsert()
        setPrimitiveValue("#", forKey: "initial")
    }

    /// Phone numbers are stored as digits.
    override func willSave() {
        super.willSave()
        guard !isDeleted, let phone = phone else { return }
        let digits = String(phone.filter { "0123456789+".contains($0) })
        if digits != phone {
            self.phone = digits
        }
    }

    override func validateForInsert() throws {
        try super.validateForInsert()
        try validateName()
    }

    override func validateForUpdate() throws {
        try super.validateForUpdate()
        try validateName()
    }

    private func validateName() throws {
        guard displayName.isEmpty else { return }
        throw NSError(
            domain: contactsErrorDomain,
            code: contactHasNoNameError,
            userInfo: [NSLocalizedDescriptionKey: "A contact needs a name.", NSValidationObjectErrorKey: self]
        )
    }
}
