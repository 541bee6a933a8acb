import Foundation
import Testing

/// The libraries that programs link.
struct LinkedLibrariesTests {
    /// A program that imports the runtime, and not the module that reads models, does not link libxml2.
    @Test func theRuntimeDoesNotLinkTheReaderOfModels() throws {
        func mentionsXML(_ name: String) throws -> Bool {
            let bytes = try Data(contentsOf: try Program.find(name), options: .alwaysMapped)
            return bytes.range(of: Data("libxml2".utf8)) != nil || bytes.range(of: Data("xmlReadMemory".utf8)) != nil
        }
        #expect(try !mentionsXML("migrating-program"))
        // The check finds it in a program that reads models.
        #expect(try mentionsXML("chordata-generate"))
    }
}
