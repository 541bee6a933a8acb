import Chordata
import ChordataModel
import ChordataSQL
import ChordataTestSupport
import Testing

@testable import ChordataMigration

/// Compares the conversion of numbers in SQL with Swift's own conversions.
struct ValueConversionTests {
    /// The result of a conversion in SQL, and whether the SQL reports that the value does not fit.
    private struct Converted {
        var value: SQLValue
        var isMisfit: Bool
    }

    private func convert(_ values: [SQLValue], from old: AttributeType, to new: AttributeType) throws -> [Converted] {
        let conversion = try #require(ValueConversion(from: old, to: new))
        let connection = try ScratchDatabase().connection
        let type = if case .integer = values[0] { "INTEGER" } else { "REAL" }
        try connection.execute("CREATE TABLE \"t\" (\"_id\" INTEGER PRIMARY KEY, \"v\" \(type)) STRICT; BEGIN")
        for value in values { try connection.run("INSERT INTO \"t\" (\"v\") VALUES (?)", [value]) }
        let isMisfit = conversion.misfit.map { renderCondition(.isMisfit("v", $0)) } ?? "0"
        let rows = try connection.rows(
            "SELECT \(renderValue(conversion.value(of: "v"))), \(isMisfit) FROM \"t\" ORDER BY \"_id\""
        )
        return rows.map { Converted(value: $0[0], isMisfit: $0[1] == .integer(1)) }
    }

    /// Returns doubles of all sizes, and edge cases.
    private static func doubles(count: Int, _ random: inout SeededGenerator) -> [Double] {
        var values: [Double] = [
            0, -0.0, .infinity, .greatestFiniteMagnitude, .leastNormalMagnitude, .leastNonzeroMagnitude, 1e300,
            Double(Float.greatestFiniteMagnitude), Double(Float.leastNormalMagnitude), 0x1.ffffffp127,
            Double(Float.leastNonzeroMagnitude), Double(Float.leastNonzeroMagnitude) / 2, 0x1p128,
        ]
        while values.count < count {
            let any = Double(bitPattern: random.next())
            let float = Float(bitPattern: UInt32(truncatingIfNeeded: random.next()))
            // Floats with fewer bits.
            let small = Double(random.next() >> 40) * Double(Float.leastNonzeroMagnitude) / 2
            // Halfway between two floats.
            let tie = Double(float) + Double(float.ulp) / 2
            values += [any, Double(float), tie, small, Double(random.next() >> 11) * 0x1p-53]
        }
        values = values.filter { !$0.isNaN }
        return values.flatMap { [$0, -$0, $0.nextUp, $0.nextDown] }.filter { !$0.isNaN }
    }

    @Test func doublesBecomeTheNearestFloats() throws {
        var random = SeededGenerator(seed: 20_250_101)
        let values = Self.doubles(count: 30_000, &random)
        #expect(values.count > 100_000)
        let converted = try convert(values.map { .real($0) }, from: .double, to: .float)
        var wrong: [String] = []
        for (value, converted) in zip(values, converted) {
            let float = Float(value)
            let isMisfit = value.isFinite && float.isInfinite
            if converted.isMisfit != isMisfit {
                wrong.append("\(value) \(isMisfit ? "does not fit" : "fits")")
            } else if !isMisfit, converted.value != .real(Double(float)) {
                wrong.append("\(value) is \(converted.value), not \(Double(float))")
            }
        }
        let count = wrong.count
        expectEqual(count, 0, "\(wrong.prefix(10))")
    }

    @Test func integersBecomeTheNearestFloats() throws {
        var random = SeededGenerator(seed: 20_250_102)
        let edges: [Int64] = [
            0, 1 << 24, 1 << 24 + 1, 1 << 53, 1 << 53 + 1, .max, .min, .max - (1 << 38), 1 << 62 + 1 << 38 + 1,
        ]
        let values =
            edges.flatMap { [$0, $0 == .min ? $0 : -$0] }
            + (0..<20_000).map { _ in Int64(bitPattern: random.next()) >> random.below(60) }
        let converted = try convert(values.map { .integer($0) }, from: .integer64, to: .float)
        let wrong = zip(values, converted).filter { $1.isMisfit || $1.value != .real(Double(Float($0))) }
        let count = wrong.count
        expectEqual(count, 0, "\(wrong.prefix(10))")
        let doubles = try convert(values.map { .integer($0) }, from: .integer64, to: .double)
        #expect(zip(values, doubles).allSatisfy { !$1.isMisfit && $1.value == .real(Double($0)) })
    }

