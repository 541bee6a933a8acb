import CoreData
import Foundation

let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("Outline-\(ProcessInfo.processInfo.processIdentifier)", isDirectory: true)
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)

let store = OutlineStore(url: folder.appendingPathComponent("Outline.sqlite"))
let context = store.viewContext

// MARK: A document

let document = Document(context: context)
document.name = "Plans"
let root = Node("Trip", context: context)
document.root = root
let packing = Node("Packing", context: context)
let route = Node("Route", context: context)
let budget = Node("Budget", context: context)
root.addToChildren(NSOrderedSet(array: [packing, route, budget]))
let socks = Node("Socks", context: context)
for node in [socks, Node("Passport", context: context), Node("Charger", context: context)] {
    packing.addToChildren(node)
}
let coast = Node("Coast", context: context)
coast.parent = route
Node("Hills", context: context).parent = route
try context.save()

let view = OutlineView(root: root, context: context)
print("== Outline of \(root.document?.name ?? "no document")")
view.draw()

print("== Move Budget to the top")
budget.moveToTop()
context.processPendingChanges()
print("needs display: \(view.needsDisplay.contains("Trip"))")
view.draw()

print("== Indent and outdent Route")
route.indent()
print("parent: \(route.parent?.title ?? "nil"), siblings: \(packing.children?.count ?? 0)")
print("in root: \(root.children?.count ?? 0)")
view.draw()
route.outdent()
print("parent: \(route.parent?.title ?? "nil"), index: \(route.indexInParent ?? -1)")
try context.save()
print("stored: \(store.storedChildren(of: root.objectID))")

print("== Reorder Packing")
let ordered = packing.mutableOrderedSetValue(forKey: "children")
ordered.moveObjects(at: IndexSet(integer: 2), to: 0)
print(packing.sortedChildren.map { $0.title ?? "" })
packing.replaceChildren(at: 1, with: Node("Wool socks", context: context))
print(packing.sortedChildren.map { $0.title ?? "" })
print("Socks has a parent: \(socks.parent != nil)")
print("stored: \(store.storedChildren(of: packing.objectID))")
let orphans = NSPredicate(format: "parent == nil AND document == nil")
print("orphans: \(try store.nodes(matching: orphans))")
context.delete(socks)
try context.save()
print("stored: \(store.storedChildren(of: packing.objectID))")
print("orphans: \(try store.nodes(matching: orphans))")

print("== Sort Packing")
let descriptor = NSSortDescriptor(key: "title", ascending: true)
packing.children = packing.children.map { NSOrderedSet(array: $0.sortedArray(using: [descriptor])) }
try context.save()
print("stored: \(store.storedChildren(of: packing.objectID))")

print("== Duplicate Route")
let copy = route.duplicate()
try context.save()
view.draw()
print("nodes of the copy: \(copy?.branch.count ?? 0), created: \(copy?.createdAt == route.createdAt)")

print("== Delete Packing")
let branch = packing.branch
context.delete(packing)
context.processPendingChanges()
print("pending deletions: \(context.deletedObjects.count), all of the branch: \(branch.allSatisfy { $0.isDeleted })")
context.rollback()
print("after rollback: \(packing.sortedChildren.count) children, index \(packing.indexInParent ?? -1)")
context.delete(packing)
try context.save()
view.draw()

print("== A cycle")
route.parent = coast
do {
    try context.save()
    print("saved")
} catch let error as NSError {
    print("\(error.domain) \(error.code): \(error.localizedDescription)")
}
context.rollback()
print("parent of Route: \(route.parent?.title ?? "nil"), children of Coast: \(coast.children?.count ?? 0)")

print("== Edit in a child context")
let child = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
child.parent = context
let editedRoute = child.object(with: route.objectID) as? Node
editedRoute?.title = "Road"
print("child: \(child.hasChanges), parent: \(context.hasChanges), title: \(route.title ?? "")")
child.rollback()
print("child: \(child.hasChanges), title: \(editedRoute?.title ?? "")")
editedRoute?.title = "Itinerary"
let extra = Node("Island", context: child)
editedRoute?.insertIntoChildren(extra, at: 0)
try child.save()
print("child: \(child.hasChanges), parent: \(context.hasChanges), title: \(route.title ?? "")")
print("children: \(route.sortedChildren.map { $0.title ?? "" })")
print("stored: \(store.storedChildren(of: route.objectID))")
try context.save()
print("stored: \(store.storedChildren(of: route.objectID))")

print("== Merge while editing")
route.title = "Way"
store.changeInBackground(route.objectID) { $0.isExpanded = true }
print("expanded: \(route.isExpanded)")
context.refresh(route, mergeChanges: true)
print("expanded: \(route.isExpanded), title: \(route.title ?? ""), changed: \(route.changedValues().keys.sorted())")
try context.save()
print("changes: \(context.hasChanges)")

print("== Faults")
context.reset()
guard let reopened = try store.document(named: "Plans") else { fatalError("The document is missing") }
print("document: \(reopened.isFault)")
guard let trip = reopened.root else { fatalError("The document has no root") }
print("document: \(reopened.isFault), root: \(trip.isFault)")
print("title: \(trip.title ?? ""), root: \(trip.isFault)")
print("children are a fault: \(trip.hasFault(forRelationshipNamed: "children"))")
let children = trip.sortedChildren
print("children are a fault: \(trip.hasFault(forRelationshipNamed: "children")), \(children.count) children")
print("first: \(children[0].isFault), \(children[0].title ?? ""), \(children[0].isFault)")
context.refreshAllObjects()
print("root: \(trip.isFault), same object: \(try store.document(named: "Plans") === reopened)")

print("== Search")
print("leaves: \(try store.nodes(matching: NSPredicate(format: "children.@count == 0")))")
print("with a coast: \(try store.nodes(matching: NSPredicate(format: "ANY children.title == %@", "Coast")))")
print("below Trip: \(try store.nodes(matching: NSPredicate(format: "parent.title ==[c] %@", "trip")))")
print("two levels: \(try store.nodes(matching: NSPredicate(format: "parent.parent == %@", trip)))")

print("== Delete the document")
context.delete(reopened)
try context.save()
print("nodes: \(try context.count(for: NSFetchRequest<NSFetchRequestResult>(entityName: "Node")))")

try? FileManager.default.removeItem(at: folder)
