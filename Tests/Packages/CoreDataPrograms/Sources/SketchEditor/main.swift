import CoreData
import Foundation

let directory = FileManager.default.temporaryDirectory
    .appendingPathComponent("SketchEditor-\(ProcessInfo.processInfo.processIdentifier)", isDirectory: true)
try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
let documentURL = directory.appendingPathComponent("Poster.sketch")

let document = try DocumentStack(url: documentURL)
let context = document.context
let undoManager = document.undoManager
let editor = Editor(document: document)
let drawing = editor.drawing

print("== New drawing")
drawing.draw()
print("error: \(document.save() ?? 0)")
editor.printMenu()

print("== Model")
print(document.model.entitiesByName.keys.sorted())
if let entity = document.model.entitiesByName["CircleShape"], let parent = entity.superentity {
    print("attributes: \(entity.attributesByName.keys.sorted())")
    print("parent: \(parent.name ?? "nil"), abstract: \(parent.isAbstract)")
    print("is a shape: \(entity.isKindOf(entity: parent)), subentities: \(parent.subentities.count)")
    let inverse = parent.relationshipsByName["drawing"]?.inverseRelationship
    print("\(inverse?.name ?? "nil") cascades: \(inverse?.deleteRule == .cascadeDeleteRule)")
}

print("== Edit")
let circle = editor.addCircle(x: 10, y: 10, radius: 5)
let label = editor.addLabel("Hello", x: 20, y: 20)
editor.perform("Move Circle") { circle.move(toX: 40, y: 10) }
editor.perform("Recolor Circle") { circle.color = "blue" }
drawing.draw()
editor.printMenu()

print("== Undo twice")
context.undo()
drawing.draw()
context.undo()
drawing.draw()
editor.printMenu()

print("== Redo")
context.redo()
drawing.draw()
editor.printMenu()

print("== Another edit")
editor.perform("Lock Circle") { circle.isLocked = true }
circle.move(toX: 0, y: 0)
drawing.draw()
editor.printMenu()

print("== Save")
print("temporary: \(circle.objectID.isTemporaryID), changes: \(context.hasChanges)")
print("error: \(document.save() ?? 0)")
print("temporary: \(circle.objectID.isTemporaryID), changes: \(context.hasChanges)")

print("== Delete and undo")
editor.perform("Delete Circle") { context.delete(circle) }
print("deleted: \(circle.isDeleted)")
drawing.draw()
undoManager.undo()
print("deleted: \(circle.isDeleted), drawing: \(circle.drawing?.name ?? "nil")")
drawing.draw()

print("== Save, then undo")
editor.perform("Unlock Circle") { circle.isLocked = false }
print("error: \(document.save() ?? 0), changes: \(context.hasChanges)")
undoManager.undo()
print("locked: \(circle.isLocked), changes: \(context.hasChanges)")
undoManager.redo()
print("locked: \(circle.isLocked), error: \(document.save() ?? 0)")

print("== Several objects in one step")
editor.perform("Align") {
    for shape in drawing.sortedShapes { shape.y = 0 }
}
drawing.draw()
undoManager.undo()
drawing.draw()

print("== Delete the drawing")
editor.perform("Delete Drawing") { context.delete(drawing) }
print("pending deletions: \(context.deletedObjects.count)")
undoManager.undo()
print("pending deletions: \(context.deletedObjects.count)")
drawing.draw()

print("== Values that are not valid")
editor.perform("Shrink") { circle.radius = 0 }
print("too small: \(document.save() == NSValidationNumberTooSmallError)")
undoManager.undo()
editor.perform("Paint") { circle.color = "No color!" }
print("pattern: \(document.save() == NSValidationStringPatternMatchingError)")
undoManager.undo()
print("error: \(document.save() ?? 0), radius: \(circle.radius), color: \(circle.color ?? "nil")")

print("== Copy and paste")
let clipboard = try Clipboard()
try clipboard.copy([drawing.sortedShapes[0]])
try clipboard.copy([circle, label])
print("snippets: \(clipboard.snippets.count)")
editor.paste(clipboard)
drawing.draw()
editor.printMenu()
undoManager.undo()
drawing.draw()
undoManager.redo()
drawing.draw()

print("== Revert")
context.rollback()
drawing.draw()
print("changes: \(context.hasChanges), can undo: \(undoManager.canUndo), can redo: \(undoManager.canRedo)")

print("== Fetch")
let shapes = NSFetchRequest<Shape>(entityName: "Shape")
print("shapes: \(try context.count(for: shapes))")
print("circles: \(try context.count(for: NSFetchRequest<CircleShape>(entityName: "CircleShape")))")
shapes.includesSubentities = false
print("shapes without subentities: \(try context.count(for: shapes))")

print("== Metadata")
document.close()
let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
    ofType: NSSQLiteStoreType,
    at: documentURL,
    options: nil
)
print("editor version: \((metadata["EditorVersion"] as? NSNumber)?.intValue ?? 0)")
print("type: \(metadata[NSStoreTypeKey] as? String ?? "nil"), has an identifier: \(metadata[NSStoreUUIDKey] != nil)")
print("compatible: \(document.model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))")

try? FileManager.default.removeItem(at: directory)
