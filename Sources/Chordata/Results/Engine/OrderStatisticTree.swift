/// An element of an ``OrderStatisticTree``, which references its leaf, so that the tree can find its index.
protocol OrderStatisticTreeElement: AnyObject {
    /// The leaf of the element, set by the tree; `nil` if the element is not in a tree.
    var leaf: OrderStatisticTree<Self>.Node? { get set }
}

/// A list that finds the index of an element and the element at an index in O(log n), and inserts and removes elements
/// in O(log n).
///
/// It is a B+ tree whose nodes contain, for each child, the number of elements below the child and the first of them: a
/// search visits only the nodes on the path to the result. All leaves have the same depth, and every node except the
/// root is at least a quarter full. The caller determines the order: the tree does not compare elements.
final class OrderStatisticTree<Element: OrderStatisticTreeElement> {
    /// A leaf, which has elements, or an inner node, which has children.
    ///
    /// Each access to a property of a node ends before another access begins, so exclusivity does not have to be
    /// checked.
    final class Node {
        @exclusivity(unchecked) fileprivate unowned(unsafe) var parent: Node?
        @exclusivity(unchecked) fileprivate var elements: ContiguousArray<Element> = []
        @exclusivity(unchecked) fileprivate var children: ContiguousArray<Child> = []

        fileprivate var isLeaf: Bool { children.isEmpty }
        /// The number of the node's elements or children.
        fileprivate var width: Int { isLeaf ? elements.count : children.count }
        fileprivate var first: Element? { isLeaf ? elements.first : children[0].first }
    }

    /// The data that a node has about a child.
    fileprivate struct Child {
        let node: Node
        /// The number of elements below the child.
        var count: Int
        unowned(unsafe) var first: Element

        init(_ node: Node) {
            self.node = node
            count = node.isLeaf ? node.elements.count : node.children.reduce(0) { $0 + $1.count }
            first = node.isLeaf ? node.elements[0] : node.children[0].first
        }
    }

    /// The capacity of a node, in elements or children.
    private let capacity: Int
    /// The minimum number of elements or children of a node that is not the root.
    private var least: Int { max(2, capacity / 4) }
    private var root = Node()
    private(set) var count: Int

    /// Creates a tree of elements in the given order, in O(n).
    /// - Parameter capacity: The capacity of a node; at least 4.
    init(_ elements: [Element] = [], capacity: Int = 64) {
        precondition(capacity >= 4, "a node of an order-statistic tree must have a capacity of at least 4")
        self.capacity = capacity
        count = elements.count
        guard !elements.isEmpty else { return }
        var level = runs(of: elements).map { run in
            let leaf = Node()
            leaf.elements = ContiguousArray(run)
            for element in run { element.leaf = leaf }
            return leaf
        }
        while level.count > 1 {
            level = runs(of: level).map { run in
                let node = Node()
                node.children = ContiguousArray(run.map { Child($0) })
                for child in run { child.parent = node }
                return node
            }
        }
        root = level[0]
    }

    /// Divides items into equally long runs that leave space for insertions.
    private func runs<Item>(of items: [Item]) -> [ArraySlice<Item>] {
        let most = capacity - capacity / 4
        let number = (items.count + most - 1) / most
        return (0..<number).map { items[items.count * $0 / number..<items.count * ($0 + 1) / number] }
    }

    // MARK: Places

    var isEmpty: Bool { count == 0 }
    var first: Element? { root.first }
    var last: Element? {
        var node = root
        while let child = node.children.last { node = child.node }
        return node.elements.last
    }

    subscript(place: Int) -> Element {
        precondition(place >= 0 && place < count, "index \(place) is out of range; the tree has \(count) elements")
        var node = root
        var place = place
        while !node.isLeaf {
            var index = 0
            while place >= node.children[index].count {
                place -= node.children[index].count
                index += 1
            }
            node = node.children[index].node
        }
        return node.elements[place]
    }

    /// Returns the index of an element of this tree.
    func place(of element: Element) -> Int {
        guard var node = element.leaf, var place = node.elements.firstIndex(where: { $0 === element }) else {
            preconditionFailure("the element is not in a tree")
        }
        while let parent = node.parent {
            for index in 0..<index(of: node, in: parent) { place += parent.children[index].count }
            node = parent
        }
        precondition(node === root, "the element is in another tree")
        return place
    }

    /// Returns the index of the first element that meets a condition, which all later elements also meet; the count if
    /// no element meets it.
    func firstPlace(where condition: (Element) -> Bool) -> Int {
        var node = root
        var place = 0
        while !node.isLeaf {
            // The loop finds the first child that begins after the index, which is in the previous child or at its end.
            var low = 1
            var high = node.children.count
            while low < high {
                let middle = (low + high) / 2
                if condition(node.children[middle].first) { high = middle } else { low = middle + 1 }
            }
            for index in 0..<low - 1 { place += node.children[index].count }
            node = node.children[low - 1].node
        }
        var low = 0
        var high = node.elements.count
        while low < high {
            let middle = (low + high) / 2
            if condition(node.elements[middle]) { high = middle } else { low = middle + 1 }
        }
        return place + low
    }

    /// Calls a closure for each element in order.
    func forEach(_ body: (Element) throws -> Void) rethrows { try Self.forEach(root, body) }

    private static func forEach(_ node: Node, _ body: (Element) throws -> Void) rethrows {
        for element in node.elements { try body(element) }
        for child in node.children { try forEach(child.node, body) }
    }

    // MARK: Changes

