import ChordataTestSupport
import Testing

@testable import Chordata

private final class Item: OrderStatisticTreeElement {
    let number: Int
    unowned(unsafe) var leaf: OrderStatisticTree<Item>.Node?
    init(_ number: Int) { self.number = number }
}

struct OrderStatisticTreeTests {
    /// A tree, and an array with the elements that the tree should have.
    private struct Pair {
        let tree: OrderStatisticTree<Item>
        var array: [Item]

        init(count: Int, capacity: Int = 4) {
            array = (0..<count).map { Item($0) }
            tree = OrderStatisticTree(array, capacity: capacity)
        }

        mutating func insert(at place: Int) {
            let item = Item(1_000 + array.count)
            tree.insert(item, at: place)
            array.insert(item, at: place)
        }

        mutating func remove(at place: Int) { tree.remove(array.remove(at: place)) }

        var isRight: Bool {
            tree._checkInvariants()
            var found: [Item] = []
            tree.forEach { found.append($0) }
            guard found.count == array.count, tree.count == array.count, tree.isEmpty == array.isEmpty else {
                return false
            }
            guard tree.first === array.first, tree.last === array.last else { return false }
            for (place, item) in array.enumerated() {
                guard found[place] === item, tree[place] === item, tree.place(of: item) == place else { return false }
            }
            return true
        }
    }

    /// A step: an insertion at an index, or the removal of the element at an index.
    private enum Step {
        case insert(Int)
        case remove(Int)
    }

    /// Every sequence of steps for every size, with one step less unless `CHORDATA_TREE_STEPS` is 1.
    @Test(arguments: [(0, 6), (1, 5), (3, 4), (4, 4), (5, 4), (9, 3), (13, 3), (17, 3), (28, 2), (60, 2), (200, 1)])
    func everySmallSequence(count: Int, mostSteps: Int) {
        let depth = max(1, mostSteps - 1 + setting("CHORDATA_TREE_STEPS", small: 0))
        func checkSequences(_ steps: [Step], size: Int) {
            if steps.count == depth {
                var pair = Pair(count: count)
                for step in steps {
                    switch step {
                    case .insert(let place): pair.insert(at: place)
                    case .remove(let place): pair.remove(at: place)
                    }
                }
                #expect(pair.isRight, "\(count): \(steps)")
                return
            }
            for place in 0...size { checkSequences(steps + [.insert(place)], size: size + 1) }
            for place in 0..<size { checkSequences(steps + [.remove(place)], size: size - 1) }
        }
        checkSequences([], size: count)
    }

    /// Trees that grow to many levels and then shrink until they are empty, for each capacity that splits differently.
    @Test(arguments: [4, 5, 6, 7, 8, 64]) func growingAndShrinking(capacity: Int) {
        var random = SeededGenerator(seed: UInt64(capacity))
        for ends in [[0, 1], [0], [1], []] as [[Int]] {
            var pair = Pair(count: 0, capacity: capacity)
            func place(_ size: Int) -> Int {
                ends.randomElement(using: &random).map { $0 * size } ?? .random(in: 0...size, using: &random)
            }
            for step in 0..<600 {
                pair.insert(at: place(pair.array.count))
                if step % 50 == 0 { #expect(pair.isRight, "capacity \(capacity), \(ends), step \(step)") }
            }
            #expect(pair.isRight)
            for step in 0..<600 {
                pair.remove(at: min(place(pair.array.count), pair.array.count - 1))
                if step % 50 == 0 { #expect(pair.isRight, "capacity \(capacity), \(ends), step \(step)") }
            }
            #expect(pair.isRight && pair.tree.isEmpty)
        }
    }

    @Test(arguments: 0...130) func treesOfEverySize(count: Int) {
        for capacity in [4, 7, 64] {
            let pair = Pair(count: count, capacity: capacity)
            #expect(pair.isRight)
            for bound in [-1, 0, 1, count / 3, count / 2, count - 1, count] {
                expectEqual(pair.tree.firstPlace { $0.number > bound }, min(max(bound + 1, 0), count))
            }
        }
    }

    /// An element that was removed from a tree, or outlives it, can be inserted into another tree.
    @Test func elementsOutliveTrees() {
        let items = (0..<100).map { Item($0) }
        do {
            let tree = OrderStatisticTree(items)
            tree.remove(items[50])
            #expect(items[50].leaf == nil && tree.count == 99)
        }
        #expect(items.allSatisfy { $0.leaf == nil })
        expectEqual(OrderStatisticTree(items).place(of: items[70]), 70)
    }
}
