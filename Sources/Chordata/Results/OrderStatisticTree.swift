/// What stands in an ``OrderStatisticTree``: it knows the leaf that holds it, which is how its place is found.
protocol OrderStatisticTreeElement: AnyObject {
    /// Kept by the tree; `nil` while the element is in none.
    var leaf: OrderStatisticTree<Self>.Node? { get set }
}

/// A list that says where an element stands, and which element stands at a place, in O(log n); so it inserts and removes.
///
/// A B+ tree whose nodes count the elements below them. All leaves are equally deep, and every node but the root has at least a quarter of
/// the children that it has room for. The order is whatever the caller inserts by: the tree compares nothing.
final class OrderStatisticTree<Element: OrderStatisticTreeElement> {
    /// A leaf, which has elements, or an inner node, which has children.
    final class Node {
        fileprivate unowned(unsafe) var parent: Node?
        fileprivate var elements: ContiguousArray<Element> = []
        fileprivate var children: ContiguousArray<Node> = []
        fileprivate var count = 0

        fileprivate var isLeaf: Bool { children.isEmpty }
        /// How many elements or children there are, whichever the node has.
        fileprivate var width: Int { isLeaf ? elements.count : children.count }
        fileprivate var first: Element? {
            var node = self
            while let child = node.children.first { node = child }
            return node.elements.first
        }
    }

    /// How many elements or children a node has room for.
    private let capacity: Int
    /// How many it has at least, unless it is the root.
    private var least: Int { max(2, capacity / 4) }
    private var root = Node()

    /// Creates a tree of elements in their order, in O(n).
    /// - Parameter capacity: At least 4.
    init(_ elements: [Element] = [], capacity: Int = 64) {
        precondition(capacity >= 4, "a node of an order-statistic tree has room for 4 at least")
        self.capacity = capacity
        guard !elements.isEmpty else { return }
        var level = runs(of: elements).map { run in
            let leaf = Node()
            leaf.elements = ContiguousArray(run)
            leaf.count = run.count
            for element in run { element.leaf = leaf }
            return leaf
        }
        while level.count > 1 {
            level = runs(of: level).map { run in
                let node = Node()
                node.children = ContiguousArray(run)
                for child in run {
                    child.parent = node
                    node.count += child.count
                }
                return node
            }
        }
        root = level[0]
    }

    /// Equally long runs that leave room for more.
    private func runs<Item>(of items: [Item]) -> [ArraySlice<Item>] {
        let most = capacity - capacity / 4
        let number = (items.count + most - 1) / most
        return (0..<number).map { items[items.count * $0 / number..<items.count * ($0 + 1) / number] }
    }

    // MARK: Places

    var count: Int { root.count }
    var isEmpty: Bool { root.count == 0 }
    var first: Element? { root.first }
    var last: Element? {
        var node = root
        while let child = node.children.last { node = child }
        return node.elements.last
    }

    subscript(place: Int) -> Element {
        precondition(place >= 0 && place < count, "place \(place) of \(count)")
        var node = root
        var place = place
        while !node.isLeaf {
            for child in node.children {
                if place < child.count {
                    node = child
                    break
                }
                place -= child.count
            }
        }
        return node.elements[place]
    }

    /// The place of an element of this tree.
    func place(of element: Element) -> Int {
        guard var node = element.leaf, var place = node.elements.firstIndex(where: { $0 === element }) else {
            preconditionFailure("the element is in no tree")
        }
        while let parent = node.parent {
            for sibling in parent.children {
                if sibling === node { break }
                place += sibling.count
            }
            node = parent
        }
        precondition(node === root, "the element is in another tree")
        return place
    }

    /// The place of the first element for which a condition holds that holds for all after it; the count when there is none.
    func firstPlace(where condition: (Element) -> Bool) -> Int {
        var node = root
        var place = 0
        while !node.isLeaf {
            // The first child that begins behind the place; the place is in the one before it, or at that one's end.
            var low = 1
            var high = node.children.count
            while low < high {
                let middle = (low + high) / 2
                if node.children[middle].first.map(condition) ?? true { high = middle } else { low = middle + 1 }
            }
            for child in node.children[..<(low - 1)] { place += child.count }
            node = node.children[low - 1]
        }
        var low = 0
        var high = node.elements.count
        while low < high {
            let middle = (low + high) / 2
            if condition(node.elements[middle]) { high = middle } else { low = middle + 1 }
        }
        return place + low
    }

    /// Calls for each element in order.
    func forEach(_ body: (Element) throws -> Void) rethrows { try Self.forEach(root, body) }

    private static func forEach(_ node: Node, _ body: (Element) throws -> Void) rethrows {
        for element in node.elements { try body(element) }
        for child in node.children { try forEach(child, body) }
    }

    // MARK: Changes