    /// Inserts an element that is not in a tree.
    func insert(_ element: Element, at place: Int) {
        precondition(place >= 0 && place <= count, "index \(place) is out of range; the tree has \(count) elements")
        precondition(element.leaf == nil, "the element is in a tree")
        count += 1
        var node = root
        var rest = place
        while !node.isLeaf {
            // The element is inserted at the end of one child, rather than at the beginning of the next child.
            var index = 0
            while rest > node.children[index].count {
                rest -= node.children[index].count
                index += 1
            }
            node.children[index].count += 1
            if place == 0 { node.children[index].first = element }
            node = node.children[index].node
        }
        node.elements.insert(element, at: rest)
        element.leaf = node
        while node.width > capacity { node = split(node) }
    }

    /// Moves half of a node to a new node after it.
    /// - Returns: The parent, which may now be too wide.
    private func split(_ node: Node) -> Node {
        if node.parent == nil {
            let parent = Node()
            parent.children = [Child(node)]
            node.parent = parent
            root = parent
        }
        guard let parent = node.parent else { preconditionFailure("a node that is split must have a parent") }
        let sibling = Node()
        sibling.parent = parent
        move(node.width / 2, fromEndOf: node, to: sibling)
        let index = index(of: node, in: parent)
        parent.children[index] = Child(node)
        parent.children.insert(Child(sibling), at: index + 1)
        return parent
    }

    /// Removes an element.
    func remove(_ element: Element) {
        guard let leaf = element.leaf, let index = leaf.elements.firstIndex(where: { $0 === element }) else {
            preconditionFailure("the element is not in a tree")
        }
        count -= 1
        leaf.elements.remove(at: index)
        element.leaf = nil
        var node = leaf
        while let parent = node.parent {
            let index = self.index(of: node, in: parent)
            parent.children[index].count -= 1
            if parent.children[index].first === element, let first = node.first { parent.children[index].first = first }
            node = parent
        }
        var narrow = leaf
        while narrow.width < least, let parent = narrow.parent {
            widen(narrow, in: parent)
            narrow = parent
        }
        // An inner root with one child is replaced by that child.
        while root.children.count == 1 {
            root = root.children[0].node
            root.parent = nil
        }
    }

    /// Joins a node with its neighbour, or moves some of the neighbour's elements or children to it.
    private func widen(_ node: Node, in parent: Node) {
        let index = index(of: node, in: parent)
        let (leftIndex, rightIndex) = (max(index - 1, 0), max(index, 1))
        let (left, right) = (parent.children[leftIndex].node, parent.children[rightIndex].node)
        let width = left.width + right.width
        if width <= capacity - capacity / 4 {
            move(right.width, fromStartOf: right, to: left)
            parent.children.remove(at: rightIndex)
        } else {
            if left === node {
                move(width / 2 - node.width, fromStartOf: right, to: left)
            } else {
                move(width / 2 - node.width, fromEndOf: left, to: right)
            }
            parent.children[rightIndex] = Child(right)
        }
        parent.children[leftIndex] = Child(left)
    }

    private func index(of node: Node, in parent: Node) -> Int {
        guard let index = parent.children.firstIndex(where: { $0.node === node }) else {
            preconditionFailure("a node is not in its parent")
        }
        return index
    }

    /// Moves elements at the end of a node to the start of the next node.
    private func move(_ number: Int, fromEndOf node: Node, to next: Node) {
        if node.isLeaf {
            let moved = node.elements.suffix(number)
            for element in moved { element.leaf = next }
            next.elements.insert(contentsOf: moved, at: 0)
            node.elements.removeLast(number)
        } else {
            let moved = node.children.suffix(number)
            for child in moved { child.node.parent = next }
            next.children.insert(contentsOf: moved, at: 0)
            node.children.removeLast(number)
        }
    }

    /// Moves elements at the start of a node to the end of the previous node.
    private func move(_ number: Int, fromStartOf node: Node, to previous: Node) {
        if node.isLeaf {
            let moved = node.elements.prefix(number)
            for element in moved { element.leaf = previous }
            previous.elements.append(contentsOf: moved)
            node.elements.removeFirst(number)
        } else {
            let moved = node.children.prefix(number)
            for child in moved { child.node.parent = previous }
            previous.children.append(contentsOf: moved)
            node.children.removeFirst(number)
        }
    }

    // MARK: Tests

    /// Traps if the tree is inconsistent.
    func _checkInvariants() {
        precondition(root.parent == nil, "the root has a parent")
        precondition(root.children.count != 1, "an inner root has one child")
        var depths: Set<Int> = []
        precondition(check(root, depth: 0, &depths) == count, "the count of the tree is wrong")
        precondition(depths.count == 1, "leaves are not equally deep")
    }

    /// - Returns: The number of elements below a node.
    private func check(_ node: Node, depth: Int, _ depths: inout Set<Int>) -> Int {
        precondition(node.elements.isEmpty || node.children.isEmpty, "a node has elements and children")
        precondition(node.width <= capacity, "a node is too wide")
        precondition(node === root || node.width >= least, "a node is too narrow")
        if node.isLeaf { depths.insert(depth) }
        for element in node.elements { precondition(element.leaf === node, "an element is in another leaf") }
        return node.children.reduce(node.elements.count) { count, child in
            precondition(child.node.parent === node, "a child has another parent")
            precondition(child.count == check(child.node, depth: depth + 1, &depths), "the count of a node is wrong")
            precondition(child.first === child.node.first, "a child begins with another element")
            return count + child.count
        }
    }

    deinit {
        // An element that outlives the tree must not retain a node.
        forEach { $0.leaf = nil }
    }
}
