import ChordataDiagram
import ChordataModel
import ChordataTestSupport
import Testing

/// The output of Graphviz 2.42.2 for `Expected/library.layout.dot` with `dot -Tplain`.
let libraryPlain = """
    graph 1 7.5486 4.8889
    node n0 3.0625 4.5 1.4444 0.77778 "" solid box black lightgrey
    node n1 3.0625 2.5833 2.3611 1.3333 "" solid box black lightgrey
    node n2 1.3125 0.52778 2.625 1.0556 "" solid box black lightgrey
    node n3 4.8125 0.52778 1.3333 0.41667 "" solid box black lightgrey
    node n4 5.9653 4.5 3.1667 0.77778 "" solid box black lightgrey
    edge n0 n1 4 3.0625 4.1084 3.0625 3.864 3.0625 3.5393 3.0625 3.2535 r0 3.1597 3.6806 solid black
    edge n1 n1 7 4.2464 2.7856 4.582 2.7772 4.8403 2.7098 4.8403 2.5833 4.8403 2.4569 4.582 2.3895 4.2464 \
    2.3811 r2_____________ 5.5486 2.5833 solid black
    edge n1 n2 4 2.4943 1.9111 2.2568 1.6359 1.9847 1.3206 1.7616 1.062 r1________________ 3.0347 1.4861 \
    solid black
    edge n1 n3 7 3.712 1.9117 3.8173 1.7994 3.9236 1.6825 4.0208 1.5694 4.2602 1.2911 4.5157 0.95053 4.6697 \
    0.73983 r3____ 4.4306 1.4861 solid black
    edge n2 n2 7 2.629 0.70289 2.9675 0.69175 3.2222 0.63338 3.2222 0.52778 3.2222 0.42217 2.9675 0.3638 \
    2.629 0.35266 r4_____ 3.5556 0.52778 solid black
    stop
    """

struct GraphvizTests {
    @Test func boxesAndLinesAreWhereGraphvizPutThem() throws {
        let layout = try #require(layOut(makeLibrary(), graphvizPlain: libraryPlain))
        expectEqual(layout.boxes.map(\.entityName), ["Item", "Book", "Person", "Shelf", "note"])
        #expect(layout.boxes[0].y + layout.boxes[0].height < layout.boxes[1].y)
        expectEqual(layout.edges.count, 5)
        for edge in layout.edges {
            guard case .curve(let points) = edge.path else {
                Issue.record("not a curve")
                continue
            }
            let box = layout.boxes[edge.ends.source]
            #expect(
                [
                    points[0].x - box.x, box.x + box.width - points[0].x, points[0].y - box.y,
                    box.y + box.height - points[0].y,
                ]
                .contains { abs($0) < 0.01 }
            )
        }
        #expect(layout.edges.flatMap(\.labels).map(\.text).contains("authors ↔ books 0..9"))
    }

    @Test func textThatDoesNotFitIsRefused() throws {
        let model = try makeLibrary()
        let lines = libraryPlain.split(separator: "\n").map(String.init)
        // Each line is needed.
        for index in lines.indices {
            var fewer = lines
            fewer.remove(at: index)
            #expect(layOut(model, graphvizPlain: fewer.joined(separator: "\n")) == nil, "without \(lines[index])")
        }
        // So is each word of the first edge, and of the first node up to its size.
        let edge = try #require(lines.firstIndex { $0.hasPrefix("edge") })
        for (line, count) in [(1, 6), (edge, lines[edge].split(separator: " ").count - 2)] {
            for word in 0..<count {
                var words = lines[line].split(separator: " ").map(String.init)
                words[word] = "x"
                var changed = lines
                changed[line] = words.joined(separator: " ")
                #expect(layOut(model, graphvizPlain: changed.joined(separator: "\n")) == nil, "\(changed[line])")
            }
        }
        #expect(layOut(model, graphvizPlain: "") == nil)
        #expect(layOut(model, graphvizPlain: libraryPlain.replacing("node n1", with: "node n99")) == nil)
        #expect(layOut(model, graphvizPlain: libraryPlain.replacing("node n1", with: "node n-1")) == nil)
        #expect(layOut(model, graphvizPlain: libraryPlain.replacing("graph 1", with: "graph nan")) == nil)
        let other = try ManagedObjectModel(entities: [EntityDescription(name: "Other")])
        #expect(layOut(other, graphvizPlain: libraryPlain) == nil)
    }
}
