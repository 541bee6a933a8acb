import Foundation
import Workload

/// Performs the remaining saves of several writers, and acknowledges each.
func saveTogether(_ plans: WriterPlans, folder: String, waitsForDisk: Bool, acknowledgesEarly: Bool) async throws {
    let acknowledger = Acknowledger(isEarly: acknowledgesEarly)
    let store = try AlbumStore(folder: folder, waitsForDisk: waitsForDisk, statementLogger: acknowledger.logger)
    try store.insertCounter()
    let contents = try store.contents()
    let counts = plans.indices.map { writer in
        guard let count = plans[writer].saveCount(of: contents.digest(of: writer)) else { failBecauseOfContents() }
        return count
    }
    acknowledger.begin(store.identifier, counts)
    try await store.saveTogether(plans, after: counts, acknowledger)
}
