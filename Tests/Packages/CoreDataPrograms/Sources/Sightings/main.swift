import CoreData
import Foundation

let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("Sightings-\(ProcessInfo.processInfo.processIdentifier)", isDirectory: true)
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)

let store = try SightingsStore(url: folder.appendingPathComponent("Sightings.sqlite"))
let viewContext = store.container.viewContext
let list = try SightingList(context: viewContext)

/// Prints the changes of each transaction as numbers by type.
func printHistory(_ transactions: [NSPersistentHistoryTransaction]) {
    for transaction in transactions {
        var counts: [String: Int] = [:]
        for change in transaction.changes ?? [] {
            switch change.changeType {
            case .insert: counts["insert", default: 0] += 1
            case .update: counts["update", default: 0] += 1
            case .delete: counts["delete", default: 0] += 1
            @unknown default: counts["?", default: 0] += 1
            }
        }
        let text = counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        print("\(transaction.author ?? "no author") in \(transaction.contextName ?? "no context"): \(text)")
    }
}

print("== First import")
let firstFile = """
    S1;Heron;2;1620000000;52.1;4.3
    S2;Kingfisher;1;1620000600;52.2;4.4
    this line is not valid
    S3;Heron;4;1620001200;52.3;4.5
    S4;Stilt;12;1620001800;52.4;4.6
    S5;Grebe;3;1620002400;52.5;4.7
    """
print("inserted: \(try await store.insertRows(SightingRow.rows(of: firstFile)))")
print("in the list: \(list.count), registered: \(viewContext.registeredObjects.count)")
printHistory(try await store.mergeHistory())
list.draw()

print("== Remote change")
var attempts = 0
while !store.sawRemoteChange && attempts < 500 {
    try await Task.sleep(nanoseconds: 10_000_000)
    attempts += 1
}
print("seen: \(store.sawRemoteChange)")

print("== Second import")
let secondFile = """
    S3;Heron;5;1620001200;52.3;4.5
    S6;Stilt;7;1620003000;52.6;4.8
    """
try await store.upsertRows(SightingRow.rows(of: secondFile))
let imports = try await store.mergeHistory()
print("authors: \(Set(imports.compactMap(\.author)).sorted())")
try list.reload()
list.draw()

print("== Verify herons")
print("verified: \(try await store.verify(species: "HERON"))")
printHistory(try await store.mergeHistory())
list.draw()

print("== Correct a number")
try await store.correct(code: "S4", quantity: 14)
let corrections = try await store.mergeHistory()
printHistory(corrections)
let properties = corrections.last?.changes?.first?.updatedProperties ?? []
print("properties: \(properties.map(\.name).sorted())")
list.draw()

print("== Delete small numbers")
print("deleted: \(try await store.deleteSightings(fewerThan: 3))")
let deletions = try await store.mergeHistory()
printHistory(deletions)
let codes = deletions.flatMap { $0.changes ?? [] }.compactMap { $0.tombstone?["code"] as? String }
print("codes: \(codes.sorted())")
list.draw()

print("== A sighting of the app")
let sighting = Sighting(context: viewContext)
sighting.code = "S9"
sighting.species = "Dipper"
sighting.quantity = 1
try viewContext.save()
print("transactions of others: \(try await store.mergeHistory().count)")
list.draw()

print("== Asynchronous fetch")
let request: NSFetchRequest<Sighting> = Sighting.fetchRequest()
let epoch = Date(timeIntervalSince1970: 0)
request.predicate = NSPredicate(format: "quantity BETWEEN {5, 14} AND seenAt >= %@", epoch as NSDate)
request.sortDescriptors = [NSSortDescriptor(keyPath: \Sighting.quantity, ascending: false)]
let found: [String] = try await withCheckedThrowingContinuation { continuation in
    let asynchronous = NSAsynchronousFetchRequest(fetchRequest: request) { result in
        continuation.resume(returning: result.finalResult?.map { $0.code ?? "" } ?? [])
    }
    do {
        _ = try viewContext.execute(asynchronous)
    } catch {
        continuation.resume(throwing: error)
    }
}
print(found)

print("== History")
print("left: \(try await store.deleteHistory())")

try? FileManager.default.removeItem(at: folder)
