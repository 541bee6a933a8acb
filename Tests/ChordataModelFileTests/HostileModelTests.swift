import ChordataDiagnostics
import ChordataModelFile
import ChordataTestSupport
import Testing

/// Models that are small in the file, but large or slow to resolve.
struct HostileModelTests {
    private func diagnostics(_ body: String) -> [Diagnostic] {
        let text = "<?xml version=\"1.0\"?>\n<model>\n\(body)\n</model>"
        return readModel(ModelSourceFile(path: "contents", contents: Array(text.utf8)), versionName: "M").diagnostics
    }

    /// Each of these took from half a minute to hours before there were limits.
    private func expectSoon<Result>(_ body: () -> Result) -> Result {
        let start = threadTime()
        let result = body()
        #expect(threadTime() - start < .seconds(15))
        return result
    }

    @Test func inheritanceIsLimited() {
        let chain = (1..<20_000).map { "<entity name=\"E\($0)\" parentEntity=\"E\($0 - 1)\"/>" }.joined()
        let found = expectSoon { diagnostics("<entity name=\"E0\"/>" + chain) }
        expectEqual(found.map(\.id), [.limitExceeded])
        expectEqual(
            found.first?.message,
            "entity 'E65' has more than 64 levels of parent entities; remove some of them"
        )
        let fitting = (1..<65).map { "<entity name=\"E\($0)\" parentEntity=\"E\($0 - 1)\"/>" }.joined()
        #expect(!diagnostics("<entity name=\"E0\"/>" + fitting).hasErrors)
    }

    @Test func unknownNamesByTheThousand() {
        let entities = (0..<4_000).map { "<entity name=\"Entity\($0)\" parentEntity=\"Entity\($0)x\"/>" }.joined()
        let found = expectSoon { diagnostics(entities) }
        expectEqual(found.count, 4_000)
        #expect(found.first?.message.hasSuffix("did you mean 'Entity0'?") == true)
        #expect(
            found.last?.message.hasSuffix(
                "does not exist; choose an entity of this model, or remove the parent entity"
            ) == true,
            "not everyone can be helped"
        )
    }

    @Test func compositesThatDouble() {
        var body = "<entity name=\"A\"><attribute name=\"x\" attributeType=\"Composite\" composite=\"C0\"/></entity>"
        for index in 0..<40 {
            let next = "attributeType=\"Composite\" composite=\"C\(index + 1)\""
            body +=
                "<composite name=\"C\(index)\"><attribute name=\"a\" \(next)/><attribute name=\"b\" \(next)/></composite>"
        }
        body += "<composite name=\"C40\"><attribute name=\"z\" attributeType=\"String\"/></composite>"
        let found = expectSoon { diagnostics(body) }
        expectEqual(found.map(\.id), [.limitExceeded])
    }

    @Test func aCompositeInItself() {
        let found = diagnostics(
            """
            <entity name="A"><attribute name="x" attributeType="Composite" composite="C"/></entity>
            <composite name="C"><attribute name="y" attributeType="Composite" composite="C"/></composite>
            """
        )
        expectEqual(found.map(\.message), ["composite 'C' of 'y' of 'C' contains itself; use a relationship instead"])
    }

    @Test func duplicateNamesInAModel() {
        let found = diagnostics(
            """
            <entity name="A"/>
            <composite name="C"><attribute name="y" attributeType="String"/><attribute name="y" attributeType="String"/></composite>
            <composite name="C"/>
            <fetchRequest name="all of them" entity="A"/>
            <fetchRequest name="all of them" entity="A"/>
            <fetchRequest entity="A"/>
            <configuration name="Cloud"><memberEntity name="A"/></configuration>
            <configuration name="Cloud"><memberEntity name="A"/></configuration>
            """
        )
        expectEqual(
            found.filter { $0.severity == .error }.map(\.message),
            [
                "attribute 'y' is duplicated in composite 'C'; rename one",
                "composite 'C' is duplicated in the model; rename one",
                "fetch request 'all of them' is duplicated in the model; rename one",
                "fetch request has no name; give it one",
                "configuration 'Cloud' is duplicated in the model; rename one",
            ]
        )
    }
}
