import ChordataDiagnostics
import ChordataModel
import ChordataModelFile
import ChordataTestSupport
import Foundation
import Testing

struct ReadModelTests {
    private func read(_ body: String) throws -> ManagedObjectModel {
        let text = "<?xml version=\"1.0\"?>\n<model userDefinedModelVersionIdentifier=\"7\">\n\(body)\n</model>"
        let (version, diagnostics) = readModel(
            ModelSourceFile(path: "contents", contents: Array(text.utf8)),
            versionName: "M"
        )
        return try #require(version, "\(diagnostics)").model
    }

    @Test func ampersandsAreUnescapedOnce() throws {
        let model = try read(
            """
            <entity name="A"/><fetchRequest name="q" entity="A" predicateString="x &gt; 1 &amp;&amp; y == '&amp;#38;' &#38;&#38; z"/>
            """
        )
        expectEqual(model.fetchRequestTemplates.first?.predicateFormat, "x > 1 && y == '&#38;' && z")
    }

    @Test func bothRenamingSpellings() throws {
        let model = try read(
            """
            <entity name="A" elementID="Old"><attribute name="x" attributeType="String" renamingIdentifier="y"/></entity>
            """
        )
        expectEqual(model.versionIdentifier, "7")
        expectEqual(model.entity(named: "A")?.renamingIdentifier, "Old")
        expectEqual(model.entity(named: "A")?.attributes.first?.renamingIdentifier, "y")
    }

    @Test func anEmptyIdentifierHidesNoOther() throws {
        let model = try read("<entity name=\"A\" elementID=\"\" renamingIdentifier=\"Old\"/>")
        expectEqual(model.entity(named: "A")?.renamingIdentifier, "Old")
    }

    @Test func maximumCountAboveOneIsToMany() throws {
        let relationship = "<relationship name=\"r\" optional=\"YES\" maxCount=\"10\" destinationEntity=\"A\"/>"
        let model = try read("<entity name=\"A\">\(relationship)</entity>")
        #expect(model.entity(named: "A")?.relationships.first?.isToMany == true)
        expectEqual(model.entity(named: "A")?.relationships.first?.maximumCount, 10)
    }

    @Test func childrenMayComeBeforeParents() throws {
        let model = try read(
            """
            <entity name="B" parentEntity="A"><attribute name="b" attributeType="Date"/></entity>
            <entity name="A" isAbstract="YES"><attribute name="a" attributeType="String"/></entity>
            """
        )
        expectEqual(model.entity(named: "B")?.attributes.map(\.name), ["a", "b"])
        expectEqual(model.entity(named: "A")?.subentityNames, ["B"])
        #expect(model.entity(named: "A")?.isAbstract == true)
    }

    @Test func bothIndexGenerationsAndConstraints() throws {
        let model = try read(
            """
            <entity name="A"><attribute name="x" attributeType="String" indexed="YES"/><attribute name="y" attributeType="String"/>
            <fetchIndex name="byX"><fetchIndexElement property="x" type="Binary" order="descending"/></fetchIndex>
            <compoundIndexes><compoundIndex><index value="x"/><index value="y"/></compoundIndex></compoundIndexes>
            <uniquenessConstraints><uniquenessConstraint><constraint value="x"/><constraint value="y"/></uniquenessConstraint>
            </uniquenessConstraints></entity>
            """
        )
        let entity = try #require(model.entity(named: "A"))
        expectEqual(entity.declaredIndexes.map(\.name), ["byX", "by_x_y"])
        #expect(entity.declaredIndexes.first?.elements.first?.isAscending == false)
        expectEqual(entity.declaredUniquenessConstraints, [["x", "y"]])
        #expect(entity.attributes.first?.isIndexed == true)
    }

