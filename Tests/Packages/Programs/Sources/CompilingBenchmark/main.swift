import Contest
import Foundation

// Compares the compile time of generated code with that of handwritten final classes with the same stored properties,
// which have no other features: the CPU time of the compiler for each additional entity, because the first entity makes
// the compiler load the modules. Also measures how long the tool, built as a plugin runs it, takes to write the code.

let entityCount = 50
let rounds = 3

guard CommandLine.arguments.count == 4 else {
    print("usage: CompilingBenchmark <chordata-generate> <folder of modules> <module map of CChordataSQLite>")
    exit(64)
}
let tool = CommandLine.arguments[1]
let flags = [
    "-swift-version", "6", "-parse-as-library", "-module-name", "Compiled", "-I", CommandLine.arguments[2], "-Xcc",
    "-fmodule-map-file=" + CommandLine.arguments[3],
]
let folder = FileManager.default.temporaryDirectory.appending(path: "chordata-compiling-\(UUID().uuidString)")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }  // A folder for temporary files; nothing depends on it.

let contestants = try [1, entityCount].flatMap { count in
    [try writeHandWrittenClasses(entityCount: count), try generate(entityCount: count)]
}

// Higher numbers are regressions. The record "Types of generated properties" describes the basis of the limits.
let modes: [(name: String, flags: [String], limit: Double)] = [
    ("type-check", ["-typecheck"], 18),
    ("-Onone", ["-c", "-Onone", "-o", "/dev/null", "-wmo"], 5.5),
    ("-O", ["-c", "-O", "-o", "/dev/null", "-wmo"], 4.5),
]
let shape = "10 attributes and 2 relationships"
print("\ncompiling \(entityCount) entities with \(shape), CPU ms for each, median of \(rounds)")
for mode in modes {
    var times: [[Double]] = [[], [], [], []]
    for _ in 0..<rounds {
        for (index, files) in contestants.enumerated() {
            times[index].append(try seconds(["swiftc"] + mode.flags + flags + files.map(\.path)).cpu)
        }
    }
    let medians = times.map { $0.sorted()[$0.count / 2] }
    let (floor, ours) = (medians[2] - medians[0], medians[3] - medians[1])
    let milliseconds = [floor, ours].map { String(format: "%.1f", $0 * 1_000 / Double(entityCount - 1)) }
    print(
        "  \(mode.name.padding(toLength: 12, withPad: " ", startingAt: 0)) by hand \(milliseconds[0]), "
            + "generated \(milliseconds[1]): "
            + String(format: "%.2f x (limit %.1f)", ours / floor, mode.limit)
            + (ours / floor > mode.limit ? ": above the limit" : "")
    )
}

let large = try model(entityCount: 200)
let runs = try (0..<5).map { _ in
    try seconds([tool, large.path, "--output", folder.appending(path: "Large").path, "--shards", "25"]).wall
}
let seconds200 = String(format: "%.2f", runs.sorted()[2])
print("\ngenerating 200 entities, tool as a plugin builds it: \(seconds200) s, median of 5 (target 1)")

// MARK: Inputs

func generate(entityCount: Int) throws -> [URL] {
    let output = folder.appending(path: "Generated\(entityCount)")
    _ = try seconds([tool, try model(entityCount: entityCount).path, "--output", output.path, "--shards", "7"])
    return try FileManager.default.contentsOfDirectory(at: output, includingPropertiesForKeys: nil)
        .sorted { $0.path < $1.path }
}

func model(entityCount: Int) throws -> URL {
    let types = [
        "String", "Integer 64", "Boolean", "Date", "Double", "String", "Integer 16", "UUID", "Decimal", "Binary",
    ]
    var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<model>\n"
    for index in 0..<entityCount {
        // One in five entities inherits.
        let parent = index % 5 == 4 ? " parentEntity=\"Entity\(index - 1)\"" : ""
        text += "<entity name=\"Entity\(index)\"\(parent)>\n"
        for (position, type) in types.enumerated() {
            let options = position % 2 == 0 ? " optional=\"YES\"" : ""
            text += "<attribute name=\"attribute\(index)x\(position)\"\(options) attributeType=\"\(type)\"/>\n"
        }
        text += """
            <relationship name="next\(index)" optional="YES" maxCount="1" deletionRule="Nullify" \
            destinationEntity="Entity\(index)" inverseName="previous\(index)" inverseEntity="Entity\(index)"/>
            <relationship name="previous\(index)" optional="YES" toMany="YES" deletionRule="Nullify" \
            destinationEntity="Entity\(index)" inverseName="next\(index)" inverseEntity="Entity\(index)"/>
            </entity>

            """
    }
    let contents = folder.appending(path: "Compiled\(entityCount).xcdatamodel")
    try FileManager.default.createDirectory(at: contents, withIntermediateDirectories: true)
    try Data((text + "</model>\n").utf8).write(to: contents.appending(path: "contents"))
    return contents
}

func writeHandWrittenClasses(entityCount: Int) throws -> [URL] {
    let file = folder.appending(path: "ByHand\(entityCount).swift")
    try Data(handWrittenClasses(entityCount: entityCount).utf8).write(to: file)
    return [file]
}

func handWrittenClasses(entityCount: Int) -> String {
    let types = [
        "String?", "Int64", "Bool?", "Date", "Double?", "String", "Int16?", "UUID", "Decimal?", "Data",
    ]
    let zeros = ["nil", "0", "nil", "Date()", "nil", "\"\"", "nil", "UUID()", "nil", "Data()"]
    var text = "import Foundation\n"
    for index in 0..<entityCount {
        let isParent = index % 5 == 3
        let parent = index % 5 == 4 ? ": Entity\(index - 1)" : ""
        text += "\(isParent ? "open" : "public final") class Entity\(index)\(parent) {\n"
        for (position, type) in types.enumerated() {
            let name = "attribute\(index)x\(position)"
            text += "    public \(isParent ? "final " : "")var \(name): \(type) = \(zeros[position])\n"
        }
        text += "    public \(isParent ? "final " : "")var next\(index): AnyObject?\n"
        text += "    public \(isParent ? "final " : "")var previous\(index): [AnyObject] = []\n"
        text += parent.isEmpty ? "    public init() {}\n}\n" : "}\n"
    }
    return text
}

// MARK: Running

struct Failure: Error { var output: String }

/// Runs a command, and returns its duration and its CPU time.
func seconds(_ command: [String]) throws -> (cpu: Double, wall: Double) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    let errors = Pipe()
    process.standardError = errors
    let before = processorTime(ofChildren: true)
    let clock = ContinuousClock()
    let wall = try clock.measure {
        try process.run()
        let text = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure(output: String(decoding: text, as: UTF8.self)) }
    }
    let cpu = processorTime(ofChildren: true) - before
    return (cpu, Double(wall.components.seconds) + Double(wall.components.attoseconds) * 1e-18)
}
