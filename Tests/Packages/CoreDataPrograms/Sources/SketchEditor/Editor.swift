import CoreData
import Foundation

/// The commands of the editor, each of which is one undo step.
class Editor {
    let document: DocumentStack
    let drawing: Drawing

    private var context: NSManagedObjectContext { return document.context }
    private var undoManager: UndoManager { return document.undoManager }

    init(document: DocumentStack) {
        self.document = document
        // The user cannot undo the insertion of the first drawing.
        document.undoManager.disableUndoRegistration()
        guard
            let drawing = NSEntityDescription.insertNewObject(forEntityName: "Drawing", into: document.context)
                as? Drawing,
            let background = NSEntityDescription.insertNewObject(
                forEntityName: "RectangleShape",
                into: document.context
            ) as? RectangleShape
        else { fatalError("The model has no class for a drawing") }
        background.color = "white"
        background.width = 100
        background.height = 50
        background.drawing = drawing
        document.context.processPendingChanges()
        document.undoManager.enableUndoRegistration()
        self.drawing = drawing
    }

    func perform(_ actionName: String, _ change: () -> Void) {
        undoManager.beginUndoGrouping()
        change()
        context.processPendingChanges()
        undoManager.setActionName(actionName)
        undoManager.endUndoGrouping()
    }

    func addCircle(x: Double, y: Double, radius: Double) -> CircleShape {
        let circle = CircleShape(entity: entity("CircleShape"), insertInto: nil)
        perform("Add Circle") {
            context.insert(circle)
            circle.color = "red"
            circle.x = x
            circle.y = y
            circle.radius = radius
            circle.zIndex = nextIndex()
            circle.drawing = drawing
        }
        return circle
    }

    func addLabel(_ text: String, x: Double, y: Double) -> LabelShape {
        let label = LabelShape(entity: entity("LabelShape"), insertInto: nil)
        perform("Add Label") {
            context.insert(label)
            label.text = text
            label.x = x
            label.y = y
            label.zIndex = nextIndex()
            label.drawing = drawing
        }
        return label
    }

    func paste(_ clipboard: Clipboard) {
        perform("Paste") {
            for snippet in clipboard.snippets {
                guard let name = snippet.value(forKey: "entityName") as? String else { continue }
                let shape = NSEntityDescription.insertNewObject(forEntityName: name, into: context)
                shape.setValue(snippet.value(forKey: "color"), forKey: "color")
                for key in ["x", "y"] {
                    let value = (snippet.value(forKey: key) as? NSNumber)?.doubleValue ?? 0
                    shape.setValue(NSNumber(value: value + 10), forKey: key)
                }
                if shape.entity.attributesByName["text"] != nil {
                    shape.setValue(snippet.value(forKey: "text"), forKey: "text")
                }
                shape.setValue(NSNumber(value: nextIndex()), forKey: "zIndex")
                shape.setValue(drawing, forKey: "drawing")
            }
        }
    }

    func printMenu() {
        let undo = undoManager.canUndo ? undoManager.undoActionName : "-"
        let redo = undoManager.canRedo ? undoManager.redoActionName : "-"
        print("  undo: \(undo), redo: \(redo)")
    }

    private func nextIndex() -> Int16 {
        return (drawing.sortedShapes.last?.zIndex ?? -1) + 1
    }

    private func entity(_ name: String) -> NSEntityDescription {
        guard let entity = NSEntityDescription.entity(forEntityName: name, in: context) else {
            fatalError("The model has no entity \(name)")
        }
        return entity
    }
}
