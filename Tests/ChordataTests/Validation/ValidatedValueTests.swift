import Chordata
import ChordataTestStores
import ChordataTestSupport
import Foundation
import Testing

// Hooks that record the values that they are given. They refuse no value.

extension Reading: ValidatePropertyHook {
    func validateProperty(_ key: PropertyKey, value: Any?) throws { HookLog.current?.values[key.name] = .some(value) }
}

extension Author: ValidatePropertyHook {
    func validateProperty(_ key: PropertyKey, value: Any?) throws { HookLog.current?.values[key.name] = .some(value) }
}

extension Book: ValidatePropertyHook {
    func validateProperty(_ key: PropertyKey, value: Any?) throws { HookLog.current?.values[key.name] = .some(value) }
}

/// A hook gets each value in the type of the property, regardless of the type in which the value was given.
struct ValidatedValueTests {
    private func expectSame(_ object: ManagedObject, _ given: Any?, forKey key: String) throws {
        try HookLog.withLog { log in
            try object.validateValue(given, forKey: key)
            let seen = try #require(log.values[key], "the hook of '\(key)' was not called")
            object.setValue(given, forKey: key)
            let kept = object.value(forKey: key)
            expectEqual(describe(seen), describe(kept), "'\(key)' for \(String(describing: given))")
        }
    }

    private func describe(_ value: Any?) -> String {
        guard let value else { return "nil" }
        if let elements = value as? [String: Any?] {
            return elements.sorted { $0.key < $1.key }.map { "\($0.key): \(describe($0.value))" }.joined(
                separator: ", "
            )
        }
        return "\(type(of: value)) \(value)"
    }

    @Test func attributes() throws {
        let context = try EverythingModel.definition.testContainer(at: ":memory:").newContext()
        let reading = Reading(context: context)
        let (day, identifier) = (Date(timeIntervalSinceReferenceDate: 1), UUID())
        let values: [(String, [Any?])] = [
            ("bytes", [Data([1, 2])]), ("day", [day]), ("flag", [true, nil]), ("identifier", [identifier]),
            ("int16", [7, Int8(7), UInt64(7), Int16(7), nil]), ("int32", [3, Int8(3), Int64(3), Int32(3)]),
            ("int64", [3, UInt8(3), Int32(3), Int64(3)]), ("link", [URL(string: "https://a.example"), nil]),
            ("price", [3, 0.25, Float(0.5), Decimal(7)]), ("ratio", [1, 0.5, Float(0.5), nil]),
            ("raw", [Data([3]), nil]), ("temperature", [4, Float(0.5), 1.5]),
        ]
        for (key, values) in values {
            for value in values { try expectSame(reading, value, forKey: key) }
        }
        try HookLog.withLog { log in
            try reading.validateValue(7, forKey: "int16")
            try reading.validateValue(3, forKey: "int32")
            try reading.validateValue(3, forKey: "price")
            #expect(log.values["int16"] as? Int16 == 7)
            #expect(log.values["int32"] as? Int32 == 3)
            #expect(log.values["price"] as? Decimal == 3)
        }
    }

    @Test func composites() throws {
        let context = try EverythingModel.definition.testContainer(at: ":memory:").newContext()
        let author = Author(context: context)
        let names = (author.value(forKey: "birthplace") as? [String: Any?])?.keys.sorted() ?? []
        #expect(!names.isEmpty)
        var given: [String: Any?] = [:]
        for name in names {
            // Each element accepts one of these values, but no value has the type of the element.
            for value: Any in [7, "text", Date(timeIntervalSinceReferenceDate: 0)] {
                do {
                    try author.validateValue(value, forKey: "birthplace." + name)
                    given[name] = value
                    break
                } catch {
                    let refusal: any Error = error
                    #expect(refusal is ValidationError)
                }
            }
        }
        try expectSame(author, given, forKey: "birthplace")
        try expectSame(author, nil, forKey: "address")
    }

    @Test func relationshipsAndExternalBytes() throws {
        let context = try EverythingModel.definition.testContainer(at: ":memory:").newContext()
        let book = Book(context: context)
        let (chapters, tags) = (
            (0..<3).map { _ in Chapter(context: context) }, (0..<2).map { _ in Tag(context: context) }
        )
        try expectSame(book, chapters, forKey: "chapters")
        try expectSame(book, Set(tags.prefix(1)), forKey: "tags")
        try expectSame(book, nil, forKey: "chapters")
        try expectSame(book, Book(context: context), forKey: "sequel")
        try expectSame(book, Data([1, 2, 3]), forKey: "cover")
        try expectSame(book, 2, forKey: "format")
        try HookLog.withLog { log in
            try book.validateValue(tags, forKey: "tags")
            #expect(log.values["tags"] as? Set<Tag> == Set(tags))
        }
    }
}
