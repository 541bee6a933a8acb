package import ChordataDiagnostics

/// What the `<Model>.chordata.json` beside a model says, or the `chordata.json` of its folder.
package struct Configuration: Sendable, Hashable {
    /// What the file is called, or would be.
    package var fileName = "chordata.json"
    /// The levels of diagnostics that shall have another one than their own.
    package var diagnosticLevels: [DiagnosticID: DiagnosticLevel] = [:]
    /// Who may use generated code; `nil` when the file does not say.
    package var access: AccessLevel?
    /// Modules that generated code needs besides its own: those of the types that the model names.
    package var imports: [String] = []
    /// The name of the model in Swift and of the generated files, instead of the bundle's.
    package var name: String?
    /// Where the file has that name.
    package var nameLocation: SourceLocation?
    /// What becomes of entities whose model does not say which code they want.
    package var codeGeneration: CodeGenerationMode?
    /// Settings of single entities, by name.
    package var entities: [String: EntityConfiguration] = [:]
    /// Swift types of Transformable attributes, by the class that the model names.
    package var types: [String: String] = [:]

    /// The versions of the model, oldest first; `nil` where their names decide the order.
    package var versions: [VersionSetting]?
    /// Where the file has that list.
    package var versionsLocation: SourceLocation?
    /// The steps of the history that nothing migrates, and that are accepted.
    package var migrationGaps: [MigrationGapSetting] = []
    /// Where the file has that list.
    package var migrationGapsLocation: SourceLocation?
    /// The file for settings of this model alone: ``fileName``, or where that is for several models
    /// `<Model>.chordata.json`.
    package var fileNameOfModel = "chordata.json"

    package init(diagnosticLevels: [DiagnosticID: DiagnosticLevel] = [:]) {
        self.diagnosticLevels = diagnosticLevels
    }
}

/// Who may use generated code.
package enum AccessLevel: String, Sendable, Hashable, CaseIterable {
    case `internal`, `public`
}

/// Which code an entity gets.
package enum CodeGenerationMode: String, Sendable, Hashable, CaseIterable {
    /// The class itself, which is final unless other entities inherit.
    case `class`
    /// A superclass `_Name` with the storage; the class is the user's.
    case category
    /// Nothing; the class, as it was generated once, is among the user's files.
    case none
}

/// What a configuration says of one entity.
package struct EntityConfiguration: Sendable, Hashable {
    /// Where the file names the entity.
    package var location: SourceLocation
    package var codeGeneration: CodeGenerationMode?
    /// The name of the class, instead of the model's.
    package var className: String?
    /// The module that has the class already.
    package var module: String?

    package init(location: SourceLocation) { self.location = location }
}

/// How much a diagnostic shall count.
package enum DiagnosticLevel: String, Sendable, Hashable, CaseIterable {
    case error, warning, remark
    /// It is not shown.
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
