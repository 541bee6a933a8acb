import Checks
import Chordata
import Foundation

// Three entities in one hierarchy: Employee inherits from Contact, and Contact inherits from Person.

try withTemporaryFolder { folder in
    let path = folder.appending(path: "people.sqlite").path
    let boss: ManagedObjectID
    do {
        let container = try AddressBookModel.container(at: path)
        let context = container.newContext()
        let ada = Person(context: context, firstName: "Ada", surName: "Lovelace")
        ada.age = 36
        let grace = Contact(context: context, firstName: "Grace", surName: "Hopper")
        grace.email = "grace@example.org"
        let alan = Employee(context: context, firstName: "Alan", surName: "Turing")
        let joan = Employee(context: context, firstName: "Joan", surName: "Clarke")
        joan.manager = alan
        joan.salary = Decimal(string: "1234.50")
        checkEqual(alan.reports, [joan])
        try context.save()
        boss = alan.objectID
    }
    let container = try AddressBookModel.container(at: path)
    let context = container.newContext()
    let everybody = try context.fetch(Person.fetchRequest().sorted(by: \.surName).sorted(by: \.firstName))
    checkEqual(everybody.map(\.firstName), ["Joan", "Grace", "Ada", "Alan"])
    checkEqual(everybody.map { "\(type(of: $0))" }, ["Employee", "Contact", "Person", "Employee"])
    checkEqual(everybody[2].age, 36)
    checkEqual((everybody[1] as? Contact)?.email, "grace@example.org")
    var exactly = Person.fetchRequest()
    exactly.includesSubentities = false
    checkEqual(try context.count(for: exactly), 1)
    checkEqual(try context.count(for: Contact.fetchRequest()), 3)

    let employees = try context.fetch(
        Employee.fetchRequest().where(format: "manager.surName == %@ AND salary > %@", "Turing", Decimal(1000))
    )
    checkEqual(employees.map(\.firstName), ["Joan"])
    checkEqual(employees[0].salary, Decimal(string: "1234.5"))
    check(employees[0] === everybody[0], "one object per row")
    checkEqual(employees[0].manager?.objectID, boss)
    checkEqual(employees[0].manager?.reports, [employees[0]])
    let rows: [Employee.Values] = try context.fetchValues(Employee.fetchRequest().sorted(by: \Employee.firstName))
    checkEqual(rows.map(\.firstName), ["Alan", "Joan"])
    checkEqual(rows[1].manager?.key, boss.key)
    print("AddressBook: \(everybody.map { "\($0.firstName) \($0.surName)" }.joined(separator: ", "))")
}
