import Foundation
import FuzzArchive
import FuzzModelFile
import FuzzPredicate

// Runs each file of a folder through a fuzz target, as libFuzzer would. Prints each name before, so that the last
// printed name is that of the file that crashed.

let targets = ["archive": fuzzArchive, "model": fuzzModelFile, "predicate": fuzzPredicate]
guard CommandLine.arguments.count == 3, let target = targets[CommandLine.arguments[1]] else {
    print("usage: replay TARGET FOLDER; the targets are \(targets.keys.sorted().joined(separator: " "))")
    exit(64)
}
let folder = URL(fileURLWithPath: CommandLine.arguments[2])
let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
guard !names.isEmpty else {
    print("error: \(folder.path) is empty")
    exit(1)
}
for name in names {
    // This does not use print, because its buffer is lost when the process crashes.
    FileHandle.standardOutput.write(Data("\(name)\n".utf8))
    try Data(contentsOf: folder.appendingPathComponent(name)).withUnsafeBytes { target($0) }
}
print("\(names.count) inputs")
