import Foundation

@testable import ChordataModel
@testable import ChordataPredicate

/// Three animals: one with all values and with numbers at the limits of their ranges, one with values in the middle,
/// and one without values.
struct FuzzRows {
    let access: UntypedAccess
    let animals: [UntypedRow]

    init() {
        let access = UntypedAccess(model: FuzzModel.model)
        let empty = UntypedRow(key: 3, layout: access.layout(of: "Animal"))
        let small = Self.row(
            access.layout(of: "Animal"),
            key: 2,
            [
                "name": .string("e\u{301}cole"), "nick": .string(""), "age": .integer(-1), "rank": .integer(0),
                "chip": .integer(.min), "weight": .double(-0.0), "height": .double(0.5), "price": .decimal(0),
                "tame": .boolean(false), "born": .date(Date(timeIntervalSinceReferenceDate: -1.5)),
                "photo": .data(Data()), "mood": .string("\u{130}"), "home.street": .string("a"), "in": .string("in"),
            ]
        )
        let toys = (0..<2).map { number in
            Self.row(
                access.layout(of: "Toy"),
                key: Int64(number),
                [
                    "name": .string("toy \(number)"), "price": .decimal(Decimal(number) / 4),
                    "weight": .double(1e300 * Double(number)), "count": .integer(.max),
                ]
            )
        }
        let owner = Self.row(
            access.layout(of: "Owner"),
            key: 1,
            ["name": .string("Straße"), "years": .integer(40)],
            ["animals": [small]]
        )
        let full = Self.row(
            access.layout(of: "Dog"),
            key: 1,
            [
                "name": .string("Äffchen 😀 aaaaaaaaaaaaaaaaaaaaaaaa"), "nick": .string("a"), "age": .integer(32767),
                "rank": .integer(.init(Int32.min)), "chip": .integer(.max),
                "weight": .double(.greatestFiniteMagnitude), "height": .double(Double(Float(0.1))),
                "price": .decimal(Decimal(string: "99999999999999999999999999999999999999e89") ?? 1),
                "tame": .boolean(true), "born": .date(Date(timeIntervalSinceReferenceDate: 1e18)),
                "photo": .data(Data([0, 255])), "film": .data(Data([1])), "tags": .data(Data([2])),
                "uuid": .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))),
                "page": .url(URL(fileURLWithPath: "/a b/é")), "mood": .string("ok"), "home.street": .string("ß"),
                "home.number": .integer(7), "in": .string("x\0y"), "first": .integer(1), "breed": .string("Spitz"),
            ],
            ["owner": [owner], "friend": [small], "pups": [small, empty, small], "toys": toys]
        )
        self.access = access
        animals = [full, small, empty]
    }

    private static func row(
        _ layout: UntypedLayout,
        key: Int64,
        _ values: [String: AttributeValue],
        _ related: [String: [UntypedRow]] = [:]
    ) -> UntypedRow {
        let row = UntypedRow(key: key, layout: layout)
        for (name, value) in values {
            guard let index = layout.attributeIndexes[name.split(separator: ".").map(String.init)] else {
                preconditionFailure("'\(layout.entityName)' has no attribute '\(name)'")
            }
            row.values[index] = value
        }
        for (name, rows) in related {
            guard let index = layout.relationshipIndexes[name] else {
                preconditionFailure("'\(layout.entityName)' has no relationship '\(name)'")
            }
            row.related[index] = rows
        }
        return row
    }
}
