internal import ChordataDiagnostics
internal import ChordataModel
internal import ChordataSQL

/// Plans a migration: first which rows go where (``RowFlow``), then where each column's values come from, then the
/// statements.
///
/// Rows keep their keys, which no two rows of a store share, so they may change tables. What an entity does not have is
/// NULL in its rows; every plan keeps it so.
struct MigrationPlanner {
    /// A message for the author of the model.
    struct Finding: Hashable {
        var id: DiagnosticID
        var message: String
        var entity: String?
        var property: String?
        /// The identifier that would make it the same as something old.
        var renamingIdentifier: String?
    }

    let match: ModelMatch
    let sourceName: String
    let destinationName: String
    let sourceMapping: SchemaMapping
    let mapping: SchemaMapping
    let causes: MigrationCauses
    /// The conditions on old rows.
    var checks: [ValueCheck] = []
    /// The temporary name of each table of entities, before all tables get their final names.
    private(set) var currentNames: [String: String] = [:]
    private(set) var findings: [Finding] = []
    /// A Boolean value that indicates whether the program does what cannot be inferred.
    let isStage: Bool
    /// Its meaning.
    private(set) var tasksOfStage: [String] = []
    /// The conditions after its end.
    var stepsAfterStage: [MigrationStep] = []

    init(
        from source: ManagedObjectModel,
        to destination: ManagedObjectModel,
        sourceName: String,
        destinationName: String,
        isStage: Bool
    ) {
        self.isStage = isStage
        match = ModelMatch(source: source, destination: destination)
        self.sourceName = sourceName
        self.destinationName = destinationName
        sourceMapping = makeSchemaMapping(of: source)
        mapping = makeSchemaMapping(of: destination)
        causes = MigrationCauses(compareModels(source, destination), source: source)
    }

    mutating func plan() -> [MigrationStep] {
        refuseMergedRelationships()
        rejectDuplicateRenamingIDs()
        var tables = planTables()
        currentNames = Dictionary(uniqueKeysWithValues: tables.map { ($0.table.name, $0.currentName) })
        tables = decide(tables)
        let joins = planJoinTables(tables)
        let externals = planExternalTables(tables)
        let all = MigrationTables(entities: tables, joins: joins, externals: externals)
        let steps = makeSteps(all)
        stepsAfterStage = stepsBehindStage(all)
        lint(steps, tables)
        return steps
    }

    // MARK: Findings

    mutating func add(_ finding: Finding) {
        // An inherited property is examined a single time for each entity that has it.
        if !findings.contains(finding) { findings.append(finding) }
    }

    /// Notes what cannot be done without knowing more, and what would do in place of doing it by hand.
    mutating func refuse(_ message: String, remedy: String? = nil, entity: String?, property: String? = nil) {
        if isStage {
            if !tasksOfStage.contains(message) { tasksOfStage.append(message) }
            return
        }
        let byHand =
            "write the migration from '\(sourceName)' to '\(destinationName)' in SQL (chordata migrate new) or in Swift "
            + "(chordata migrate new --stage '\(destinationName)')"
        let message = "\(message); \(remedy.map { "\($0), or " } ?? "")\(byHand)"
        add(Finding(id: .migrationNotInferred, message: message, entity: entity, property: property))
    }

    mutating func leaveInvalid(_ message: String, entity: String, property: String) {
        add(Finding(id: .migrationLeavesInvalid, message: message, entity: entity, property: property))
    }
}

/// The changes of a model by what they are of, so that each statement can say what asked for it.
struct MigrationCauses {
    let changes: [ModelChange]
    private let source: ManagedObjectModel

    init(_ changes: [ModelChange], source: ManagedObjectModel) {
        self.changes = changes
        self.source = source
    }

    /// The causes of a change of a destination's property, which the entity or a superentity declares, or of the
    /// entity.
    func ofProperty(_ name: String, declaredBy entity: String) -> [ModelChange] {
        // All of what is new is new.
        let ofEntity = ofEntity(entity)
        if ofEntity.contains(where: { $0.kind == .added }) { return ofEntity }
        let found = changes.filter {
            $0.entityName == entity && $0.name.map { Self.begins($0, with: name) } == true && $0.kind != .removed
                && ($0.subject == .attribute || $0.subject == .relationship) && $0.changesTables
        }
        return found.isEmpty ? ofEntity : found
    }

    /// The change of an old property.
    func ofRemovedProperty(_ name: String, declaredBy entity: String) -> [ModelChange] {
        changes.filter {
            ($0.oldEntityName ?? $0.entityName) == entity
                && ($0.oldName ?? $0.name).map { Self.begins($0, with: name) } == true
                && ($0.subject == .attribute || $0.subject == .relationship) && $0.changesTables
        }
    }

    /// The added or removed entities.
    func entities(_ kind: ModelChange.Kind) -> [String] {
        changes.filter { $0.subject == .entity && $0.kind == kind }.compactMap(\.entityName)
    }

    /// The removed attributes and relationships of an old entity.
    func ofRemovedProperties(of entity: String) -> [ModelChange] {
        changes.filter {
            ($0.oldEntityName ?? $0.entityName) == entity && $0.kind == .removed
                && ($0.subject == .attribute || $0.subject == .relationship)
        }
    }

    /// The change of a destination's entity itself.
    func ofEntity(_ name: String) -> [ModelChange] {
        changes.filter { $0.subject == .entity && $0.entityName == name && $0.kind != .removed && $0.changesTables }
    }

    /// The change of an old entity itself.
    func ofOldEntity(_ name: String) -> [ModelChange] {
        changes.filter { $0.subject == .entity && ($0.oldEntityName ?? $0.entityName) == name && $0.changesTables }
    }

    /// A composite's changes are those of its elements.
    private static func begins(_ path: String, with name: String) -> Bool {
        path == name || path.hasPrefix(name + ".")
    }
}

extension ModelChange {
    /// A Boolean value that indicates whether it is one that tables or rows may have to follow.
    fileprivate var changesTables: Bool {
        guard kind == .changed else { return true }
        return switch aspect {
        case .isAbstract, .superentityName, .isOptional, .isTransient, .attributeType, .derivationExpression,
            .allowsExternalBinaryDataStorage, .destinationEntityName, .inverseName, .isToMany, .isOrdered:
            true
        default: false  // All others leave tables as they are.
        }
    }
}
