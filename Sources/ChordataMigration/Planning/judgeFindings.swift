internal import ChordataDiagnostics

// Decides whether a part that cannot be inferred is a task, if the program has a stage, or an error.

/// Returns descriptions of the tasks of a program's stage.
func stageTasks(_ findings: [Finding]) -> [String] {
    var tasks: [String] = []
    for case .notInferred(let part) in findings where !tasks.contains(part.message) { tasks.append(part.message) }
    return tasks
}

/// Returns the messages for the author of the model.
///
/// The phases of planning examine an inherited property for each entity that has it; it is reported once.
func planRemarks(_ findings: [Finding], _ names: VersionNames, isStage: Bool) -> [PlanRemark] {
    var remarks: [PlanRemark] = []
    for finding in findings {
        let remark: PlanRemark
        switch finding {
        case .remark(let found): remark = found
        case .notInferred(let part):
            if isStage { continue }
            remark = notInferredRemark(part, names)
        }
        if !remarks.contains(remark) { remarks.append(remark) }
    }
    return remarks
}

/// Returns the error for a part that cannot be inferred, with the changes that would make it unnecessary.
private func notInferredRemark(_ part: UninferredPart, _ names: VersionNames) -> PlanRemark {
    let byHand =
        "write the migration from '\(names.source)' to '\(names.destination)' in SQL (chordata migrate new) or in Swift "
        + "(chordata migrate new --stage '\(names.destination)')"
    return PlanRemark(
        id: .migrationNotInferred,
        message: "\(part.message); \(part.remedy.map { "\($0), or " } ?? "")\(byHand)",
        entity: part.entity,
        property: part.property
    )
}
