import Testing

/// If a type that generated code needs has not been written yet, this is the only error.
struct MissingTypeTests {
    /// All attributes of a superentity are listed again in each subentity.
    ///
    /// If a type is missing, the compiler could not check all types in one literal "in reasonable time".
    @Test func aMissingTypeIsTheOnlyKindOfError() async throws {
        let types = ["String", "Date", "Double", "Binary", "UUID", "URI"]
        let attributes = (0..<18).map {
            "<attribute name=\"a\($0)\" optional=\"YES\" attributeType=\"\(types[$0 % types.count])\"/>"
        }
        let subentities = (0..<4).map {
            """
            <entity name="Kind\($0)" representedClassName="Kind\($0)" parentEntity="Message" codeGenerationType="class">
            <attribute name="t\($0)" optional="YES" attributeType="String"/></entity>
            """
        }
        let model = """
            <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
            <entity name="Message" representedClassName="Message" isAbstract="YES" codeGenerationType="class">
            \(attributes.joined(separator: "\n"))
            <attribute name="receipts" optional="YES" attributeType="Transformable" customClassName="Receipt"/>
            </entity>
            \(subentities.joined(separator: "\n"))
            </model>
            """
        let errors = try await compile(Snippet("nothing", ""), with: model)
        #expect(!errors.isEmpty)
        #expect(errors.allSatisfy { $0.message.contains("cannot find type 'Receipt' in scope") }, "\(errors)")
    }
}
