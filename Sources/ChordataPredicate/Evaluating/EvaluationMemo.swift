/// The results of conditions on to-many relationships of objects that to-one relationships reference, for the
/// evaluation of many objects.
///
/// A condition such as `ANY team.players.name == 'A'` has one result for each team, for all players that reference it.
/// The results are valid while no object changes: call ``removeAll()`` before the next evaluation of many objects.
package final class EvaluationMemo {
    /// The results by condition, and by the address of the referenced object, which is retained so that no other object
    /// gets that address.
    private var results: [[ObjectIdentifier: (object: AnyObject, isMet: Bool)]] = []

    package init() {}

    package func removeAll() {
        for index in results.indices { results[index] = [:] }
    }

    /// - Returns: The index of a new condition.
    func addCondition() -> Int {
        results.append([:])
        return results.count - 1
    }

    func result(of condition: Int, for object: AnyObject) -> Bool? {
        results[condition][ObjectIdentifier(object)]?.isMet
    }

    func setResult(_ isMet: Bool, of condition: Int, for object: AnyObject) {
        results[condition][ObjectIdentifier(object)] = (object, isMet)
    }
}
