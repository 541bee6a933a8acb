import ChordataTestSupport
import Foundation
import Testing

/// The classes that models name, in all forms that Xcode writes.
struct CustomClassTests {
    /// The class name of a Transformable attribute, the type of its property, and a part of the warning, or `nil`.
    static let classes: [(name: String, type: String, warning: String?)] = [
        ("", "Foundation.Data", nil), (".", "Foundation.Data", nil), ("..", "Foundation.Data", nil),
        (" ", "Foundation.Data", nil), ("Module.", "Foundation.Data", nil), (".Module.", "Foundation.Data", nil),
        ("Plan", "Plan", nil), (".Plan", "Plan", nil), (" .Plan ", "Plan", nil), ("App.Plan", "App.Plan", nil),
        // If the current module is named, the class may have the name of a type of Swift, Foundation or a framework.
        (".Data", "Data", nil), (".Character", "Character", nil), (".UIColor", "UIColor", nil),
        (".Outer.Inner", "Outer.Inner", nil), ("..Plan", "Foundation.Data", "knows no Swift type"),
        (".Protocol", "Foundation.Data", "knows no Swift type"),
        // Names that begin with the letters of a framework.
        ("UID", "UID", nil), ("SKU", "SKU", nil), ("CLI", "CLI", nil), ("MPQueue", "MPQueue", nil),
        ("UITheme", "UITheme", nil), ("NSX", "NSX", nil), ("App.UIColor", "App.UIColor", nil),
        ("NSArray", "Foundation.Data", "knows no Swift type"), ("NSURL", "Foundation.Data", "knows no Swift type"),
        ("UIImage", "Foundation.Data", "knows no Swift type"),
        ("CLLocation", "Foundation.Data", "knows no Swift type"),
        ("UIKit.UIColor", "Foundation.Data", "knows no Swift type"),
        ("Foundation.NSArray", "Foundation.Data", "knows no Swift type"),
        ("[UIColor]", "Foundation.Data", "knows no Swift type"),
        ("[String: NSNumber]", "Foundation.Data", "knows no Swift type"),
        // Types of Swift that are not Codable, or lack generic arguments.
        ("Character", "Foundation.Data", "knows no Swift type"),
        ("[Swift.Character]", "Foundation.Data", "knows no Swift type"),
        ("Set&lt;Substring&gt;", "Foundation.Data", "knows no Swift type"),
        ("Array", "Foundation.Data", "knows no Swift type"),
        ("Dictionary&lt;String&gt;", "Foundation.Data", "knows no Swift type"),
        ("Int&lt;String&gt;", "Foundation.Data", "knows no Swift type"),
        ("Set&lt;String&gt;", "Swift.Set<Swift.String>", nil),
        ("Range&lt;Int&gt;", "Swift.Range<Swift.Int>", nil),
        // Optional types, in both spellings.
        ("Plan?", "Foundation.Data", "an optional type"),
        ("Optional&lt;Plan&gt;", "Foundation.Data", "an optional type"),
        ("Swift.Optional&lt;[String]&gt;", "Foundation.Data", "an optional type"),
        ("[Optional&lt;String&gt;]", "[Swift.String?]", nil), ("[String?]", "[Swift.String?]", nil),
    ]

    @Test func classesOfTransformables() async throws {
        try await withWorkspace { workspace in
            let attributes = Self.classes.enumerated().map { index, row in
                "<attribute name=\"a\(index)\" optional=\"YES\" attributeType=\"Transformable\" customClassName=\"\(row.name)\"/>\n"
            }
            try workspace.writeModel("M", modelFile(entity("Node", attributes.joined())))
            let result = try await workspace.chordata("generate", "M.xcdatamodeld", "--output", "out")
            expectEqual(result.exitCode, 0, "\(result.errors)")
            let code = try workspace.read("out/M+Entities0.swift")
            let diagram = try await workspace.chordata("graph", "M.xcdatamodeld", "--format", "dot").output
            for (index, row) in Self.classes.enumerated() {
                #expect(code.contains("var a\(index): \(row.type)? {"), "'\(row.name)' is not '\(row.type)'")
                let warning = result.errors.split(separator: "\n").first { $0.contains("'a\(index)' of 'Node'") }
                #expect((warning == nil) == (row.warning == nil), "'\(row.name)': \(warning ?? "no warning")")
                if let words = row.warning { #expect(warning?.contains(words) == true, "\(warning ?? "")") }
                // The diagram shows the type of the code, without the modules of Swift's and Foundation's types.
                let shown = row.type.replacing(/(Swift|Foundation)\./, with: "")
                    .replacing("<", with: "&lt;").replacing(">", with: "&gt;")
                #expect(
                    diagram.contains(">a\(index)</TD><TD ALIGN=\"LEFT\" SIDES=\"R\">\(shown)?<")
                        || diagram.contains(">a\(index)</TD><TD ALIGN=\"LEFT\" SIDES=\"RB\">\(shown)?<"),
                    "the diagram has another type than '\(shown)' for '\(row.name)'"
                )
            }
        }
    }

    /// A configuration names the class as in the model, or without the dot.
    @Test(arguments: [".Plan", "Plan"])
    func configurationNamesTheTransformableClass(_ key: String) async throws {
        try await withWorkspace { workspace in
            let attribute =
                #"<attribute name="plan" optional="YES" attributeType="Transformable" customClassName=".Plan"/>"#
            try workspace.writeModel("M", modelFile(entity("Node", attribute)))
            try workspace.write("{\"types\": {\"\(key)\": \"[String]\"}}", to: "chordata.json")
            _ = try await workspace.chordata("generate", "M.xcdatamodeld", "--output", "out")
            #expect(try workspace.read("out/M+Entities0.swift").contains("var plan: [Swift.String]? {"))
            #expect(try await workspace.chordata("graph", "M.xcdatamodeld").output.contains("plan: [String]?"))
        }
    }

    @Test(arguments: [
        ("", "Node"), (".", "Node"), ("Module.", "Node"), (".Module.", "Node"), ("Thing", "Thing"), (".Thing", "Thing"),
        ("Module.Thing", "Thing"), (" .Thing ", "Thing"), ("UID", "UID"), ("NSManagedObject", "Node"),
    ])
    func classesOfEntities(_ name: String, _ type: String) async throws {
        try await withWorkspace { workspace in
            let text = modelFile(entity("Node", attribute("title")))
                .replacing("representedClassName=\"Node\"", with: "representedClassName=\"\(name)\"")
            try workspace.writeModel("M", text)
            let result = try await workspace.chordata("generate", "M.xcdatamodeld", "--output", "out")
            expectEqual(result.errors, "")
            #expect(try workspace.read("out/M+Entities0.swift").contains("final class \(type): Chordata.ManagedObject"))
        }
    }
}
