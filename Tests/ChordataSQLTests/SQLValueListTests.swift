import ChordataTestSupport
import Foundation
import Testing

@testable import ChordataSQL

struct SQLValueListTests {
    private func decode(_ data: Data) -> [SQLValue] { data.withUnsafeBytes { SQLValueList.decode($0) } }

    @Test func listsComeBack() {
        let values: [SQLValue] = [.null, .integer(.min), .real(-0.5), .text("a\0é"), .blob(Data([0, 255])), .text("")]
        expectEqual(decode(SQLValueList.encode(values)), values)
        expectEqual(decode(SQLValueList.encode([])), [])
    }

    /// Any program could have written these bytes.
    ///
    /// Overlapping values would be many times as long as their list.
    @Test func malformedValueLists() {
        let list = SQLValueList.encode([.blob(Data(repeating: 7, count: 100)), .integer(1), .integer(2)])
        var overlapping = list
        // The third value has the offset of the first.
        overlapping.replaceSubrange(12..<16, with: list[4..<8])
        expectEqual(decode(overlapping), [])
        #expect(decode(Data([255, 255, 255, 255])) == [] && decode(Data()) == [] && decode(Data([1])) == [])
    }
}