    /// Inserts an element that is in no tree.
    func insert(_ element: Element, at place: Int) {
        precondition(place >= 0 && place <= count, "place \(place) of \(count)")
        precondition(element.leaf == nil, "the element is in a tree")
        var node = root
        var place = place
        while !node.isLeaf {
            node.count += 1
            // At the end of one child, rather than at the beginning of the next one.
            for child in node.children {
                if place <= child.count {
                    node = child
                    break
                }
                place -= child.count
            }
        }
        node.count += 1
        node.elements.insert(element, at: place)
        element.leaf = node
        while node.width > capacity { node = split(node) }
    }

    /// Moves half of a node into a new one behind it.
    /// - Returns: The parent, which may be too wide now.
    private func split(_ node: Node) -> Node {
        let sibling = Node()
        let parent: Node
        if let known = node.parent {
            parent = known
        } else {
            parent = Node()
            parent.children = [node]
            parent.count = node.count
            node.parent = parent
            root = parent
        }
        sibling.parent = parent
        move(node.width / 2, fromEndOf: node, to: sibling)
        parent.children.insert(sibling, at: index(of: node, in: parent) + 1)
        return parent
    }

    /// Removes an element.
    func remove(_ element: Element) {
        guard let leaf = element.leaf, let index = leaf.elements.firstIndex(where: { $0 === element }) else {
            preconditionFailure("the element is in no tree")
        }
        leaf.elements.remove(at: index)
        element.leaf = nil
        var node: Node? = leaf
        while let current = node {
            current.count -= 1
            node = current.parent
        }
        var narrow = leaf
        while narrow.width < least, let parent = narrow.parent {
            widen(narrow, in: parent)
            narrow = parent
        }
        // What is left of an inner root that has one child is that child.
        while root.children.count == 1 {
            root = root.children[0]
            root.parent = nil
        }
    }

    /// Joins a node with its neighbour, or takes some of what that has.
    private func widen(_ node: Node, in parent: Node) {
        let index = index(of: node, in: parent)
        let left = parent.children[max(index - 1, 0)]
        let right = parent.children[max(index, 1)]
        let width = left.width + right.width
        if width <= capacity - capacity / 4 {
            move(right.width, fromStartOf: right, to: left)
            parent.children.remove(at: max(index, 1))
        } else if left === node {
            move(width / 2 - node.width, fromStartOf: right, to: left)
        } else {
            move(width / 2 - node.width, fromEndOf: left, to: right)
        }
    }

    private func index(of node: Node, in parent: Node) -> Int {
        guard let index = parent.children.firstIndex(where: { $0 === node }) else {
            preconditionFailure("a node is not in its parent")
        }
        return index
    }

    /// Moves what stands at the end of a node to the start of the one behind it.
    private func move(_ number: Int, fromEndOf node: Node, to next: Node) {
        if node.isLeaf {
            let moved = node.elements.suffix(number)
            adopt(moved, by: next, from: node)
            next.elements.insert(contentsOf: moved, at: 0)
            node.elements.removeLast(number)
        } else {
            let moved = node.children.suffix(number)
            adopt(moved, by: next, from: node)
            next.children.insert(contentsOf: moved, at: 0)
            node.children.removeLast(number)
        }
    }

    /// Moves what stands at the start of a node to the end of the one before it.
    private func move(_ number: Int, fromStartOf node: Node, to previous: Node) {
        if node.isLeaf {
            let moved = node.elements.prefix(number)
            adopt(moved, by: previous, from: node)
            previous.elements.append(contentsOf: moved)
            node.elements.removeFirst(number)
        } else {
            let moved = node.children.prefix(number)
            adopt(moved, by: previous, from: node)
            previous.children.append(contentsOf: moved)
            node.children.removeFirst(number)
        }
    }

    private func adopt(_ elements: ArraySlice<Element>, by node: Node, from other: Node) {
        for element in elements { element.leaf = node }
        node.count += elements.count
        other.count -= elements.count
    }

    private func adopt(_ children: ArraySlice<Node>, by node: Node, from other: Node) {
        for child in children {
            child.parent = node
            node.count += child.count
            other.count -= child.count
        }
    }

    // MARK: Tests

    /// Traps where the tree is not what it says it is.
    func _checkInvariants() {
        precondition(root.parent == nil, "the root has a parent")
        precondition(root.isLeaf || root.children.count > 1, "an inner root has one child")
        var depths: Set<Int> = []
        check(root, depth: 0, &depths)
        precondition(depths.count == 1, "leaves are not equally deep")
    }

    private func check(_ node: Node, depth: Int, _ depths: inout Set<Int>) {
        precondition(node.elements.isEmpty || node.children.isEmpty, "a node has elements and children")
        precondition(node.width <= capacity, "a node is too wide")
        precondition(node === root || node.width >= least, "a node is too narrow")
        precondition(
            node.count == node.elements.count + node.children.reduce(0) { $0 + $1.count },
            "a node miscounts"
        )
        if node.isLeaf { depths.insert(depth) }
        for element in node.elements { precondition(element.leaf === node, "an element is in another leaf") }
        for child in node.children {
            precondition(child.parent === node, "a child has another parent")
            check(child, depth: depth + 1, &depths)
        }
    }

    deinit {
        // Who keeps an element keeps no node.
        forEach { $0.leaf = nil }
    }
}
