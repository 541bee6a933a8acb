/// Returns a sentence about a change: `attribute 'age' of 'Person' was Integer 16, is Integer 32`.
func sentence(_ change: ModelChange) -> String {
    let owner = change.subject == .entity ? nil : change.entityName
    let name = (change.subject == .entity ? change.entityName : change.name).map { "'\($0)'" }
    let place = [noun(change.subject), name, owner.map { "of '\($0)'" }].compactMap(\.self).joined(separator: " ")
    switch change.kind {
    case .added: return place + " is new"
    case .removed: return place + " was removed"
    case .renamed:
        let oldName = (change.subject == .entity ? change.oldEntityName : change.oldName) ?? ""
        return "\(place) was called '\(oldName)'"
    case .moved:
        let name = change.oldName.map { "'\($0)' of " } ?? ""
        return "\(place) was \(name)'\(change.oldEntityName ?? "")' before"
    case .changed:
        let (old, new) = (change.oldValue ?? "none", change.newValue ?? "none")
        switch change.aspect?.wording {
        case .flag(let ifFalse, let ifTrue)?:
            return "\(place) was \(old == "true" ? ifTrue : ifFalse), is \(new == "true" ? ifTrue : ifFalse)"
        case .label(let label)?:
            let subject = [label, change.key].compactMap(\.self).joined(separator: " ")
            return "\(place): \(subject) was \(old), is \(new)"
        case .value?, nil: return "\(place) was \(old), is \(new)"
        }
    }
}
