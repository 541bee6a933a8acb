import Foundation

/// A note as it is sent between a device and the server.
struct NotePayload: Sendable, Codable {
    var remoteID: String
    var title: String
    var updatedAt: Date
    var isDeleted = false

    /// The ID, with a minus sign if the note is deleted.
    var label: String { isDeleted ? "-\(remoteID)" : remoteID }
}

/// A stand-in for the server, which keeps the newest version of each note.
actor Server {
    private var notes: [String: (payload: NotePayload, revision: Int)] = [:]
    private var revision = 0

    /// Returns the number of payloads that are newer than those of the server.
    func push(_ payloads: [NotePayload]) -> Int {
        var accepted = 0
        for payload in payloads {
            if let known = notes[payload.remoteID], known.payload.updatedAt >= payload.updatedAt { continue }
            revision += 1
            notes[payload.remoteID] = (payload, revision)
            accepted += 1
        }
        return accepted
    }

    func changes(since last: Int) -> (payloads: [NotePayload], revision: Int) {
        let changed = notes.values.filter { $0.revision > last }.sorted { $0.revision < $1.revision }
        return (changed.map(\.payload), revision)
    }
}
