import Foundation

/// Returns the figures of pgbench for its transaction `simple-update`, which is five round trips, on the same server.
func pgbenchFigures(_ connectionString: String) throws -> String {
    guard let program = findPgbench() else { return "\npgbench is not installed" }
    let administrator = try BareConnection(connectionString)
    try administrator.execute("CREATE SCHEMA pgbench")
    func run(_ arguments: String...) throws -> String {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments + [connectionString]
        var variables = ProcessInfo.processInfo.environment
        variables["PGOPTIONS"] = "-c search_path=pgbench"
        process.environment = variables
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw BareError(message: "pgbench has failed") }
        return String(decoding: data, as: UTF8.self)
    }
    _ = try run("-i", "-q")
    let output = try run("-n", "-N", "-M", "prepared", "-c", "1", "-T", "3")
    try administrator.execute("DROP SCHEMA pgbench CASCADE")
    let figures = output.split(separator: "\n").filter { $0.hasPrefix("latency average") || $0.hasPrefix("tps") }
    return "\npgbench, simple-update, prepared, one client: " + figures.joined(separator: ", ")
}

private func findPgbench() -> URL? {
    let variables = ProcessInfo.processInfo.environment
    var folders = [variables["CHORDATA_POSTGRES_BIN"]].compactMap { $0 }
    // Debian's folders have the numbers of versions; all of them have two digits.
    let debian = "/usr/lib/postgresql"
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: debian)) ?? []
    folders += versions.sorted().reversed().map { "\(debian)/\($0)/bin" }
    folders += (variables["PATH"] ?? "").split(separator: ":").map(String.init)
    let path = folders.map { $0 + "/pgbench" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    return path.map { URL(fileURLWithPath: $0) }
}
