import ChordataModel
import ChordataPredicate
import Foundation

@testable import NaivePredicates

/// A dog with an owner, two ordered pups, and three toys, one of which has neither a price nor a count.
struct Farm {
    let rex: UntypedRow
    private let access = UntypedAccess(model: NaiveModel.model)

    init() {
        let access = access
        func make(_ entityName: String, _ key: Int64, _ values: [String: AttributeValue]) -> UntypedRow {
            let row = UntypedRow(key: key, layout: access.layout(of: entityName))
            for (name, value) in values {
                guard let index = row.layout.attributeIndexes[name.split(separator: ".").map(String.init)] else {
                    preconditionFailure("'\(entityName)' has no attribute '\(name)'")
                }
                row.values[index] = value
            }
            return row
        }
        func relate(_ row: UntypedRow, _ name: String, _ others: [UntypedRow]) {
            guard let index = row.layout.relationshipIndexes[name] else {
                preconditionFailure("'\(row.layout.entityName)' has no relationship '\(name)'")
            }
            row.related[index] = others
        }
        rex = make(
            "Dog",
            1,
            [
                "name": .string("Rex"), "age": .integer(5), "weight": .double(2.5), "tame": .boolean(true),
                "price": .decimal(Decimal(string: "9.99") ?? 0),
                "born": .date(Date(timeIntervalSinceReferenceDate: 1000)), "home.street": .string("Kennel Way"),
                "height": .double(Double(Float(0.1))), "chip": .integer(.max),
            ]
        )
        let bo = make("Animal", 2, ["name": .string("Bo"), "age": .integer(1)])
        let ada = make("Animal", 3, ["name": .string("Ada"), "nick": .string("e\u{301}"), "age": .integer(2)])
        let ann = make("Owner", 1, ["name": .string("Ann"), "years": .integer(40)])
        let ulm = make("City", 1, ["name": .string("Ulm")])
        let shop = make("Shop", 1, ["name": .string("Pets"), "rank": .integer(3)])
        let toys = [
            make(
                "Toy",
                1,
                ["name": .string("Ball"), "price": .decimal(5), "count": .integer(2), "weight": .double(0.1)]
            ),
            make(
                "Toy",
                2,
                ["name": .string("Bone"), "price": .decimal(5), "count": .integer(3), "weight": .double(0.2)]
            ),
            make("Toy", 3, ["name": .string("Rope")]),
        ]
        relate(rex, "pups", [bo, ada])
        relate(rex, "toys", toys)
        relate(rex, "owner", [ann])
        relate(ann, "animals", [rex])
        relate(ann, "city", [ulm])
        relate(toys[0], "shop", [shop])
        relate(bo, "friend", [ada])
    }

    /// Returns whether `rex` satisfies a predicate.
    func isMet(_ format: String, _ arguments: (any PredicateArgument)?...) throws -> Bool {
        let predicate = try FetchPredicate(format: format, argumentArray: arguments)
        return try isMet(predicate)
    }

    func isMet(_ predicate: FetchPredicate) throws -> Bool {
        try makeEvaluator(predicate.bind(to: "Animal", in: NaiveModel.model), access: access)(rex)
    }

    /// Returns the value of an expression for `rex`.
    func value(_ format: String, now: Date = Date()) throws -> AttributeValue? {
        let bound = try FetchExpression(format: format).bind(to: "Animal", in: NaiveModel.model, now: now)
        return try makeReader(bound.expression, access: access)(rex)
    }

    /// Returns the error of an invalid predicate.
    func mistake(_ format: String, _ arguments: (any PredicateArgument)?...) -> FetchPredicateError? {
        do throws(FetchPredicateError) {
            _ = try FetchPredicate(format: format, argumentArray: arguments).bind(to: "Animal", in: NaiveModel.model)
            return nil
        } catch {
            return error
        }
    }
}
