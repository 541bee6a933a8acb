import Foundation

/// Adds rows to the array in a JSON file, because several programs write to it; creates the file if it does not exist.
func appendRows(_ results: [ComparisonResult], toFileAt path: String) throws {
    let file = URL(fileURLWithPath: path)
    var all: [Any] = []
    if FileManager.default.fileExists(atPath: path) {
        all = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [Any] ?? []
    }
    for result in results { all.append(result.object) }
    let data = try JSONSerialization.data(withJSONObject: all, options: [.prettyPrinted, .sortedKeys])
    try data.write(to: file)
}
