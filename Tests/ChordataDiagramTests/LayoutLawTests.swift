import ChordataDiagram
import ChordataModel
import ChordataTestSupport
import Testing

/// Laws for the layout of every model, checked with random models; a failure reports the seed.
struct LayoutLawTests {
    @Test(arguments: UInt64(1)...60)
    func boxesAreApart(seed: UInt64) throws {
        let layout = layOut(try makeRandomModel(seed: seed))
        for (index, box) in layout.boxes.enumerated() {
            for other in layout.boxes.dropFirst(index + 1) {
                let isApart =
                    box.x + box.width < other.x || other.x + other.width < box.x || box.y + box.height < other.y
                    || other.y + other.height < box.y
                #expect(isApart, "\(box.entityName) and \(other.entityName)")
            }
        }
    }

    @Test(arguments: UInt64(1)...60)
    func everythingIsOnTheCanvas(seed: UInt64) throws {
        let layout = layOut(try makeRandomModel(seed: seed))
        func expectInside(_ x: Double, _ y: Double) {
            #expect(x >= 0 && y >= 0 && x <= layout.width && y <= layout.height)
        }
        for box in layout.boxes {
            expectInside(box.x, box.y)
            expectInside(box.x + box.width, box.y + box.height)
        }
        for edge in layout.edges {
            for point in edge.path.points { expectInside(point.x, point.y) }
            for label in edge.labels { expectInside(label.position.x + label.width, label.position.y) }
        }
    }

    @Test(arguments: UInt64(1)...60)
    func linesRunFromBorderToBorder(seed: UInt64) throws {
        let layout = layOut(try makeRandomModel(seed: seed))
        for edge in layout.edges {
            let first = try #require(edge.path.points.first)
            let last = try #require(edge.path.points.last)
            #expect(isOnBorder(first, of: layout.boxes[edge.ends.source]))
            #expect(isOnBorder(last, of: layout.boxes[edge.ends.target]))
        }
    }

    @Test(arguments: UInt64(1)...60)
    func linesAndNamesKeepOutOfBoxes(seed: UInt64) throws {
        let layout = layOut(try makeRandomModel(seed: seed))
        for edge in layout.edges {
            for (start, end) in zip(edge.path.points, edge.path.points.dropFirst()) {
                #expect(start.x == end.x || start.y == end.y || abs(start.x - end.x) < 0.01, "at right angles")
                let area = (min(start.x, end.x), min(start.y, end.y), max(start.x, end.x), max(start.y, end.y))
                for box in layout.boxes { #expect(!meets(box, area), "through \(box.entityName)") }
            }
            for label in edge.labels {
                let (x, y) = (label.position.x, label.position.y)
                for box in layout.boxes { #expect(!meets(box, (x, y - 5, x + label.width, y + 5)), "\(label.text)") }
            }
        }
    }

    @Test(arguments: UInt64(1)...60)
    func layoutContainsAllEntitiesAndRelationships(seed: UInt64) throws {
        let model = try makeRandomModel(seed: seed)
        let layout = layOut(model)
        expectEqual(layout.boxes.map(\.entityName), model.entities.map(\.name))
        let names = layout.edges.flatMap(\.labels).map(\.text)
        expectEqual(names.sorted(), model.entities.flatMap(\.declaredRelationships).map(\.name).sorted())
        let subentities = layout.edges.filter(\.labels.isEmpty).map { model.entities[$0.ends.target].name }
        expectEqual(subentities, model.entities.filter { $0.superentityName != nil }.map(\.name))
    }

    /// A superentity is above its subentities, whatever the relationships between them.
    @Test(arguments: UInt64(1)...60)
    func superentitiesAreAboveSubentities(seed: UInt64) throws {
        let layout = layOut(try makeRandomModel(seed: seed))
        for edge in layout.edges where edge.labels.isEmpty {
            #expect(layout.boxes[edge.ends.source].y < layout.boxes[edge.ends.target].y)
        }
    }

    @Test(arguments: UInt64(1)...10)
    func equalModelsRenderIdentically(seed: UInt64) throws {
        let first = try makeRandomModel(seed: seed)
        let second = try makeRandomModel(seed: seed)
        expectEqual(renderSVG(layOut(first)), renderSVG(layOut(second)))
        expectEqual(renderDot(first), renderDot(second))
        expectEqual(renderMermaid(first), renderMermaid(second))
    }

    @Test func entitiesWithoutRelationshipsFormAGrid() throws {
        let layout = layOut(try ManagedObjectModel(entities: (0..<80).map { EntityDescription(name: "Entity\($0)") }))
        #expect(layout.width < 1_500 && layout.height < 1_500)
    }

    @Test func relationshipsBetweenTheSameTwoAreApart() throws {
        let names = ["author", "editor", "reviewer"]
        let layout = layOut(
            try ManagedObjectModel(entities: [
                EntityDescription(
                    name: "Article",
                    relationships: names.map { RelationshipDescription(name: $0, destinationEntityName: "Person") }
                ),
                EntityDescription(name: "Person"),
            ])
        )
        let starts = Set(layout.edges.compactMap { $0.path.points.first?.x })
        expectEqual(starts.count, 3)
    }

    @Test func aThousandEntities() throws {
        let layout = layOut(try makeLargeModel(count: 1_000))
        expectEqual(layout.boxes.count, 1_000)
        #expect(renderSVG(layout).utf8.count > 100_000)
    }

    private func isOnBorder(_ point: DiagramLayout.Point, of box: DiagramLayout.Box) -> Bool {
        let distances = [point.x - box.x, box.x + box.width - point.x, point.y - box.y, box.y + box.height - point.y]
        return distances.allSatisfy { $0 > -0.01 } && distances.contains { abs($0) < 0.01 }
    }

    /// Returns whether a rectangle overlaps the inside of a box.
    private func meets(_ box: DiagramLayout.Box, _ area: (Double, Double, Double, Double)) -> Bool {
        area.0 < box.x + box.width - 0.01 && area.2 > box.x + 0.01 && area.1 < box.y + box.height - 0.01
            && area.3 > box.y + 0.01
    }
}
