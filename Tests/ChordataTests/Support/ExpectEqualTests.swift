import ChordataTestSupport
import Testing

/// The function with which the tests compare values.
struct ExpectEqualTests {
    @Test func differentValues() {
        let line = #line + 2
        withKnownIssue {
            expectEqual([1, 2], [1], "turn \(3)")
        } matching: { issue in
            issue.comments == ["[1, 2] is not equal to [1]: turn 3"] && issue.sourceLocation?.line == line
        }
    }

    @Test func equalValues() { expectEqual(Optional("a"), "a") }
}
