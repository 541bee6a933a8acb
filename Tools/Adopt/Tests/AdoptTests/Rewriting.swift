import Foundation
import Testing

@testable import Adopt

/// A model with one entity for each codegen setting, and a configuration without settings.
let libraryModel = """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" sourceLanguage="Swift">
        <entity name="Book" representedClassName="Book">
            <attribute name="title" attributeType="String"/>
            <attribute name="pages" optional="YES" attributeType="Integer 32"/>
            <attribute name="kind" attributeType="Integer 16" defaultValueString="0"/>
            <attribute name="state" attributeType="String">
                <userInfo><entry key="RawType" value="State"/></userInfo>
            </attribute>
            <attribute name="tags" optional="YES" attributeType="Transformable"/>
            <attribute name="default" optional="YES" attributeType="String"/>
            <attribute name="description" optional="YES" attributeType="String"/>
            <attribute name="hidden" optional="YES" attributeType="String">
                <userInfo><entry key="mogenerator.ignore" value="YES"/></userInfo>
            </attribute>
            <relationship name="author" optional="YES" maxCount="1" destinationEntity="Author"/>
            <relationship name="chapters" optional="YES" toMany="YES" ordered="YES" destinationEntity="Chapter"/>
        </entity>
        <entity name="Comic" representedClassName=".Comic" parentEntity="Book" codeGenerationType="category">
            <attribute name="colors" optional="YES" attributeType="Integer 16"/>
        </entity>
        <entity name="Author" representedClassName="Library.Author" codeGenerationType="category">
            <attribute name="name" optional="YES" attributeType="String"/>
            <relationship name="books" optional="YES" toMany="YES" destinationEntity="Book"/>
        </entity>
        <entity name="Chapter" representedClassName="Chapter" codeGenerationType="class">
            <attribute name="number" attributeType="Integer 16"/>
            <relationship name="book" optional="YES" maxCount="1" destinationEntity="Book"/>
        </entity>
    </model>
    """

/// Returns the model with a configuration.
func makeModel(
    _ xml: String = libraryModel,
    path: String = "Library.xcdatamodeld",
    _ configure: (inout ModelConfiguration) -> Void = { _ in }
) throws -> DataModel {
    var configuration = ModelConfiguration(path: "chordata.json")
    configuration.codegen = "category"
    configuration.hasPublicAccess = true
    configure(&configuration)
    let entities = try #require(readEntities(Data(xml.utf8)))
    return DataModel(
        path: path,
        entities: entities,
        configuration: configuration,
        contents: ModelContents(path: "\(path)/A.xcdatamodel/contents", bytes: Array(xml.utf8))
    )
}

/// A class of each entity of the model, so that no class is missing.
let libraryClasses = """
    final class Author: _Author {}
    class Book: _Book {}
    final class Comic: _Comic {}
    """

/// The result of rewriting one file.
struct Rewritten: Equatable {
    var text: String
    /// The reports as `line:column: severity: message [id]`.
    var reports: [String]

    /// The identifiers of the reports.
    var ids: [String] { reports.map { String($0.split(separator: "[").last?.dropLast() ?? "") } }
}

/// Rewrites one file, beside a file with all classes of the model.
func rewrite(_ text: String, _ model: DataModel? = nil, withClasses hasClasses: Bool = true) throws -> Rewritten {
    let result = try rewrite(Array(text.utf8), model, withClasses: hasClasses)
    return Rewritten(text: String(decoding: result.bytes, as: UTF8.self), reports: result.reports)
}

func rewrite(
    _ bytes: [UInt8],
    _ model: DataModel? = nil,
    withClasses hasClasses: Bool = true
) throws -> (bytes: [UInt8], reports: [String]) {
    var sources = [Adoption.Source(path: "A.swift", bytes: bytes)]
    if hasClasses { sources.append(Adoption.Source(path: "Classes.swift", bytes: Array(libraryClasses.utf8))) }
    let adoption = Adoption(of: sources, [try model ?? makeModel()])
    #expect(adoption.changes.allSatisfy { $0.path == "A.swift" || $0.isModel })
    let prefix = "A.swift:"
    return (
        adoption.changes.first { !$0.isModel }?.after ?? bytes,
        adoption.reports.map { $0.text.hasPrefix(prefix) ? String($0.text.dropFirst(prefix.count)) : $0.text }
    )
}
