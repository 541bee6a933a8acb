import Foundation
import Harness

/// The parent of the programs, which kills them and starts them again; it never opens the store.
struct Supervisor {
    let files: Files
    let seed: UInt64
    private var random: RandomSource
    private var programs: [Role: Child] = [:]
    private let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path
    private(set) var findings: [String] = []
    /// The last line of the last check.
    private(set) var summary = ""
    private(set) var checkCount = 0
    /// The kills of both programs at the same time.
    private(set) var commonKills = 0

    init(_ files: Files, seed: UInt64) {
        self.files = files
        self.seed = seed
        random = RandomSource(seed: seed)
    }

    mutating func run(seconds: Int) throws {
        guard try Child(program, ["create", files.folder]).wait() == 0 else {
            throw HarnessError("the store cannot be created")
        }
        for role in Role.allCases {
            try Data().write(to: URL(fileURLWithPath: files.kills(of: role)))
            try start(role)
        }
        let end = microseconds() + seconds * 1_000_000
        while findings.isEmpty {
            usleep(UInt32.random(in: 2_000_000...4_000_000, using: &random))
            guard microseconds() < end else { break }
            let victims = [[.server], [.second], [.server], Role.allCases].randomElement(using: &random) ?? []
            for role in victims.shuffled(using: &random) { try kill(role) }
            if victims.count > 1 { commonKills += 1 }
            // In half of the cases the library recovers the store before another connection opens it.
            let checksFirst = random.oneIn(2)
            if checksFirst { try check() }
            for role in victims { try start(role) }
            if !checksFirst { try check() }
        }
        try endPrograms()
        if findings.isEmpty { try check() }
    }

    private mutating func start(_ role: Role) throws {
        programs[role] = try Child(program, [role.rawValue, files.folder, "\(random.next() >> 32)"])
    }

    private mutating func kill(_ role: Role) throws {
        guard let child = programs.removeValue(forKey: role) else { return }
        Foundation.kill(child.processID, SIGKILL)
        let result = child.wait()
        if result != -SIGKILL { findings.append("the \(role) ended with \(result)") }
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: files.kills(of: role)))
        try file.seekToEnd()
        try file.write(contentsOf: Data("\(microseconds())\n".utf8))
        try file.close()
    }

    /// Runs the check in a program of its own: closing the store's file here would release locks.
    private mutating func check() throws {
        let child = try Child(program, ["check", files.folder])
        var lines: [String] = []
        while let line = child.readLine() { lines.append(String(line)) }
        let result = child.wait()
        guard result == 0 || result == 1, let last = lines.popLast() else {
            throw HarnessError("the check ended with \(result)")
        }
        checkCount += 1
        summary = last
        findings += lines
    }

    /// Lets the programs finish their operations.
    private mutating func endPrograms() throws {
        for child in programs.values { Foundation.kill(child.processID, SIGTERM) }
        let processes = programs.values.map(\.processID)
        let limit = DispatchWorkItem { for process in processes { Foundation.kill(process, SIGKILL) } }
        DispatchQueue.global().asyncAfter(deadline: .now() + 30, execute: limit)
        for (role, child) in programs {
            let result = child.wait()
            if result != 0 { findings.append("the \(role) ended with \(result) and not by itself within 30 s") }
        }
        limit.cancel()
        programs = [:]
    }
}
