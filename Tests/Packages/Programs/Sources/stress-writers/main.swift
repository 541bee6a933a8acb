import Foundation
import Harness

// stress-writers SECONDS [--seed SEED]
//
// Runs two programs that write to one store, 'server' with 16 clients and 'second' with 4, and kills one of them, or
// both, every 2 to 4 seconds. After each kill, the store is compared with the records of the clients. Exit codes: 0 no
// findings, 1 findings, 2 the run itself failed, 64 usage.

func fail(_ message: String, _ code: Int32) -> Never {
    FileHandle.standardError.write(Data("\(message)\n".utf8))
    exit(code)
}

let arguments = CommandLine.arguments.dropFirst()
let usage = "usage: stress-writers SECONDS [--seed SEED]"
switch (arguments.first ?? "", arguments.count) {
case ("create", 2): try createStore(Files(folder: arguments[2]))
case ("check", 2):
    let check = try LedgerCheck(Files(folder: arguments[2]))
    for finding in check.findings.prefix(10) { print(finding) }
    print(check.counts.description)
    exit(check.findings.isEmpty ? 0 : 1)
case (let name, 3) where Role(rawValue: name) != nil:
    guard let role = Role(rawValue: name), let seed = UInt64(arguments[3]) else { fail(usage, 64) }
    try await work(role, seed: seed, Files(folder: arguments[2]))
default:
    guard let seconds = arguments.first.flatMap({ Int($0) }), seconds > 0 else { fail(usage, 64) }
    var seed = UInt64.random(in: 1...999_999_999)
    if arguments.count > 1 {
        guard arguments.count == 3, arguments[2] == "--seed", let given = UInt64(arguments[3]) else { fail(usage, 64) }
        seed = given
    }
    superviseWriters(seconds: seconds, seed: seed)
}
