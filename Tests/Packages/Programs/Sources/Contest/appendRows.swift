import Foundation

/// Adds rows to the array in a JSON file, because several programs write to it; creates the file if it does not exist.
public func appendRows(_ rows: [[String: Any]], toFileAt path: String) throws {
    let file = URL(fileURLWithPath: path)
    var all: [Any] = []
    if FileManager.default.fileExists(atPath: path) {
        all = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [Any] ?? []
    }
    let data = try JSONSerialization.data(withJSONObject: all + rows, options: [.prettyPrinted, .sortedKeys])
    try data.write(to: file)
}

/// Adds rows to the file that `CHORDATA_BENCHMARK_JSON` names; does nothing if the variable is not set.
func recordRows(_ rows: [[String: Any]]) throws {
    guard let path = ProcessInfo.processInfo.environment["CHORDATA_BENCHMARK_JSON"] else { return }
    try appendRows(rows, toFileAt: path)
}
