internal import ChordataDiagnostics
internal import ChordataModel

/// Prints changes for a reader of a pull request, by entity, with a line at the end that says whether stores migrate.
///
/// ```
/// People → People 2
///
/// Person
///   + attribute email: String, optional
///   ~ attribute age: Integer 16 → Integer 32
///   ~ attribute surname renamed from lastName
///   - relationship boss (may lose data)
///
/// Stores have to migrate; 1 change may lose data.
/// ```
package func renderText(_ changes: [ModelChange], oldName: String, newName: String) -> String {
    var lines = ["\(oldName) → \(newName)"]
    var group: String?
    for change in changes {
        let beginsGroup = change.subject == .entity && change.kind != .changed
        let title = groupTitle(change)
        if beginsGroup || title != group {
            lines += ["", title]
            group = beginsGroup && change.kind != .renamed ? change.entityName : title
            // The title is sufficient for an added or removed entity.
            if beginsGroup && change.kind != .renamed { continue }
        }
        lines.append("  " + line(change))
    }
    lines += ["", summary(changes)]
    return lines.map { escape($0, with: .message) }.joined(separator: "\n") + "\n"
}

private func groupTitle(_ change: ModelChange) -> String {
    switch change.subject {
    case .model: return "The model"
    case .fetchRequest: return "Fetch requests"
    case .configuration: return "Configurations"
    case .entity, .attribute, .relationship, .fetchedProperty, .index, .uniquenessConstraint:
        let name = change.entityName ?? ""
        guard change.subject == .entity else { return name }
        switch change.kind {
        case .added: return "+ entity \(name)\(change.newValue.map { ": \($0)" } ?? "")\(warning(change))"
        case .removed: return "- entity \(name)\(warning(change))"
        case .renamed, .moved, .changed: return name
        }
    }
}

private func line(_ change: ModelChange) -> String {
    let noun = change.subject == .entity ? "" : "\(noun(change.subject)) \(change.name ?? "") "
    // The entity's own lines come after its name.
    let subject = change.subject == .entity || change.subject == .model ? "" : noun.dropLast()
    switch change.kind {
    case .added: return "+ \(subject)\(change.newValue.map { ": \($0)" } ?? "")"
    case .removed: return "- \(subject)\(warning(change))"
    case .renamed:
        let oldName = change.subject == .entity ? change.oldEntityName : change.oldName
        let space = subject.isEmpty ? "" : " "
        return "~ \(subject)\(space)renamed from \(oldName ?? "")\(warning(change))"
    case .moved:
        let oldName = change.oldName.map { ", where its name was \($0)" } ?? ""
        return "~ \(subject) moved from \(change.oldEntityName ?? "")\(oldName)\(warning(change))"
    case .changed: return "~ \(subject)\(subject.isEmpty ? "" : ": ")\(words(change))\(warning(change))"
    }
}

func noun(_ subject: ModelChange.Subject) -> String {
    switch subject {
    case .model: "model"
    case .entity: "entity"
    case .attribute: "attribute"
    case .relationship: "relationship"
    case .fetchedProperty: "fetched property"
    case .index: "index"
    case .uniquenessConstraint: "uniqueness constraint"
    case .fetchRequest: "fetch request"
    case .configuration: "configuration"
    }
}

private func words(_ change: ModelChange) -> String {
    guard let aspect = change.aspect else { return "" }
    if aspect == .entityNames {
        return change.newValue.map { "entity \($0) added" } ?? "entity \(change.oldValue ?? "") removed"
    }
    let (old, new) = (change.oldValue ?? "none", change.newValue ?? "none")
    switch aspect.wording {
    case .flag(let ifFalse, let ifTrue):
        return "\(old == "true" ? ifTrue : ifFalse) → \(new == "true" ? ifTrue : ifFalse)"
    case .label(let label):
        return [label, change.key, old, "→", new].compactMap(\.self).joined(separator: " ")
    case .value: return "\(old) → \(new)"
    }
}

private func warning(_ change: ModelChange) -> String { change.mayLoseData ? " (may lose data)" : "" }

private func summary(_ changes: [ModelChange]) -> String {
    guard !changes.isEmpty else { return "Nothing changed." }
    guard changes.requireMigration else { return "Stores do not have to migrate." }
    switch changes.count(where: \.mayLoseData) {
    case 0: return "Stores have to migrate."
    case 1: return "Stores have to migrate; 1 change may lose data."
    case let count: return "Stores have to migrate; \(count) changes may lose data."
    }
}

/// Prints changes as JSON:
/// `{"version":1,"from":"People","to":"People 2","requiresMigration":true,"changes":[…]}`.
///
/// A change has the fields of ``ModelChange`` as keys, all of them, in this order: `subject`, `kind`, `entityName`,
/// `oldEntityName`, `name`, `oldName`, `aspect`, `key`, `oldValue`, `newValue` (texts or null), `changesVersionHash`,
/// `mayLoseData` (booleans). `subject`, `kind` and `aspect` are the cases' names. The version changes when a key is
/// removed or its meaning changes; new keys, subjects, kinds and aspects can be added without a new version.
/// - Parameter members: More members of the object, as JSON: the command line adds `coreDataCompatibility`.
package func renderJSON(
    _ changes: [ModelChange],
    oldName: String,
    newName: String,
    members: [(String, String)] = []
) -> String {
    func text(_ value: String?) -> String { value.map(jsonString) ?? "null" }
    let items = changes.map { change in
        jsonObject([
            ("subject", text(change.subject.rawValue)), ("kind", text(change.kind.rawValue)),
            ("entityName", text(change.entityName)), ("oldEntityName", text(change.oldEntityName)),
            ("name", text(change.name)), ("oldName", text(change.oldName)), ("aspect", text(change.aspect?.rawValue)),
            ("key", text(change.key)), ("oldValue", text(change.oldValue)), ("newValue", text(change.newValue)),
            ("changesVersionHash", "\(change.changesVersionHash)"), ("mayLoseData", "\(change.mayLoseData)"),
        ])
    }
    return jsonObject(
        [
            ("version", "1"), ("from", text(oldName)), ("to", text(newName)),
            ("requiresMigration", "\(changes.requireMigration)"), ("changes", "[\(items.joined(separator: ","))]"),
        ] + members
    ) + "\n"
}
