import Chordata
import Foundation

/// The planned objects and, for the context that is used at the moment, the objects themselves.
final class World {
    let plan: Plan
    let report: Report
    let start = Date()
    private(set) var rows: [Row] = []
    /// From which ends relationships are set.
    var pass = 0
    /// A Boolean value that indicates whether ordered relationships are set at the moment, which is last.
    var setsOrdered = false
    /// A Boolean value that indicates whether transient attributes of the objects at hand were set.
    var keepsTransients = false
    /// The attribute that is set at the moment; `nil` for all.
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

    /// The keys of objects, by number.
    func noteKeys() {
        for row in rows { row.key = objects[row.number]?.objectID.key ?? 0 }
        report.expect(Set(rows.map(\.key)).count == rows.count, "objects share numbers")
    }
}
