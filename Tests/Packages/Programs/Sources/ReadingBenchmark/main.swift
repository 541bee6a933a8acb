import CBareXML
import Contest

@testable import ChordataModel
@testable import ChordataModelFile

// Compares the cost of reading, resolving and checking a large model with that of libxml2 alone on the same bytes.

let entityCount = 1_000
let text = largeModel(entityCount: entityCount, attributeCount: 10)
let source = ModelBundleSource(
    path: "Large.xcdatamodel",
    versions: [.init(name: "Large", file: ModelSourceFile(path: "contents", contents: Array(text.utf8)))]
)

let contest = Contest(
    title: "reading a model of \(entityCount) entities with 10 attributes each",
    unit: "bytes",
    count: text.utf8.count,
    contestants: [
        .init(name: "libxml2, SAX, counting only") {
            // The model element, the entities and their attributes.
            let elements = text.utf8.withContiguousStorageIfAvailable { bytes in
                bytes.withMemoryRebound(to: CChar.self) { bare_xml_parse($0.baseAddress, $0.count) }
            }
            return (elements ?? 0) - 1
        },
        .init(name: "Chordata: read, resolve and check") {
            let (bundle, diagnostics) = readModelBundle(source)
            guard let bundle, diagnostics.isEmpty, checkModel(bundle).isEmpty else { return -1 }
            return bundle.currentVersion.model.entities.reduce(0) { $0 + 1 + $1.attributes.count }
        },
        // The parts of the previous contestant; in parentheses, because they do less.
        .init(name: "(syntax only)") {
            if case .success(let tree) = parseSyntax(source.versions[0].file) {
                tree.storage.pointee.elements.count
            } else {
                -1
            }
        },
        .init(name: "(syntax and model)") {
            readModel(source.versions[0].file, versionName: "Large").version?.model.entities.count ?? -1
        },
    ]
)
runBenchmarks { try contest.run(rounds: rounds) }

/// A model as Xcode writes it.
func largeModel(entityCount: Int, attributeCount: Int) -> String {
    let attributes = [
        #"optional="YES" attributeType="String""#,
        #"attributeType="Integer 64" defaultValueString="0" usesScalarValueType="YES""#,
        #"optional="YES" attributeType="Date" usesScalarValueType="NO""#,
        #"attributeType="Boolean" defaultValueString="NO" usesScalarValueType="YES""#,
        #"optional="YES" attributeType="Double" defaultValueString="0.0" usesScalarValueType="YES""#,
    ]
    var text = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="22225" \
        systemVersion="22G91" minimumToolsVersion="Automatic" sourceLanguage="Swift" userDefinedModelVersionIdentifier="">

        """
    for entity in 0..<entityCount {
        let name = "Entity\(entity)"
        text +=
            "    <entity name=\"\(name)\" representedClassName=\"\(name)\" syncable=\"YES\" codeGenerationType=\"class\">\n"
        for attribute in 0..<attributeCount {
            text += "        <attribute name=\"attribute\(attribute)\" \(attributes[attribute % attributes.count])/>\n"
        }
        text += "    </entity>\n"
    }
    return text + "</model>"
}
