import CoreData
import Foundation

/// A stand-in for a view that shows an outline and follows the notifications of its context.
final class OutlineView {
    private let root: Node
    private var observer: NSObjectProtocol?
    private(set) var needsDisplay: Set<String> = []

    init(root: Node, context: NSManagedObjectContext) {
        self.root = root
        observer = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextObjectsDidChange,
            object: context,
            queue: nil
        ) { [unowned self] notification in
            let keys = [NSInsertedObjectsKey, NSUpdatedObjectsKey, NSRefreshedObjectsKey]
            for key in keys {
                let objects = notification.userInfo?[key] as? Set<NSManagedObject> ?? []
                self.needsDisplay.formUnion(objects.compactMap { ($0 as? Node)?.title })
            }
        }
    }

    func draw() {
        draw(root, level: 1)
        needsDisplay = []
    }

    private func draw(_ node: Node, level: Int) {
        print(String(repeating: "  ", count: level) + (node.title ?? ""))
        for child in node.sortedChildren { draw(child, level: level + 1) }
    }

    deinit {
        if let observer = observer { NotificationCenter.default.removeObserver(observer) }
    }
}
