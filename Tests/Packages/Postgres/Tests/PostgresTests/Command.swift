import ChordataModel
import Foundation
import Testing

/// The program `chordata`, run as a user runs it.
enum Command {
    struct Result: Sendable {
        var exitCode: Int32
        var output: String
        var errors: String
    }

    static func program() throws -> URL {
        try #require(Bundle.main.executableURL?.deletingLastPathComponent().appending(path: "ChordataTool"))
    }

    /// A process that writes to files of a folder.
    static func process(
        _ arguments: [String],
        in folder: URL,
        environment: [String: String] = [:]
    ) throws -> Process {
        let process = Process()
        process.executableURL = try program()
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.environment = ["PATH": "", "HOME": folder.path, "SWIFT_BACKTRACE": "enable=no"]
            .merging(environment) { _, given in given }
        for name in ["output", "errors"] { try Data().write(to: folder.appending(path: name)) }
        process.standardOutput = try FileHandle(forWritingTo: folder.appending(path: "output"))
        process.standardError = try FileHandle(forWritingTo: folder.appending(path: "errors"))
        return process
    }

    /// Runs the program to its end.
    static func run(
        _ arguments: [String],
        in folder: URL,
        environment: [String: String] = [:]
    ) throws -> Result {
        let process = try process(arguments, in: folder, environment: environment)
        try process.run()
        process.waitUntilExit()
        return Result(
            exitCode: process.terminationStatus,
            output: try String(contentsOf: folder.appending(path: "output"), encoding: .utf8),
            errors: try String(contentsOf: folder.appending(path: "errors"), encoding: .utf8)
        )
    }
}

/// Runs a test in a temporary folder.
func withFolder<Value>(_ body: (URL) throws -> Value) throws -> Value {
    let folder = FileManager.default.temporaryDirectory.appending(path: "chordata-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }  // The system deletes temporary files.
    return try body(folder)
}

/// A model of two versions on disk, whose stores may be on a server.
enum CommandModel {
    private static func contents(_ attributes: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="22222" \
        systemVersion="22A380" minimumToolsVersion="Automatic" sourceLanguage="Swift" userDefinedModelVersionIdentifier="">
            <entity name="Node" representedClassName="Node" syncable="YES" codeGenerationType="class">
                <attribute name="title" optional="YES" attributeType="String"/>
                <attribute name="rank" optional="YES" attributeType="Integer 16" usesScalarValueType="NO"/>
                \(attributes)
                <relationship name="parent" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Node" \
        inverseName="children" inverseEntity="Node"/>
                <relationship name="children" optional="YES" toMany="YES" deletionRule="Nullify" \
        destinationEntity="Node" inverseName="parent" inverseEntity="Node"/>
                <fetchIndex name="byRank"><fetchIndexElement property="rank" type="Binary" order="ascending"/></fetchIndex>
            </entity>
        </model>

        """
    }

    /// The version `M` in code.
    static func model() throws -> ManagedObjectModel {
        try ManagedObjectModel(entities: [
            EntityDescription(
                name: "Node",
                attributes: [
                    AttributeDescription(name: "title", attributeType: .string, isOptional: true),
                    AttributeDescription(name: "rank", attributeType: .integer16, isOptional: true),
                ],
                relationships: [
                    RelationshipDescription(name: "parent", destinationEntityName: "Node", inverseName: "children"),
                    RelationshipDescription(
                        name: "children",
                        destinationEntityName: "Node",
                        inverseName: "parent",
                        isToMany: true
                    ),
                ],
                indexes: [FetchIndexDescription(name: "byRank", elements: [.init(propertyName: "rank")])]
            )
        ])
    }

    /// Writes the model `M` with the versions `M` and, if requested, `M 2`.
    static func write(to folder: URL, versionCount: Int) throws {
        let bundle = folder.appending(path: "M.xcdatamodeld")
        try? FileManager.default.removeItem(at: bundle)
        for (name, attributes) in [
            ("M", ""), ("M 2", #"<attribute name="note" optional="YES" attributeType="String"/>"#),
        ].prefix(versionCount) {
            let version = bundle.appending(path: "\(name).xcdatamodel")
            try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
            try Data(contents(attributes).utf8).write(to: version.appending(path: "contents"))
        }
        if versionCount == 2 {
            let plist = """
                <?xml version="1.0" encoding="UTF-8"?>
                <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
                <plist version="1.0">
                <dict>
                    <key>_XCCurrentVersionName</key>
                    <string>M 2.xcdatamodel</string>
                </dict>
                </plist>

                """
            try Data(plist.utf8).write(to: bundle.appending(path: ".xccurrentversion"))
        }
        try Data(#"{"stores": ["sqlite", "postgresql"]}"#.utf8).write(to: folder.appending(path: "chordata.json"))
    }
}
