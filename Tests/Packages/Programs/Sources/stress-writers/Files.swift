/// The files of a run.
struct Files: Sendable {
    let folder: String
    var store: String { folder + "/ledger.sqlite" }
    /// The times of the kills of a program, a line for each.
    func kills(of role: Role) -> String { folder + "/kills-\(role.rawValue)" }
    func record(of client: Int) -> String { folder + "/client-\(client)" }
}
