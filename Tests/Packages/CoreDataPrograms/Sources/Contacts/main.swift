import CoreData
import Foundation

let directory = FileManager.default.temporaryDirectory
    .appendingPathComponent("Contacts-\(ProcessInfo.processInfo.processIdentifier)", isDirectory: true)
try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)

let stack = CoreDataStack(directory: directory)
let mainContext = stack.mainContext

func fetchPerson(_ firstName: String, in context: NSManagedObjectContext) throws -> Person {
    let request = NSFetchRequest<Person>(entityName: "Person")
    request.predicate = NSPredicate(format: "%K == %@", #keyPath(Person.firstName), firstName)
    guard let person = try context.fetch(request).first else { fatalError("There is no \(firstName)") }
    return person
}

print("== First contacts")
let friends = try ContactGroup.named("Friends", in: mainContext)
let colleagues = try ContactGroup.named("Work", in: mainContext)
let ada = Person.insert("Ada", "Adams", phone: "555-0101", into: mainContext)
let ben = Person.insert("Ben", "adams", phone: "+1 555 0102", into: mainContext)
let cleo = Person.insert("Cleo", "Baker", into: mainContext)
_ = Person.insert("Dan", "Chen", into: mainContext)
friends.add(ada)
colleagues.add(cleo)
print("group of Ada: \(ada.group?.name ?? "none")")
print("Friends again: \(try ContactGroup.named("Friends", in: mainContext) === friends)")
stack.saveMainContext()
print("phone: \(ada.phone ?? ""), changes: \(mainContext.hasChanges)")

let contacts = ContactsViewController(managedObjectContext: mainContext)
contacts.viewDidLoad()

print("== Cleo has another name")
cleo.lastName = "Chen"
cleo.updateInitial()
stack.saveMainContext()
contacts.tableView.draw()

print("== Values by key")
ben.setValue(NSNumber(value: true), forKey: "favorite")
ben.setValue("5550202", forKey: "phone")
let byKey = ben.dictionaryWithValues(forKeys: ["firstName", "phone"])
print("\(byKey["firstName"] as? String ?? "nil"), \(byKey["phone"] as? String ?? "nil")")
print("birthday is nil: \(ben.value(forKey: "birthday") == nil)")
print("group of Cleo: \(cleo.value(forKeyPath: "group.name") as? String ?? "nil")")
stack.saveMainContext()
print("favorite: \(ben.favorite?.boolValue ?? false), phone: \(ben.phone ?? "")")

print("== A contact from the background")
let worker = stack.newWorkerContext()
worker.perform {
    _ = Person.insert("Eva", "Brown", phone: "555-0105", into: worker)
    do {
        try worker.save()
    } catch {
        fatalError("Cannot save: \(error)")
    }
}
waitOnMainRunLoop { contacts.fetchedResultsController.fetchedObjects?.count == 5 }
contacts.tableView.draw()

print("== A contact without a name")
let editor = stack.newWorkerContext()
editor.performAndWait {
    let person = Person.insert(nil, nil, into: editor)
    print("initial: \(person.initial ?? "nil")")
    do {
        try editor.save()
    } catch let error as NSError {
        let object = error.userInfo[NSValidationObjectErrorKey] as? Person
        print("\(error.domain) \(error.code), object: \(object === person)")
    }
    // Calls of the same queue may be nested.
    editor.performAndWait {
        editor.delete(person)
    }
    editor.processPendingChanges()
    print("changes: \(editor.hasChanges), inserted: \(editor.insertedObjects.count)")
}

print("== The group Work cannot be deleted")
editor.performAndWait {
    do {
        let group = try ContactGroup.named("Work", in: editor)
        editor.delete(group)
        do {
            try editor.save()
        } catch let error as NSError {
            print("denied: \(error.code == NSValidationRelationshipDeniedDeleteError), code \(error.code)")
            print("key: \(error.userInfo[NSValidationKeyErrorKey] as? String ?? "nil")")
        }
        let member = try fetchPerson("Cleo", in: editor)
        member.group = nil
        try editor.save()
        print("deleted")
    } catch {
        fatalError("Unexpected error: \(error)")
    }
}
waitOnMainRunLoop { cleo.group == nil }
contacts.tableView.draw()

print("== Two edits of one contact")
let first = stack.newWorkerContext()
let second = stack.newWorkerContext()
let adaID = ada.objectID
var secondAda: Person?
second.performAndWait {
    secondAda = second.object(with: adaID) as? Person
    print("fault: \(secondAda?.isFault ?? false)")
    print("name: \(secondAda?.firstName ?? "nil"), fault: \(secondAda?.isFault ?? true)")
}
first.performAndWait {
    let firstAda = first.object(with: adaID) as? Person
    firstAda?.phone = "555-9999"
    do {
        try first.save()
    } catch {
        fatalError("Unexpected error: \(error)")
    }
}
waitOnMainRunLoop { ada.phone == "5559999" }
second.performAndWait {
    secondAda?.firstName = "Adele"
    do {
        try second.save()
        print("saved")
    } catch let error as NSError {
        let conflicts = error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict] ?? []
        print("merge error: \(error.code == NSManagedObjectMergeError), conflicts: \(conflicts.count)")
        print("source: \(conflicts.first?.sourceObject === secondAda)")
        print("edit is kept: \(secondAda?.firstName ?? "nil")")
    }
    second.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
    do {
        try second.save()
    } catch {
        fatalError("Unexpected error: \(error)")
    }
    print("merged: \(secondAda?.firstName ?? "nil") \(secondAda?.phone ?? "nil")")
}
waitOnMainRunLoop { ada.firstName == "Adele" }
contacts.tableView.draw()

print("== Delete")
mainContext.delete(ben)
stack.saveMainContext()
contacts.tableView.draw()
let count = try mainContext.count(for: NSFetchRequest<NSFetchRequestResult>(entityName: "Person"))
print("\(count) contacts")

try? FileManager.default.removeItem(at: directory)