    @Test func defaultsAndBounds() throws {
        let model = try read(
            """
            <entity name="A">
            <attribute name="i" attributeType="Integer 32" defaultValueString="NO"/>
            <attribute name="z" attributeType="Integer 64" defaultValueString="0.0"/>
            <attribute name="b" attributeType="Boolean" defaultValueString="1"/>
            <attribute name="s" attributeType="String" minValueString="3" maxValueString="10" defaultValueString=""/>
            <attribute name="d" attributeType="Date" defaultValueString="12/4/2013" defaultDateTimeInterval="631123200"/>
            <attribute name="t" attributeType="Date" defaultValueString="2001-01-02 00:00:01 +0000"/>
            <attribute name="m" attributeType="Decimal" defaultValueString="160"/>
            </entity>
            """
        )
        let attributes = try #require(model.entity(named: "A")?.attributes)
        expectEqual(
            attributes.map(\.defaultValue),
            [
                .integer(0), .integer(0), .boolean(true), .string(""),
                .date(Date(timeIntervalSinceReferenceDate: 631_123_200)),
                .date(Date(timeIntervalSinceReferenceDate: 86_401)), .decimal(160),
            ]
        )
        expectEqual(attributes[3].minimumValue, .integer(3))
        expectEqual(attributes[3].maximumValue, .integer(10))
    }

    @Test func compositesAndTransientsAndTheRest() throws {
        let model = try read(
            """
            <composite name="Empty"/>
            <composite name="Place"><attribute name="x" attributeType="Double"/>
            <attribute name="in" attributeType="Composite" composite="Empty"/></composite>
            <entity name="A"><attribute name="p" attributeType="Composite" composite="Place"/>
            <attribute name="t" transient="YES"/>
            <attribute name="n" attributeType="Date" derived="YES" derivationExpression="now()"/>
            <fetchedProperty name="f" optional="YES"><fetchRequest name="q" entity="A" predicateString="n != nil"/></fetchedProperty>
            <userInfo><entry key="k" value="v"/></userInfo></entity>
            <configuration name="C"><memberEntity name="A"/></configuration>
            <fetchRequest name="all" entity="A" resultType="1" fetchLimit="100" includeSubentities="YES"/>
            """
        )
        let entity = try #require(model.entity(named: "A"))
        expectEqual(entity.attributes.map(\.attributeType), [.composite, .undefined, .date])
        expectEqual(entity.attributes.first?.elements.map(\.name), ["x", "in"])
        #expect(entity.attributes.last?.isDerived == true)
        expectEqual(entity.declaredFetchedProperties.map(\.fetchRequest.predicateFormat), ["n != nil"])
        expectEqual(entity.userInfo, ["k": "v"])
        expectEqual(model.configurations.map(\.entityNames), [["A"]])
        expectEqual(model.fetchRequestTemplates.map(\.fetchLimit), [100])
        expectEqual(model.fetchRequestTemplates.map(\.resultType), [.managedObjectIDs])
    }

    @Test func versionsComeInNaturalOrder() throws {
        let contents = Array("<model/>".utf8)
        func bundle(_ names: [String], current: String?) -> (ModelBundle?, [String]) {
            let source = ModelBundleSource(
                path: "x/A.B.V1.xcdatamodeld",
                versions: names.map {
                    .init(name: $0, file: ModelSourceFile(path: "\($0)/contents", contents: contents))
                },
                currentVersionFile: current.map { ModelSourceFile(path: ".xccurrentversion", contents: Array($0.utf8)) }
            )
            let (bundle, diagnostics) = readModelBundle(source)
            return (bundle, diagnostics.map(\.id.rawValue))
        }
        let names = ["M 10", "M", "M 2"]
        let (found, none) = bundle(names, current: nil)
        expectEqual(none, ["CD0113"])
        expectEqual(bundle(["M"], current: nil).1, [])
        expectEqual(found?.name, "A.B.V1")
        expectEqual(found?.versions.map(\.name), ["M", "M 2", "M 10"])
        expectEqual(found?.currentVersion.name, "M 10")
        expectEqual(bundle(names, current: "<plist><dict/></plist>").0?.currentVersion.name, "M 10")
        let named = "<plist><dict><key>_XCCurrentVersionName</key><string>M 2.xcdatamodel</string></dict></plist>"
        expectEqual(bundle(names, current: named).0?.currentVersion.name, "M 2")
        expectEqual(bundle(["M"], current: named).1, ["CD0108"])
    }
}
