import CoreData
import Foundation

let directory = FileManager.default.temporaryDirectory
    .appending(path: "SyncClient-\(ProcessInfo.processInfo.processIdentifier)", directoryHint: .isDirectory)
try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)

let server = Server()
let phone = try Device("phone", directory: directory)
let tablet = try Device("tablet", directory: directory, sharing: phone)
let phoneEngine = SyncEngine(phone, server: server)
let tabletEngine = SyncEngine(tablet, server: server)

print("== First notes")
try await phone.write("n1", title: "Groceries", at: 1)
try await phone.write("n2", title: "Ideas", at: 2)
print(try await phoneEngine.synchronize())
print(try await tabletEngine.synchronize())
print("tablet: \(try await tablet.titles())")

print("== Edits on the tablet")
let screen = NotesScreen(phone)
try screen.load()
print("screen: \(screen.titles)")
try await tablet.write("n1", title: "Groceries for Sunday", at: 5)
try await tablet.write("n3", title: "Packing", at: 6)
print(try await tabletEngine.synchronize())
print(try await phoneEngine.synchronize())
print("phone: \(try await phone.titles())")
print("screen: \(screen.titles)")
print("merged: \(try await phone.mergeIntoViewContext())")
print("screen: \(screen.titles)")
try screen.load()
print("screen: \(screen.titles)")

print("== Two edits of one note")
try await phone.write("n2", title: "Ideas A", at: 10)
try await tablet.write("n2", title: "Ideas B", at: 11)
print(try await phoneEngine.synchronize())
print(try await tabletEngine.synchronize())
print(try await phoneEngine.synchronize())
print("phone: \(try await phone.titles())")
print("tablet: \(try await tablet.titles())")

print("== A change that is only local")
try await phone.pin("n3")
print(try await phoneEngine.synchronize())

print("== Delete")
try await tablet.delete("n1")
print(try await tabletEngine.synchronize())
print(try await phoneEngine.synchronize())
print("phone: \(try await phone.titles())")

print("== Restart")
let encoded = try JSONEncoder().encode(await phoneEngine.state)
let state = try JSONDecoder().decode(SyncState.self, from: encoded)
print("has a token: \(state.token != nil)")
let restarted = try Device("phone", directory: directory, sharing: phone)
let restartedEngine = SyncEngine(restarted, server: server, state: state)
print(try await restartedEngine.synchronize())
print("phone without a token: \(try await restarted.localChanges(after: nil).payloads.map(\.label))")
print("tablet without a token: \(try await tablet.localChanges(after: nil).payloads.map(\.label))")
let coordinator = restarted.container.persistentStoreCoordinator
print("current token: \(coordinator.currentPersistentHistoryToken(fromStores: nil) != nil)")

print("== Attachments")
let first: [(noteID: String, name: String, size: Int64)] = [
    ("n2", "a.png", 100), ("n2", "b.png", 200), ("n3", "a.png", 300),
]
print(try await phone.insertAttachments(first, replacing: false))
print(try await phone.insertAttachments([("n2", "a.png", 150), ("n3", "c.png", 50)], replacing: true))
do {
    print(try await phone.insertAttachments([("n4", "d.png", 10), ("n2", "b.png", 1)], replacing: false))
} catch {
    print("rejected")
}
print(try await phone.insertAttachments([], replacing: true))

try FileManager.default.removeItem(at: directory)
