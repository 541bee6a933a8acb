import Chordata
import Foundation

/// The planned objects, and the corresponding objects of the context that is currently used.
final class World {
    let plan: Plan
    let report: Report
    let start = Date()
    private(set) var rows: [Row] = []
    /// The current pass, which determines the ends from which relationships are set.
    var pass = 0
    /// A Boolean value that indicates whether ordered relationships are being set, which happens last.
    var setsOrdered = false
    /// A Boolean value that indicates whether transient attributes of the current objects were set.
    var keepsTransients = false
    /// The attribute that is being set; `nil` for all.
    var onlyAttribute: String?
    /// Objects by number.
    var objects: [Int: ManagedObject] = [:]

    init(_ plan: Plan, _ report: Report) {
        self.plan = plan
        self.report = report
        rows = plan.objects.indices.map { Row($0, self) }
    }

    /// Returns whether a value is a date, or its seconds, since the round trip began.
    func isNow(_ value: Any?) -> Bool {
        let seconds = (value as? Date)?.timeIntervalSinceReferenceDate ?? value as? Double
        return seconds.map { (start...Date()).contains(Date(timeIntervalSinceReferenceDate: $0)) } ?? false
    }

    func object(_ number: Int) -> ManagedObject? { objects[number] }

    /// Records the row keys of objects, by number.
    func noteKeys() {
        for row in rows { row.key = objects[row.number]?.objectID.key ?? 0 }
        report.expect(Set(rows.map(\.key)).count == rows.count, "objects share numbers")
    }
}
