import CoreData
import Foundation

@objc(Drawing)
class Drawing: NSManagedObject {
    @NSManaged var name: String?
    @NSManaged var shapes: NSSet?

    var sortedShapes: [Shape] {
        let descriptors = [NSSortDescriptor(key: "zIndex", ascending: true)]
        return shapes?.sortedArray(using: descriptors) as? [Shape] ?? []
    }

    func draw() {
        let texts = sortedShapes.map { $0.summary }
        print("  \(name ?? ""): \(texts.joined(separator: ", "))")
    }
}

@objc(Shape)
class Shape: NSManagedObject {
    @NSManaged var color: String?
    @NSManaged var isLocked: Bool
    @NSManaged var x: Double
    @NSManaged var y: Double
    @NSManaged var zIndex: Int16
    @NSManaged var drawing: Drawing?

    var title: String { return "shape" }

    var summary: String {
        return "\(title) \(color ?? "") (\(Int(x)), \(Int(y)))\(isLocked ? " locked" : "")"
    }

    func move(toX x: Double, y: Double) {
        guard !isLocked else { return }
        self.x = x
        self.y = y
    }
}

@objc(CircleShape)
class CircleShape: Shape {
    @NSManaged var radius: Double

    override var title: String { return "circle" }
}

@objc(RectangleShape)
class RectangleShape: Shape {
    @NSManaged var width: Double
    @NSManaged var height: Double

    override var title: String { return "rectangle" }
}

@objc(LabelShape)
class LabelShape: Shape {
    @NSManaged var text: String?

    override var title: String { return "label '\(text ?? "")'" }
}
