package import ChordataDiagnostics

/// The settings of the `<Model>.chordata.json` beside a model, or of the `chordata.json` of its folder.
package struct Configuration: Sendable, Hashable {
    /// The name of the file, whether it exists or not.
    package var fileName = "chordata.json"
    /// The diagnostics whose level the file sets, with these levels.
    package var diagnosticLevels: [DiagnosticID: DiagnosticLevel] = [:]
    /// The access level of generated code; `nil` when the file does not set it.
    package var access: AccessLevel?
    /// Modules that generated code must import in addition to its own: those of the types that the model names.
    package var imports: [String] = []
    /// The name of the model in Swift and of the generated files, instead of the bundle's.
    package var name: String?
    /// The place of that name in the file.
    package var nameLocation: SourceLocation?
    /// The code generation of entities for which the model does not specify it.
    package var codeGeneration: CodeGenerationMode?
    /// The rule for the types of the properties of generated classes.
    package var optionality = Optionality.model
    /// Settings of single entities, by name.
    package var entities: [String: EntityConfiguration] = [:]
    /// Swift types of Transformable attributes, by the class that the model names.
    package var types: [String: SwiftType] = [:]

    /// The kinds of the stores whose migrations are written; a step always has SQL for SQLite.
    package var stores: Set<StoreKind> = [.sqlite]

    /// The versions of the model, oldest first; `nil` if their names decide the order.
    package var versions: [VersionSetting]?
    /// The place of that list in the file.
    package var versionsLocation: SourceLocation?
    /// The accepted gaps: steps without a migration.
    package var migrationGaps: [MigrationGapSetting] = []
    /// The place of that list in the file.
    package var migrationGapsLocation: SourceLocation?
    /// The name of the file for settings of this model only: ``fileName``, or `<Model>.chordata.json` if several models
    /// share that file.
    package var fileNameOfModel = "chordata.json"

    package init(diagnosticLevels: [DiagnosticID: DiagnosticLevel] = [:]) {
        self.diagnosticLevels = diagnosticLevels
    }
}

/// A kind of store.
package enum StoreKind: String, Sendable, Hashable, CaseIterable {
    case sqlite, postgresql
}

/// The access level of generated code.
package enum AccessLevel: String, Sendable, Hashable, CaseIterable {
    case `internal`, `public`
}

/// The code generation of an entity.
package enum CodeGenerationMode: String, Sendable, Hashable, CaseIterable {
    /// The class itself, which is final unless other entities inherit.
    case `class`
    /// A superclass `_Name` with the storage; the user writes the class.
    case category
    /// Nothing is generated, because the class, which was generated once, is among the user's files.
    case none
}

/// The rule that decides which types the properties of generated classes have.
package enum Optionality: String, Sendable, Hashable, CaseIterable {
    /// The types of the model: a property is optional if the attribute is.
    case model
    /// The types of the classes that Xcode generates.
    case coreData
}

/// The settings of a configuration for one entity.
package struct EntityConfiguration: Sendable, Hashable {
    /// The place of the entity's name in the file.
    package var location: SourceLocation
    package var codeGeneration: CodeGenerationMode?
    /// The name of the class, which replaces that of the model.
    package var className: String?
    /// The module that already contains the class; `nil` if the class is in the module of the model.
    package var module: String?

    package init(location: SourceLocation) { self.location = location }
}

/// The level of a diagnostic.
package enum DiagnosticLevel: String, Sendable, Hashable, CaseIterable {
    case error, warning, remark
    /// The diagnostic is not shown.
    case ignore

    var severity: Diagnostic.Severity? {
        switch self {
        case .error: .error
        case .warning: .warning
        case .remark: .remark
        case .ignore: nil
        }
    }
}
