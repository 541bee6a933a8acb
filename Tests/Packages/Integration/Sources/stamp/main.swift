import Foundation

// The tool of the Stamp plugin, which records the target for which it was run.

let (target, output) = (CommandLine.arguments[1], CommandLine.arguments[2])
let text = "/// The target that this was generated for.\npublic let stamp = \"\(target)\"\n"
try Data(text.utf8).write(to: URL(fileURLWithPath: output))
