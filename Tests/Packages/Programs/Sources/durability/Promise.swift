import Workload

/// The acknowledged contents that must be in a store.
struct Promise {
    let plans: WriterPlans
    /// The store of the last acknowledgement; `nil` before there was one.
    private(set) var store: String?
    /// The number of acknowledged saves, by writer.
    private(set) var acknowledged: [Int]
    /// The transactions of the current program.
    private(set) var groups = Acknowledgement.Groups()
    /// The saves that were acknowledged before each acknowledgement, by writer and number of saves.
    private var earlier: [[Int: [Int]]]

    init(_ plans: WriterPlans) {
        self.plans = plans
        acknowledged = plans.map { _ in 0 }
        earlier = plans.map { _ in [:] }
    }

    mutating func add(_ acknowledgement: Acknowledgement) {
        let (writer, saves) = (acknowledgement.writer, acknowledgement.saves)
        store = acknowledgement.store
        acknowledged[writer] = saves
        if plans.count > 1 { earlier[writer][saves] = acknowledged }
        groups = acknowledgement.groups ?? groups
    }

    /// Records that another program continues with the store.
    mutating func beginProgram() { groups = Acknowledgement.Groups() }

    /// A Boolean value that indicates whether the store has the newer version.
    ///
    /// The writer acknowledges the migration like a save, after all saves of the plan.
    var isMigrated: Bool { acknowledged[0] > plans[0].count }

    /// Returns whether a writer has more saves than the acknowledged ones and one in progress.
    func hasTooMany(_ saves: Int, of writer: Int) -> Bool { saves > acknowledged[writer] + (store == nil ? 0 : 1) }

    /// The saves that were acknowledged before the last stored save of a writer began, by writer.
    func precedingSaves(_ saves: Int, of writer: Int) -> [Int]? { earlier[writer][saves - 1] }

    var description: String {
        guard store != nil else { return "nothing" }
        return "\(acknowledged.map(String.init).joined(separator: " + ")) saves"
    }
}
