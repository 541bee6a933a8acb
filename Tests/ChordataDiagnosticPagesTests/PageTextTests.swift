import ChordataDiagnosticPages
import ChordataDiagnostics
import ChordataTestSupport
import Testing

/// The texts follow the house style, and use only the subset of Markdown that a terminal can show.
struct PageTextTests {
    @Test func titlesAreDifferent() {
        expectEqual(Set(DiagnosticPage.all.map(\.title)).count, DiagnosticPage.all.count)
    }

    @Test(arguments: DiagnosticID.allCases)
    func titleIsShort(_ id: DiagnosticID) throws {
        let title = try page(of: id).title
        #expect((5...50).contains(title.count) && !title.hasSuffix("."))
        // Core Data's own terms keep their capitals.
        let capitals = ["UTF-8", "XML", "Deny"]
        #expect(title.first?.isLowercase == true || capitals.contains { title.hasPrefix($0) })
    }

    @Test(arguments: DiagnosticID.allCases)
    func headingsAreThoseOfAllPages(_ id: DiagnosticID) throws {
        let page = try page(of: id)
        let headings = page.blocks.filter { if case .heading = $0 { true } else { false } }
        let sections = ["What to do", "Example", "Corrected example", "Level"]
        expectEqual(
            headings,
            [.heading("\(page.id): \(page.title)", level: 1), .heading("Overview", level: 2)]
                + sections.map { .heading($0, level: 3) }
        )
    }

    @Test(arguments: DiagnosticID.allCases)
    func meaningIsOneSentenceAndAnOverview(_ id: DiagnosticID) throws {
        let blocks = try page(of: id).blocks
        try #require(blocks.count > 3)
        guard case .paragraph(let summary) = blocks[1], case .paragraph = blocks[3] else {
            Issue.record("the sentence or the overview is missing")
            return
        }
        expectEqual(blocks[2], .heading("Overview", level: 2), "one paragraph is before it")
        #expect(!summary.contains("\n") && summary.hasSuffix(".") && !summary.contains(". "))
    }

    /// Text outside of code contains no accidental markup.
    @Test(arguments: DiagnosticID.allCases)
    func textsArePlain(_ id: DiagnosticID) throws {
        for block in try page(of: id).blocks {
            let text: String
            switch block {
            case .paragraph(let paragraph): text = paragraph
            case .item(let item): text = item
            case .heading, .fileName, .code, .output: continue
            }
            for line in text.split(separator: "\n") {
                let parts = line.split(separator: "`", omittingEmptySubsequences: false)
                expectEqual(parts.count % 2, 1, "code ends in its line: \(line)")
                for (index, part) in parts.enumerated() where index % 2 == 0 {
                    #expect(!part.contains { "<*_[]|#&\\".contains($0) }, "\(line)")
                }
                #expect(line.count <= 130)
            }
        }
    }

    @Test(arguments: DiagnosticID.allCases)
    func linesFitTheTerminal(_ id: DiagnosticID) throws {
        for line in try renderTerminal(page(of: id)).split(separator: "\n") {
            #expect(line.count <= terminalWidth, "\(line)")
            #expect(line.last != " ")
        }
    }

    @Test func terminal() throws {
        let expected = """
            CD0217: relationship without inverse

            A relationship has no inverse.

            When the referenced object is deleted, this relationship keeps its reference
            until the deletion is saved or merged, because the destination has no inverse
            whose delete rule could clear it earlier. The delete rule of this relationship
            is applied only when the object that has the relationship is deleted.

            What to do

              - In Xcode's editor, add a relationship to the destination and choose it as
                Inverse in the Data Model inspector. Add it even if it is never used; it
                costs little.
              - In the XML, add the relationship and write 'inverseName' (and
                'inverseEntity', as Xcode does) at both ends.
              - If you need only one direction, set the level of 'CD0217' to 'ignore' in
                'chordata.json'.

            Example

              Shop.xcdatamodeld/Shop.xcdatamodel/contents:

                <model>
                    <entity name="Customer">
                        <relationship name="inviter" optional="YES" maxCount="1"
                            deletionRule="Nullify" destinationEntity="Customer"/>
                    </entity>
                </model>

              This gives:

                Shop.xcdatamodeld/Shop.xcdatamodel/contents:3:29: warning: 'inviter' of
                  'Customer' has no inverse, so it can keep references to deleted objects;
                  add an inverse to 'Customer' [CD0217]

            Corrected example

              Shop.xcdatamodeld/Shop.xcdatamodel/contents:

                <model>
                    <entity name="Customer">
                        <relationship name="inviter" optional="YES" maxCount="1"
                            deletionRule="Nullify" destinationEntity="Customer"
                            inverseName="invited"/>
                        <relationship name="invited" optional="YES" toMany="YES"
                            deletionRule="Nullify" destinationEntity="Customer"
                            inverseName="inviter"/>
                    </entity>
                </model>

            Level

              It is a warning, which 'chordata.json' can make 'error', 'remark' or 'ignore':

                {
                  "diagnostics": {
                    "CD0217": "ignore"
                  }
                }

            """
        expectEqual(try renderTerminal(page(of: .missingInverse)), expected)
    }
}
