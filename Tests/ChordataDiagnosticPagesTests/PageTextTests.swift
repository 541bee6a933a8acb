import ChordataDiagnosticPages
import ChordataDiagnostics
import Testing

/// The texts keep to the house style, and to the little Markdown that a terminal can show.
struct PageTextTests {
    @Test(arguments: DiagnosticID.allCases)
    func everyIdHasItsOwnPage(_ id: DiagnosticID) { #expect(page(of: id).id == id) }

    @Test func titlesAreDifferent() {
        #expect(Set(DiagnosticID.allCases.map { page(of: $0).title }).count == DiagnosticID.allCases.count)
    }

    @Test(arguments: DiagnosticID.allCases)
    func titleIsShort(_ id: DiagnosticID) {
        let title = page(of: id).title
        #expect((5...50).contains(title.count) && !title.hasSuffix("."))
        // Core Data's own terms keep their capitals.
        let capitals = ["UTF-8", "XML", "Deny"]
        #expect(title.first?.isLowercase == true || capitals.contains { title.hasPrefix($0) })
    }

    @Test(arguments: DiagnosticID.allCases)
    func meaningBeginsWithOneSentence(_ id: DiagnosticID) throws {
        let meaning = page(of: id).meaning
        let summary = try #require(meaning.split(separator: "\n\n").first)
        #expect(meaning.contains("\n\n"), "the consequence follows as a paragraph of its own")
        #expect(!summary.contains("\n") && summary.hasSuffix(".") && !summary.contains(". "))
    }

    /// Outside of code nothing is markup by accident.
    @Test(arguments: DiagnosticID.allCases)
    func textsArePlain(_ id: DiagnosticID) {
        let page = page(of: id)
        for text in [page.meaning, page.remedy] {
            for line in text.split(separator: "\n") {
                let parts = line.split(separator: "`", omittingEmptySubsequences: false)
                #expect(parts.count % 2 == 1, "code ends in its line: \(line)")
                for (index, part) in parts.enumerated() where index % 2 == 0 {
                    #expect(!part.contains { "<*_[]|#&\\".contains($0) }, "\(line)")
                }
                #expect(line.count <= 130)
            }
        }
    }

    @Test(arguments: DiagnosticID.allCases)
    func linesFitTheTerminal(_ id: DiagnosticID) {
        for line in renderTerminal(page(of: id)).split(separator: "\n") {
            #expect(line.count <= terminalWidth, "\(line)")
            #expect(line.last != " ")
        }
    }

    @Test func terminal() {
        let expected = """
            CD0217: relationship without inverse

            A relationship has no inverse.

            When the referenced object is deleted or assigned to another object, this
            relationship is not updated and keeps its reference. Only the delete rule of
            this relationship is applied, because the destination has none.

            What to do

              - In Xcode's editor, add a relationship to the destination and choose it as
                Inverse in the Data Model inspector. Add it even if it is never used; it
                costs little.
              - In the XML, add the relationship and write 'inverseName' and 'inverseEntity'
                at both ends.
              - If you need only one direction, ignore the warning in 'chordata.json'.

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
        #expect(renderTerminal(page(of: .missingInverse)) == expected)
    }
}