    /// Tests the limits, and the nearest values on both sides.
    @Test func outOfRangeValuesAreDetectedAtTheLimits() throws {
        func check<T: FixedWidthInteger>(_ type: AttributeType, _: T.Type) throws {
            let limits: [Double] = [Double(T.min), Double(T.max), Double(T.max) + 1, Double(T.min) - 1]
            var values: [Double] = [0, 0.9, -0.9, 1e300, -1e300, .infinity, -.infinity, .leastNonzeroMagnitude]
            for limit in limits {
                values += [limit, limit.nextUp, limit.nextDown]
                for distance in [-1, -0.5, 0.5, 1] { values.append(limit + distance) }
            }
            for old: AttributeType in [.double, .float] {
                for (value, converted) in zip(values, try convert(values.map { .real($0) }, from: old, to: type)) {
                    let integer = T(exactly: value.rounded(.towardZero))
                    expectEqual(converted.isMisfit, integer == nil, "\(value) to \(type)")
                    if let integer { expectEqual(converted.value, .integer(Int64(integer)), "\(value) to \(type)") }
                }
            }
        }
        try check(.integer16, Int16.self)
        try check(.integer32, Int32.self)
        try check(.integer64, Int64.self)
        func checkIntegers<T: FixedWidthInteger>(from old: AttributeType, to type: AttributeType, _: T.Type) throws {
            let values: [Int64] = [
                Int64(T.min), Int64(T.max), Int64(T.min) - 1, Int64(T.max) + 1, 0, 1, -1, Int64(Int32.max), .min, .max,
            ]
            for (value, converted) in zip(values, try convert(values.map { .integer($0) }, from: old, to: type)) {
                expectEqual(converted.isMisfit, T(exactly: value) == nil, "\(value) to \(type)")
                expectEqual(converted.value, .integer(value))
            }
        }
        try checkIntegers(from: .integer64, to: .integer16, Int16.self)
        try checkIntegers(from: .integer32, to: .integer16, Int16.self)
        try checkIntegers(from: .integer64, to: .integer32, Int32.self)
    }

    /// Booleans are converted as numbers: NO to 0 and YES to 1.
    ///
    /// In the other direction, 0 becomes NO and every other value becomes YES.
    @Test func booleansAreNumbers() throws {
        let booleans: [SQLValue] = [.integer(0), .integer(1)]
        for type: AttributeType in [.integer16, .integer32, .integer64] {
            expectEqual(try convert(booleans, from: .boolean, to: type).map(\.value), booleans)
            let values: [SQLValue] = [0, 1, -1, 2, 32_767].map { .integer($0) }
            let converted = try convert(values, from: type, to: .boolean)
            expectEqual(converted.map(\.value), [0, 1, 1, 1, 1].map { .integer($0) })
            #expect(converted.allSatisfy { !$0.isMisfit })
        }
        for type: AttributeType in [.double, .float] {
            expectEqual(try convert(booleans, from: .boolean, to: type).map(\.value), [.real(0), .real(1)])
            let values: [SQLValue] = [0, -0.0, 0.25, -1, .infinity, .leastNonzeroMagnitude].map { .real($0) }
            let converted = try convert(values, from: type, to: .boolean)
            expectEqual(converted.map(\.value), [0, 0, 1, 1, 1, 1].map { .integer($0) })
            #expect(converted.allSatisfy { !$0.isMisfit })
        }
        expectEqual(try convert(booleans, from: .boolean, to: .decimal).map(\.value), [.text("0"), .text("1")])
        #expect(ValueConversion(from: .boolean, to: .string) == nil)
        #expect(ValueConversion(from: .boolean, to: .date) == nil)
    }
}
