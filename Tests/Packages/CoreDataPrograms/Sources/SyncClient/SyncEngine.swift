import Foundation

/// The state that a device keeps between two synchronizations.
struct SyncState: Sendable, Codable {
    var revision = 0
    var token: Data?
}

/// Synchronizes a device with the server: it imports newer notes, then uploads the changes of the user.
actor SyncEngine {
    private let device: Device
    private let server: Server
    private(set) var state: SyncState

    init(_ device: Device, server: Server, state: SyncState = SyncState()) {
        self.device = device
        self.server = server
        self.state = state
    }

    /// Returns a line for the console.
    func synchronize() async throws -> String {
        let (payloads, revision) = await server.changes(since: state.revision)
        let report = try await device.apply(payloads)
        let local = try await device.localChanges(after: state.token)
        let accepted = await server.push(local.payloads)
        state = SyncState(revision: revision, token: local.token)
        return """
            \(device.name): applied \(report.applied), replaced \(report.replaced), \
            pushed \(local.payloads.map(\.label)), accepted \(accepted)
            """
    }
}
