import ChordataTestSupport
import Testing

@testable import Chordata

struct KeyIndexTests {
    @Test(arguments: [1, 2, 64, 1_024, 1 << 32] as [Int64])
    func keysAreFound(stride: Int64) {
        let count = 5_000
        var index = KeyIndex(capacity: count)
        let keys = (0..<Int64(count)).map { ($0 - 2_500) &* stride }
        expectEqual(keys.filter { index.append($0) }, keys)
        for (position, key) in keys.enumerated() {
            expectEqual(index[key], position)
            let isNew = index.append(key)
            #expect(!isNew)
        }
        #expect(index[.max] == nil && index[2_500 &* stride] == nil)
        expectEqual(index.keys, keys)
    }

    @Test func nothing() {
        let index = KeyIndex(capacity: 0)
        #expect(index[0] == nil && index[1] == nil && index.keys.isEmpty)
    }
}
