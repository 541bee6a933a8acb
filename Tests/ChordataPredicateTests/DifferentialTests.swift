import ChordataModel
import ChordataPredicate
import ChordataTestSupport
import Foundation
import Testing

@testable import NaivePredicates

/// Compares the compiled closures for random predicates and random rows with an evaluator that shares no code with
/// them.
///
/// A pair is a predicate and random objects; the predicate is evaluated for a dozen of them. `CHORDATA_PREDICATE_PAIRS`
/// is the number of pairs, and `CHORDATA_SEED` is the first seed.
@Suite struct DifferentialTests {
    @Test func compiledClosuresAgreeWithTheNaiveEvaluator() throws {
        let wantedCount = setting("CHORDATA_PREDICATE_PAIRS", small: 400)
        var seed = setting("CHORDATA_SEED", small: UInt64(1))
        print("seed \(seed), \(wantedCount) pairs of a predicate and random objects")
        var pairCount = 0
        var answerCount = 0
        var metCount = 0
        var differenceCount = 0
        while pairCount < wantedCount, differenceCount < 20 {
            let randomObjects = UntypedObjects(
                RandomObjects(seed: seed, model: NaiveModel.model, isShared: seed.isMultiple(of: 2))
            )
            var random = RandomPredicate(seed: seed, model: NaiveModel.model)
            let naive = NaiveEvaluator(model: NaiveModel.model)
            for _ in 0..<20 where pairCount < wantedCount {
                pairCount += 1
                let predicate = FetchPredicate(random.next())
                let text = predicate.description
                let isMet: (UntypedRow) throws -> Bool
                do {
                    let again = try FetchPredicate(format: text)
                    #expect(again == predicate && again.description == text, "seed \(seed): \(text)")
                    let bound = try predicate.bind(to: "Animal", in: NaiveModel.model)
                    expectEqual(try again.bind(to: "Animal", in: NaiveModel.model), bound, "seed \(seed): \(text)")
                    isMet = makeEvaluator(bound, access: randomObjects.access)
                } catch {
                    differenceCount += 1
                    Issue.record("seed \(seed): \(error)\n\(text)")
                    continue
                }
                for (object, row) in randomObjects.animals {
                    answerCount += 1
                    let expected = naive.isMet(predicate.node, by: object)
                    let answer = try isMet(row)
                    if expected { metCount += 1 }
                    if answer != expected {
                        differenceCount += 1
                        Issue.record("seed \(seed), key \(object.key): \(answer) instead of \(expected)\n\(text)")
                        break
                    }
                }
            }
            seed += 1
        }
        expectEqual(differenceCount, 0)
        #expect(metCount > answerCount / 10 && metCount < answerCount * 9 / 10)
    }
}

/// Random objects as untyped rows.
private struct UntypedObjects {
    let access = UntypedAccess(model: NaiveModel.model)
    private(set) var animals: [(NaiveObject, UntypedRow)] = []
    private var rows: [ObjectIdentifier: UntypedRow] = [:]

    init(_ randomObjects: RandomObjects) {
        for object in randomObjects.animals { animals.append((object, row(of: object))) }
    }

    private mutating func row(of object: NaiveObject) -> UntypedRow {
        if let known = rows[ObjectIdentifier(object)] { return known }
        let layout = access.layout(of: object.entityName)
        let row = UntypedRow(key: object.key, layout: layout)
        rows[ObjectIdentifier(object)] = row
        for (path, index) in layout.attributeIndexes { row.values[index] = object.values[path.joined(separator: ".")] }
        for (name, index) in layout.relationshipIndexes {
            let related = object.toMany[name] ?? (object.toOne[name].map { [$0] } ?? [])
            row.related[index] = related.map { self.row(of: $0) }
        }
        return row
    }
}
