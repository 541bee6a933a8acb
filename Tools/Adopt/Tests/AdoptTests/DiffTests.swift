import Testing

@testable import Adopt

/// Unified diffs.
struct DiffTests {
    private func diff(_ before: String, _ after: String) -> String {
        unifiedDiff(from: Array(before.utf8), to: Array(after.utf8), path: "A.swift")
    }

    @Test func twoHunks() {
        let before = (1...20).map { "\($0)\n" }.joined()
        let after = before.replacing("\n2\n", with: "\n").replacing("20\n", with: "twenty\nend\n")
        #expect(
            diff(before, after) == """
                --- A.swift
                +++ A.swift
                @@ -1,5 +1,4 @@
                 1
                -2
                 3
                 4
                 5
                @@ -17,4 +16,5 @@
                 17
                 18
                 19
                -20
                +twenty
                +end

                """
        )
    }

    @Test func changesThatShareTheirContext() {
        let before = (1...9).map { "\($0)\n" }.joined()
        let after = before.replacing("2\n", with: "").replacing("8\n", with: "")
        #expect(diff(before, after).split(separator: "\n").count { $0.hasPrefix("@@") } == 1)
    }

    @Test func fileWithoutLineFeedAtItsEnd() {
        #expect(
            diff("a\nb", "a\nc") == """
                --- A.swift
                +++ A.swift
                @@ -1,2 +1,2 @@
                 a
                -b
                \\ No newline at end of file
                +c
                \\ No newline at end of file

                """
        )
    }

    @Test func emptyFile() {
        #expect(diff("a\n", "") == "--- A.swift\n+++ A.swift\n@@ -1,1 +0,0 @@\n-a\n")
    }
}
