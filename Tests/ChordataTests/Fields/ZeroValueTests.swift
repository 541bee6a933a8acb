import ChordataTestSupport
import Foundation
import Testing

@testable @_spi(Generated) import Chordata

/// Values of required properties whose row was deleted before it was read.
struct ZeroValueTests {
    enum State: String, Codable { case draft, sent }
    enum Rank: Int16, Codable { case high = 3, low = 1 }
    enum Only: String, Codable { case one }
    enum Listed: String, CaseIterable, Codable {
        static let allCases: [Listed] = [.second, .first]
        case first, second
    }
    /// A type that is not an enumeration and does not accept the zero of its raw type.
    struct Code: RawRepresentable {
        let rawValue: String
        init?(rawValue: String) {
            guard !rawValue.isEmpty else { return nil }
            self.rawValue = rawValue
        }
    }
    struct Plan: Codable, Equatable {
        var name: String
        var count: UInt8
        var ratio: Float
        var isOn: Bool
        var state: State
        var days: [Date]
        var start: Date
        var id: UUID
        var page: URL
        var price: Decimal
        var bytes: Data
        var notes: [String: Int]
        var next: [Plan]
        var place: Place
        var hint: String?
    }
    struct Place: Codable, Equatable { var latitude, longitude: Double }
    final class Loop: Codable, Sendable { let inner: Loop }
    struct Refusing: Codable { init(from _: any Decoder) throws { throw CancellationError() } }

    @Test func enumerations() {
        expectEqual(FieldConversion.value("", "state"), State.draft)
        expectEqual(FieldConversion.value(Int16(0), "rank"), Rank.high)
        expectEqual(FieldConversion.value("", "only"), Only.one)
        expectEqual(FieldConversion.value("", "listed"), Listed.second)
        #expect(zeroValue(of: Code.self) == nil)
    }

    @Test func transformables() throws {
        var encoded = TransformableStorage(Data())
        let plan: Plan = FieldConversion.value(&encoded, "plan")
        #expect(plan.state == .draft && plan.next.isEmpty && plan.place == Place(latitude: 0, longitude: 0))
        #expect(plan.start == Date(timeIntervalSinceReferenceDate: 0) && plan.price == 0 && plan.hint == nil)
        encoded = TransformableStorage(Data())
        #expect(FieldConversion.value(&encoded, "words") as [String] == [])
        encoded = TransformableStorage(Data())
        #expect(FieldConversion.value(&encoded, "table") as [String: [Int]] == [:])
        #expect(zeroValue(of: Loop.self) == nil)
        #expect(zeroValue(of: Refusing.self) == nil)
    }
}
