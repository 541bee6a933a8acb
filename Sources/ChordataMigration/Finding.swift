internal import ChordataDiagnostics

/// A problem of a change of a model, or a fact about it that the author of the model should know.
enum Finding: Hashable {
    /// A part of the migration that the two models do not determine: an error, or a task of the program's stage.
    case notInferred(UninferredPart)
    /// A property of a migration that can be inferred.
    case remark(PlanRemark)

    /// Returns a finding about objects that cannot be saved after the migration.
    static func leavesInvalid(_ message: String, entity: String, property: String) -> Finding {
        .remark(PlanRemark(id: .migrationLeavesInvalid, message: message, entity: entity, property: property))
    }

    static func notInferred(
        _ message: String,
        remedy: String? = nil,
        entity: String?,
        property: String? = nil
    ) -> Finding {
        .notInferred(UninferredPart(message: message, remedy: remedy, entity: entity, property: property))
    }
}

/// A part of a migration that cannot be inferred from the two models.
struct UninferredPart: Hashable {
    var message: String
    /// A change of the model after which the part can be inferred.
    var remedy: String?
    var entity: String?
    var property: String?
}

/// A message for the author of the model, at an entity or property of the destination.
struct PlanRemark: Hashable {
    var id: DiagnosticID
    var message: String
    var entity: String?
    var property: String?
    /// The renaming identifier that would match the entity or property with an old one.
    var renamingIdentifier: String?
}

/// The names of the two versions of a migration.
struct VersionNames {
    var source: String
    var destination: String
}
