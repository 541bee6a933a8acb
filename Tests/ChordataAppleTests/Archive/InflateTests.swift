import ChordataTestSupport
import Foundation
import Testing

@testable import ChordataApple

/// Decompresses texts that zlib compressed in each of the three block types.
struct InflateTests {
    private static let fixed = "S80rySypVAhILSrOz9NRSCwpKcpMKi1JVchLzE21VkiFSZfgkRvVOqp1VOuoVmprBQA="
    private static let dynamic = """
        JZHJAcQwCANboQRzGEz/je0o+zIJAgZxzK1szdviWrbVWpc9Nz/HPHiryKJYJGji8r61jEJPNboq3ld2Y+1OW6Nr3uF7+P/IL7pt9aXQDx3caeXq6UFz\
        T00pjbua2wJokQxE/koMEMYRhYs4zlrkKYs6DhkV0YpG/56yiy5VkfQXNORJvyw6p2bkMC0fc3MhqANLiaoSvipIq2Gu0bZa4x72ua6FUxuTsaud7yha\
        /vUhS5XjJhV9qe2hSz/6zbkyh4phps1l7gwEs7A8Wf8Cvle6RcP8HvSrPVAQQYmbbLnvfLeSWSe+uI4MbhTYjNhdde6Riks+estSf3I3/pdOeR5X9sfo\
        ErHfUb77ZN3vQLparg5Y3v4D
        """
    private static let fixedText = String(
        repeating: "entity Person, attribute name; entity Pet, attribute name; ",
        count: 20
    )
    private static let dynamicText = (0..<120).map { "\($0 * $0)" }.joined(separator: " ")

    private static func bytes(_ base64: String) -> [UInt8] { Array(Data(base64Encoded: base64) ?? Data()) }

    private static func error(_ bytes: [UInt8], limit: Int = 1 << 20) -> InflateError? {
        do throws(InflateError) {
            _ = try inflate(bytes, limit: limit)
            return nil
        } catch {
            return error
        }
    }

    @Test func eachForm() throws {
        #expect(try String(decoding: inflate(Self.bytes(Self.fixed), limit: 2_000), as: UTF8.self) == Self.fixedText)
        #expect(
            try String(decoding: inflate(Self.bytes(Self.dynamic), limit: 2_000), as: UTF8.self) == Self.dynamicText
        )
        let long = (0..<200_000).map { UInt8($0 % 253) }
        expectEqual(try inflate(deflateStored(long), limit: 200_000), long)
        expectEqual(try inflate(deflateStored([]), limit: 0), [])
    }

    @Test func theLimitIsExact() {
        let bytes = Self.bytes(Self.fixed)
        #expect(Self.error(bytes, limit: Self.fixedText.utf8.count) == nil)
        expectEqual(Self.error(bytes, limit: Self.fixedText.utf8.count - 1), .tooLarge)
        expectEqual(Self.error(deflateStored([1, 2, 3]), limit: 2), .tooLarge)
    }

    @Test(arguments: [fixed, dynamic]) func eachTruncationIsFound(_ base64: String) {
        let bytes = Self.bytes(base64)
        for length in 0..<bytes.count { expectEqual(Self.error(Array(bytes[..<length])), .truncated) }
    }

    @Test func invalidData() {
        // A block of the reserved type, a stored block whose lengths do not match, and a distance to before the
        // beginning.
        expectEqual(Self.error([0b111]), .invalid)
        expectEqual(Self.error([1, 3, 0, 3, 0, 1, 2, 3]), .invalid)
        expectEqual(Self.error([0b0000_0011, 0b0010_0010, 0, 0]), .invalid)
    }

    /// Damaged data is rejected, or decompressed to other bytes within the size limit.
    @Test func damagedDataLaw() {
        let seed: UInt64 = 4_711
        print("InflateTests.damagedDataLaw: seed \(seed)")
        var generator = SeededGenerator(seed: seed)
        let original = Self.bytes(Self.dynamic)
        for _ in 0..<2_000 {
            var bytes = original
            for _ in 0...generator.below(3) { bytes[generator.below(bytes.count)] = UInt8(generator.below(256)) }
            if let output = try? inflate(bytes, limit: 10_000) { #expect(output.count <= 10_000) }
        }
    }
}
