import CoreData
import Foundation

struct OutlineError {
    static let domain = "OutlineErrorDomain"
    static let cycle = 1
}

@objc(Node)
class Node: NSManagedObject {
    convenience init(_ title: String, context: NSManagedObjectContext) {
        self.init(context: context)
        self.title = title
    }

    // MARK: Hooks

    override func awakeFromInsert() {
        super.awakeFromInsert()
        createdAt = Date(timeIntervalSinceReferenceDate: 550_000_000)
    }

    override func validateForUpdate() throws {
        try super.validateForUpdate()
        guard changedValues()["parent"] != nil else { return }
        var ancestor = parent
        while let node = ancestor {
            if node === self {
                let info = [NSLocalizedDescriptionKey: "'\(title ?? "")' cannot be inside itself."]
                throw NSError(domain: OutlineError.domain, code: OutlineError.cycle, userInfo: info)
            }
            ancestor = node.parent
        }
    }

    // MARK: Children

    var sortedChildren: [Node] {
        return children?.array as? [Node] ?? []
    }

    var indexInParent: Int? {
        let index = parent?.children?.index(of: self) ?? NSNotFound
        return index == NSNotFound ? nil : index
    }

    /// The node and all nodes below it, in the order of the outline.
    var branch: [Node] {
        return [self] + sortedChildren.flatMap { $0.branch }
    }

    /// Makes the node the last child of its previous sibling.
    func indent() {
        guard let parent = parent, let index = indexInParent, index > 0 else { return }
        parent.sortedChildren[index - 1].addToChildren(self)
    }

    /// Makes the node the next sibling of its parent.
    func outdent() {
        guard let parent = parent, let grandparent = parent.parent, let index = parent.indexInParent else { return }
        grandparent.insertIntoChildren(self, at: index + 1)
    }

    func moveToTop() {
        guard let parent = parent, let index = indexInParent else { return }
        parent.removeFromChildren(at: index)
        parent.insertIntoChildren(self, at: 0)
    }

    /// Inserts a copy of the node and of all nodes below it.
    func duplicate() -> Node? {
        guard let context = managedObjectContext, let parent = parent, let index = indexInParent else { return nil }
        let copy = deepCopy(in: context)
        copy.title = "Copy of \(title ?? "")"
        parent.insertIntoChildren(copy, at: index + 1)
        return copy
    }

    private func deepCopy(in context: NSManagedObjectContext) -> Node {
        let copy = Node(context: context)
        let keys = Array(entity.attributesByName.keys)
        copy.setValuesForKeys(dictionaryWithValues(forKeys: keys))
        for child in sortedChildren { copy.addToChildren(child.deepCopy(in: context)) }
        return copy
    }
}
