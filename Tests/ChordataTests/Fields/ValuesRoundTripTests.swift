import ChordataTestStores
import ChordataTestSupport
import Foundation
import Testing

@_spi(Generated) @testable import Chordata

/// Extreme values of the generated types of the model 'Everything', read and written as `Values` and as objects.
struct ValuesRoundTripTests {
    /// The contents of `Values` without the object ID, as JSON, with strings for numbers that JSON cannot represent.
    private func text<Values: ManagedObjectValues>(_ values: Values) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf",
            negativeInfinity: "-inf",
            nan: "nan"
        )
        let text = String(decoding: try encoder.encode(values), as: UTF8.self)
        return text.replacing(#/"objectID":\d+/#, with: "")
    }

    /// Inserts values, reads them as values and as objects, inserts the values that were read, and reads these, too.
    private func roundTrip<Values: ManagedObjectValues>(
        _ values: [Values],
        _ container: PersistentContainer,
        _ check: (Values, Values.Object) throws -> Void
    ) throws {
        let context = container.newContext()
        var inserted = values
        for turn in 0..<2 {
            let ids = try context.insertValues(inserted)
            let all: [Values] = try context.fetchValues(
                FetchRequest<Values.Object>(entityName: Values.Object.entityName)
            )
            let byID = Dictionary(uniqueKeysWithValues: all.map { ($0.objectID, $0) })
            let read = try ids.map { try #require(byID[$0]) }
            try expectEqual(read.map(text), values.map(text), "turn \(turn)")
            for (value, id) in zip(read, ids) {
                try check(value, try context.existingObject(with: id))
                let fault = container.newContext()
                try check(value, try #require(fault.object(with: id)))
            }
            inserted = read
        }
    }

    @Test func readings() throws {
        func reading(
            _ bytes: Data,
            _ day: Date,
            _ flag: Bool?,
            _ identifier: UUID,
            _ int16: Int16?,
            _ int32: Int32,
            _ int64: Int64,
            _ link: String?,
            _ price: Decimal,
            _ ratio: Float?,
            _ raw: Data?,
            _ temperature: Double
        ) -> Reading.Values {
            Reading.Values(
                objectID: ObjectID(),
                bytes: bytes,
                day: day,
                flag: flag,
                identifier: identifier,
                int16: int16,
                int32: int32,
                int64: int64,
                link: link.flatMap { URL(string: $0) },
                price: price,
                ratio: ratio,
                _raw: raw.map { TransformableStorage($0) },
                temperature: temperature
            )
        }
        let ones = try #require(UUID(uuidString: "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF"))
        let zeros = try #require(UUID(uuidString: "00000000-0000-0000-0000-000000000000"))
        let digits = try #require(Decimal(string: "-0.12345678901234567890123456789012345678"))
        let values = [
            // Values within the bounds of the model.
            reading(Data(), Date(timeIntervalSinceReferenceDate: 0), nil, zeros, nil, -5, .min, nil, 0, nil, nil, 0),
            reading(
                Data(repeating: 0, count: 1 << 20),
                Date(timeIntervalSinceReferenceDate: 4_102_444_800),
                true,
                ones,
                .max,
                5,
                .max,
                "?q",
                .greatestFiniteMagnitude,
                .greatestFiniteMagnitude,
                Data(),
                .greatestFiniteMagnitude
            ),
            reading(
                Data([0]),
                Date(timeIntervalSinceReferenceDate: 0.000_000_1),
                false,
                ones,
                .min,
                -1,
                9_007_199_254_740_993,
                "http://[::1]/a%20b#c",
                digits,
                .leastNonzeroMagnitude,
                Data([0xFF]),
                .leastNonzeroMagnitude
            ),
            reading(
                Data([1]),
                Date(timeIntervalSinceReferenceDate: (737_057_651.669_581).nextUp),
                nil,
                zeros,
                0,
                0,
                0,
                "a/b",
                -.greatestFiniteMagnitude,
                -.infinity,
                nil,
                .infinity
            ),
        ]
        try withStorePath { path in
            try roundTrip(values, EverythingModel.definition.testContainer(at: path)) { value, object in
                #expect(object.bytes == value.bytes && object.day == value.day && object.flag == value.flag)
                #expect(object.identifier == value.identifier && object.int16 == value.int16)
                #expect(object.int32 == value.int32 && object.int64 == value.int64 && object.link == value.link)
                #expect(object.price == value.price && object.ratio == value.ratio && object.raw == value.raw)
                expectEqual(object.temperature, value.temperature)
            }
        }
    }

    @Test func composites() throws {
        func author(_ name: String, _ city: String?, _ latitude: Double, _ street: String?, _ color: Data?)
            -> Author.Values
        {
            Author.Values(
                objectID: ObjectID(),
                _address_place_city: street == nil ? nil : city,
                _address_place_latitude: street == nil || city == nil ? nil : latitude,
                _address_place_longitude: street == nil || city == nil ? nil : 1,
                _address_street: street,
                _birthplace_city: city,
                _birthplace_latitude: latitude,
                _birthplace_longitude: 0 - latitude,
                default: city,
                _favouriteColor: color.map { TransformableStorage($0) },
                name: name,
                mentor: nil
            )
        }
        AttributeTransformer<Color>(
            encode: { Data([$0.red, $0.green, $0.blue]) },
            decode: { Color(red: $0[0], green: $0[1], blue: $0[2]) }
        ).register(forName: "ColorTransformer")
        let values = [
            author("", nil, 0, nil, nil),
            author("a\(TestStore.nul)b", "", .greatestFiniteMagnitude, "", Data([0, 255, 1])),
            author("😀e\u{301}", "Ulm", .leastNonzeroMagnitude, "Straße", Data([1, 2, 3])),
        ]
        try withStorePath { path in
            try roundTrip(values, EverythingModel.definition.testContainer(at: path)) { value, object in
                #expect(Array(object.name.utf8) == Array(value.name.utf8) && object.default == value.default)
                expectEqual(object.birthplace.city, value.birthplace.city)
                expectEqual(object.birthplace.latitude, value.birthplace.latitude)
                expectEqual(object.address?.street, value.address?.street)
                expectEqual(object.address?.place?.city, value.address?.place?.city)
                expectEqual(object.favouriteColor, value.favouriteColor)
            }
        }
    }

    @Test func enumerationsAndDerivedAttributes() throws {
        func book(_ title: String, _ format: BookFormat, _ mood: Mood?, _ pages: Int32?, _ words: [String]?) throws
            -> Book.Values
        {
            Book.Values(
                objectID: ObjectID(),
                createdAt: .distantPast,
                isDeleted_: pages == nil,
                title: title,
                cover: nil,
                _format: format.rawValue,
                isbn: nil,
                _keywords: try words.map { TransformableStorage(try JSONEncoder().encode($0)) },
                _mood: mood?.rawValue,
                _pageCount: pages,
                searchTitle: title.lowercased(),
                subtitle: nil,
                shelf: nil,
                sequel: nil,
                prequel: nil
            )
        }
        let values = [
            try book("_", .hardcover, nil, nil, nil), try book("EMMA", .audio, .sad, .max, []),
            try book("ann", .paperback, .cheerful, .min, ["a\(TestStore.nul)", "😀"]),
        ]
        try withStorePath { path in
            try roundTrip(values, EverythingModel.definition.testContainer(at: path)) { value, object in
                #expect(object.title == value.title && object.format == value.format && object.mood == value.mood)
                #expect(object.pageCount == value.pageCount && object.keywords == value.keywords)
                #expect(object.searchTitle == value.title.lowercased() && object.isDeleted_ == value.isDeleted_)
            }
        }
    }
}
