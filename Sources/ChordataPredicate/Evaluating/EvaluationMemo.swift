/// The answers of conditions about the members of objects that to-ones reference, for the evaluation of many objects.
///
/// A condition such as `ANY team.players.name == 'A'` has one answer for each team, however many players reference the
/// team. The answers hold while no object changes: call ``removeAll()`` before another evaluation of many objects.
package final class EvaluationMemo {
    /// By condition, and by the identity of the referenced object, which stays in memory.
    private var answers: [[ObjectIdentifier: (object: AnyObject, isMet: Bool)]] = []

    package init() {}

    package func removeAll() {
        for index in answers.indices { answers[index] = [:] }
    }

    /// - Returns: The index of a new condition.
    func addCondition() -> Int {
        answers.append([:])
        return answers.count - 1
    }

    func answer(of condition: Int, for object: AnyObject) -> Bool? {
        answers[condition][ObjectIdentifier(object)]?.isMet
    }

    func setAnswer(_ isMet: Bool, of condition: Int, for object: AnyObject) {
        answers[condition][ObjectIdentifier(object)] = (object, isMet)
    }
}
