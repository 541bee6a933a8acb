import Foundation
import Testing

@testable import Adopt

/// Files, folders and models on the disk.
struct FileTests {
    private let files: TemporaryFolder
    private var folder: String { files.path }

    init() throws { files = try TemporaryFolder() }

    private func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: "\(folder)/\(name)", withDestinationPath: target)
    }

    private func writeModel(_ name: String = "Sources/Library.xcdatamodeld/Library.xcdatamodel") throws {
        try files.write(libraryModel, to: "\(name)/contents")
    }

    /// The reports without the path of the folder.
    private func reports(_ adoption: Adoption) -> [String] {
        adoption.reports.map { $0.text.replacing("\(folder)/", with: "") }
    }

    private let key = "let key = #keyPath(Book.title)\n"
    private let rewrittenKey = "let key = Book.PropertyKey.title.name\n"

    @Test func wholeFolder() throws {
        try writeModel()
        try files.write("{ \"codegen\": \"category\" }", to: "Sources/chordata.json")
        try files.write(libraryClasses, to: "Sources/Classes.swift")
        try files.write(key, to: "Sources/A/Key.swift")
        try files.write(key, to: "Sources/A/Key.txt")
        try files.write(key, to: "Sources/.hidden/Key.swift")
        try files.write("let a = 1\n", to: "Sources/B.swift")
        var adoption = Adoption(of: ["\(folder)/Sources/"])
        #expect(adoption.fileCount == 3)
        #expect(adoption.changes.map(\.path) == ["\(folder)/Sources/A/Key.swift"])
        #expect(try files.read("Sources/A/Key.swift") == key)
        #expect(adoption.changes.first?.diff.contains("-\(key)+\(rewrittenKey)") == true)
        adoption.write()
        #expect(try files.read("Sources/A/Key.swift") == rewrittenKey)
        #expect(try files.read("Sources/A/Key.txt") == key)
        #expect(try files.read("Sources/.hidden/Key.swift") == key)
        #expect(reports(adoption) == [])
        #expect(Adoption(of: ["\(folder)/Sources"]).changes.isEmpty)
    }

    @Test func permissionsStay() throws {
        try writeModel()
        try files.write(key, to: "Key.swift")
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: "\(folder)/Key.swift")
        var adoption = Adoption(of: ["\(folder)/Key.swift"], models: ["\(folder)/Sources/Library.xcdatamodeld"])
        adoption.write()
        let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder)/Key.swift")
        #expect(attributes[.posixPermissions] as? Int == 0o640)
        #expect(try files.read("Key.swift") == rewrittenKey)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["Key.swift", "Sources"])
    }

    @Test func symbolicLinks() throws {
        try writeModel("Models/Library.xcdatamodeld/Library.xcdatamodel")
        try files.write(key, to: "Outside/Key.swift")
        try files.write(libraryClasses, to: "Sources/Classes.swift")
        try link("Sources/Link.swift", to: "../Outside/Key.swift")
        try link("Sources/Loop", to: ".")
        try link("Sources/Dangling.swift", to: "Missing.swift")
        try link("Sources/Library.xcdatamodeld", to: "../Models/Library.xcdatamodeld")
        try files.write("{ \"codegen\": \"category\" }", to: "Sources/chordata.json")
        let adoption = Adoption(of: ["\(folder)/Sources"])
        #expect(adoption.changes.isEmpty)
        #expect(
            reports(adoption)
                == ["Dangling", "Link"].map {
                    "Sources/\($0).swift: note: the file is a symbolic link and is not changed; give its path to change its "
                        + "target [link]"
                }
        )
        var given = Adoption(of: ["\(folder)/Sources/Link.swift"], models: ["\(folder)/Sources/Library.xcdatamodeld"])
        given.write()
        #expect(try files.read("Outside/Key.swift") == rewrittenKey)
        #expect(
            try FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/Sources/Link.swift").hasPrefix("../")
        )
    }

    @Test func oneFileTwice() throws {
        try writeModel()
        try files.write(key, to: "Sources/Key.swift")
        try link("Other", to: "Sources")
        let adoption = Adoption(
            of: ["\(folder)/Sources", "\(folder)/Sources/Key.swift", "\(folder)/Sources/../Sources", "\(folder)/Other"]
        )
        #expect(adoption.fileCount == 1)
        #expect(adoption.changes.count == 1)
    }

    /// After an error, nothing is written.
    @Test func filesThatCannotBeRead() throws {
        try writeModel()
        try files.write(key, to: "Sources/Key.swift")
        #expect(mkfifo("\(folder)/Sources/Pipe.swift", 0o600) == 0)
        var adoption = Adoption(of: ["\(folder)/Sources", "\(folder)/Missing.swift"])
        #expect(adoption.hasErrors)
        #expect(
            reports(adoption) == [
                "Missing.swift: error: there is no file or folder at this path; correct the path [file]",
                "Sources/Pipe.swift: error: this is neither a regular file nor a folder [file]",
            ]
        )
        adoption.write()
        #expect(try files.read("Sources/Key.swift") == key)
    }

    @Test(.enabled(if: getuid() != 0, "the superuser reads all files"))
    func filesWithoutPermission() throws {
        try writeModel()
        try files.write(key, to: "Sources/Key.swift")
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: "\(folder)/Sources/Key.swift")
        let adoption = Adoption(of: ["\(folder)/Sources"])
        #expect(reports(adoption) == ["Sources/Key.swift: error: the file cannot be read [file]"])
    }

    @Test func fileThatDisappears() throws {
        try writeModel()
        try files.write(key, to: "Key.swift")
        var adoption = Adoption(of: ["\(folder)/Key.swift"], models: ["\(folder)/Sources/Library.xcdatamodeld"])
        try FileManager.default.removeItem(atPath: "\(folder)/Key.swift")
        adoption.write()
        #expect(adoption.hasErrors)
        #expect(adoption.reports.contains { $0.text.contains("Key.swift: error: the file cannot be written: ") })
    }

    // MARK: Models

    @Test func withoutModel() throws {
        try files.write(key, to: "Key.swift")
        try files.write("import Foundation\nlet sum: NSExpression? = nil\n", to: "Sum.swift")
        let adoption = Adoption(of: [folder])
        #expect(!adoption.hasErrors)
        #expect(adoption.changes.map(\.after) == [Array("import CoreData\nlet sum: NSExpression? = nil\n".utf8)])
        #expect(
            reports(adoption) == [
                "--model: warning: the folders contain no model, so classes of entities and '#keyPath' are not changed; if the "
                    + "code has such classes, give the path of the .xcdatamodeld with this option [model]",
                "Key.swift:1:11: warning: '#keyPath' needs the Objective-C runtime, and 'Book.title' is not a path of properties "
                    + "of the models that were read; write a string [key-path]",
            ]
        )
    }

    @Test func modelsThatCannotBeRead() throws {
        try files.write("<plist/>", to: "NoModel.xcdatamodeld/A.xcdatamodel/contents")
        try files.write("", to: "Empty.xcdatamodeld/.keep")
        try files.write("", to: "NoContents.xcdatamodel/.keep")
        try writeModel("BadName.xcdatamodeld/A.xcdatamodel")
        try files.write(versionFile("B.xcdatamodel"), to: "BadName.xcdatamodeld/.xccurrentversion")
        try writeModel("BadConfiguration/A.xcdatamodeld/A.xcdatamodel")
        try files.write("{,}", to: "BadConfiguration/A.chordata.json")
        let rows = [
            (
                "BadConfiguration/A.xcdatamodeld",
                "the configuration file of the model is not valid; run 'chordata validate' to see why"
            ),
            ("BadName.xcdatamodeld", "the current version 'B.xcdatamodel' is not in the bundle"),
            ("Empty.xcdatamodeld", "the bundle has no version; add an '.xcdatamodel'"),
            (
                "Missing.xcdatamodeld",
                "there is no readable model at this path; correct the path, or run 'chordata validate' to see why"
            ),
            (
                "Model.swift",
                "this is not the path of a model; give a path that ends with '.xcdatamodeld' or '.xcdatamodel'"
            ),
            (
                "NoContents.xcdatamodel",
                "'NoContents.xcdatamodel' has no readable file 'contents'; check that it is a model"
            ),
            (
                "NoModel.xcdatamodeld",
                "'A.xcdatamodel/contents' is not a valid model; run 'chordata validate' to see why"
            ),
        ]
        let adoption = Adoption(of: [], models: rows.map { "\(folder)/\($0.0)" })
        #expect(reports(adoption) == rows.map { "\($0.0): error: \($0.1) [model]" })
    }

    private func versionFile(_ name: String) -> String {
        "<plist version=\"1.0\"><dict><key>_XCCurrentVersionName</key><string>\(name)</string></dict></plist>"
    }

    @Test(arguments: ["Library 2.xcdatamodel", "Library 10.xcdatamodel", nil])
    func currentVersion(_ name: String?) throws {
        for version in ["Library", "Library 2", "Library 10"] {
            try files.write(
                "<model><entity name=\"Book\"><attribute name=\"of\(version.filter(\.isNumber))\" attributeType=\"String\"/>"
                    + "</entity></model>",
                to: "L.xcdatamodeld/\(version).xcdatamodel/contents"
            )
        }
        if let name { try files.write(versionFile(name), to: "L.xcdatamodeld/.xccurrentversion") }
        let model = try readDataModel(at: "\(folder)/L.xcdatamodeld")
        #expect(model.entities.first?.properties.keys.sorted() == [name == "Library 2.xcdatamodel" ? "of2" : "of10"])
    }

    @Test func configurationFiles() throws {
        try writeModel()
        let path = "\(folder)/Sources/Library.xcdatamodeld"
        #expect(try ModelConfiguration(besideModelAt: path).path == "\(folder)/Sources/chordata.json")
        try files.write(
            "{ \"codegen\": \"category\", \"access\": \"public\", \"optionality\": \"x\", \"entities\": { \"Book\": "
                + "{ \"codegen\": \"none\", \"class\": \"B\", \"module\": \"M\" }, \"A\": 1 } }",
            to: "Sources/chordata.json"
        )
        let shared = try ModelConfiguration(besideModelAt: path)
        #expect(shared.codegen == "category")
        #expect(shared.hasPublicAccess)
        #expect(shared.entities["Book"]?.codegen == "none")
        #expect(shared.entities["Book"]?.className == "B")
        #expect(shared.entities["Book"]?.module == "M")
        try files.write("{}", to: "Sources/Library.chordata.json")
        let own = try ModelConfiguration(besideModelAt: path)
        #expect(own.path == "\(folder)/Sources/Library.chordata.json")
        #expect(own.codegen == nil)
        #expect(!own.hasPublicAccess)
    }
}
