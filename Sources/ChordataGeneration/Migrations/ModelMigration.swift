package import ChordataDiagnostics
package import ChordataMigration
internal import ChordataModel
package import ChordataModelFile
internal import ChordataSQL

/// The step from one version of a model to the next.
package struct ModelMigration: Sendable {
    /// Where its SQL comes from.
    package enum Origin: String, Sendable, Hashable {
        /// The two models, each time anew.
        case planned
        /// A file that somebody has written or edited.
        case written
        /// A file that is released.
        case released
    }

    package let source: ModelVersion
    package let destination: ModelVersion
    package let origin: Origin
    /// Whether somebody has written or edited the SQL, so that it may do other things than what is inferred.
    package let isByHand: Bool
    /// Whether the program has a part in it, which its own stages do.
    package let hasStage: Bool
    /// What is to be done; `nil` where it cannot be inferred, or a file says it.
    package let plan: MigrationPlan?
    /// The statements as text; `nil` where there is no way.
    package let sql: String?
    package let diagnostics: [Diagnostic]
    /// Whether stores have to do anything.
    package let changesStores: Bool

    /// - Parameters:
    ///   - confusions: What is wrong with the destination itself.
    ///   - isStage: Whether it is to have a stage, whatever its file says.
    init(
        from source: ModelVersion,
        to destination: ModelVersion,
        confusions: [Diagnostic],
        _ files: MigrationFiles,
        _ lock: MigrationLock,
        isStage: Bool
    ) {
        self.source = source
        self.destination = destination
        changesStores = source.model.versionHash != destination.model.versionHash
        let name = MigrationFiles.name(from: source.name, to: destination.name)
        var text = changesStores ? files.texts[name].map { MigrationText($0) } : nil
        // A file in which nobody has written anything gives way.
        if isStage, text?.hasStatements == false, lock[.migration, name] == nil { text = nil }
        isByHand = text?.isGenerated == false
        hasStage = changesStores && (text?.hasStage == true || isStage && !isByHand && lock[.migration, name] == nil)
        if let text, lock[.migration, name] != nil || isByHand {
            origin = lock[.migration, name] == nil ? .written : .released
            plan = nil
            sql = text.text
            diagnostics = confusions + (text.hasStatements ? [] : [Self.empty(files.place(of: name))])
            return
        }
        let planned = planMigration(
            from: source.model,
            to: destination.model,
            sourceName: source.name,
            destinationName: destination.name,
            isStage: hasStage,
            locate: { entity, property in
                guard let entity else { return destination.locations.model }
                return property.flatMap { destination.locations.property($0, of: entity) }
                    ?? destination.locations.entity(entity)
            },
            rename: { destination.locations.renaming($1, of: $0, identifier: $2) }
        )
        origin = .planned
        plan = planned.plan
        sql = planned.plan.map(renderMigration)
        let isStale = text != nil && text != sql.map { MigrationText(generated: $0) }
        diagnostics =
            planned.diagnostics + confusions + (isStale ? [Self.stale(files.place(of: name))] : [])
            + (changesStores ? [] : Self.unseen(planned.plan, source, destination))
    }

    /// What its file is called.
    package var fileName: String { MigrationFiles.name(from: source.name, to: destination.name) }

    /// What stores are not told of, because the two versions have one hash.
    private static func unseen(_ plan: MigrationPlan?, _ source: ModelVersion, _ destination: ModelVersion)
        -> [Diagnostic]
    {
        // Indexes follow the model by themselves.
        let steps = (plan?.steps ?? []).filter { $0.kind != .createIndex && $0.kind != .dropIndex }
        guard let change = steps.flatMap(\.causes).first, let entity = change.entityName else { return [] }
        return [confusion(of: destination, with: source, entity: entity, property: change.name)]
    }

    private static func empty(_ place: SourceLocation) -> Diagnostic {
        Diagnostic(
            .emptyMigration,
            "the file has no statement; write those that take a store from one version to the other, or remove the file",
            at: place
        )
    }

    private static func stale(_ place: SourceLocation) -> Diagnostic {
        Diagnostic(
            .staleMigration,
            "the model has changed since the file was generated, and what is built follows the model; run 'chordata migrate new'",
            at: place
        )
    }
}

extension ModelBundle {
    /// The steps between two versions, in order.
    ///
    /// - Parameter stages: the versions whose steps are to have stages, in addition to those whose files say so.
    package func migrations(
        from first: Int,
        to last: Int,
        _ files: MigrationFiles,
        stages: Set<String> = []
    ) -> [ModelMigration] {
        var ignored: [Diagnostic] = []
        // What is wrong with it is told by ``check(_:)``.
        let lock = MigrationLock(reading: files, &ignored)
        let confusions = confusions(upTo: last)
        return versions.indices[first...last].dropFirst().map { index in
            ModelMigration(
                from: versions[index - 1],
                to: versions[index],
                confusions: confusions[index] ?? [],
                files,
                lock,
                isStage: stages.contains(versions[index].name)
            )
        }
    }

    /// Checks the files of migrations: what is released must be as it was, and each is that of a step.
    package func check(_ files: MigrationFiles) -> [Diagnostic] {
        var diagnostics: [Diagnostic] = []
        let lock = MigrationLock(reading: files, &diagnostics)
        diagnostics += lock.check(self, files)
        if !files.isEmpty { diagnostics += checkMigrationFileNames(files) }
        let names = migrationFileNames
        for name in files.texts.keys.sorted() where !names.contains(name) && lock[.migration, name] == nil {
            let near = names.map { "'\($0)'" }.joined(separator: ", ")
            diagnostics.append(
                Diagnostic(
                    .strayMigration,
                    "the file is that of no step of the model that changes stores"
                        + (names.isEmpty || names.count > 3 ? "" : ", which would be \(near)")
                        + "; give it the name of one, '<from> to <to>.sql', or remove it",
                    at: files.place(of: name)
                )
            )
        }
        return diagnostics
    }

    /// What the files of the steps are called that change stores.
    var migrationFileNames: [String] {
        zip(versions, versions.dropFirst()).filter { $0.model.versionHash != $1.model.versionHash }
            .map { MigrationFiles.name(from: $0.name, to: $1.name) }
    }

    /// Checks that each step can have a file of its own.
    package func checkMigrationFileNames(_ files: MigrationFiles) -> [Diagnostic] {
        var seen: Set<String> = []
        return migrationFileNames.compactMap { name in
            let isUnwritable = name.unicodeScalars.contains { $0.properties.generalCategory == .control || $0 == "/" }
            guard isUnwritable || !seen.insert(name).inserted else { return nil }
            return Diagnostic(
                .strayMigration,
                isUnwritable
                    ? "no file can be called '\(name)'; give the version a name without control characters"
                    : "two steps of the model would have the file '\(name)'; give one of their versions another name",
                at: files.place(of: ""),
                severity: .error
            )
        }
    }

    /// The names of the versions by their hashes; of versions that do not differ in what a store holds the first one's.
    package var versionNames: [String: String] {
        var names: [String: String] = [:]
        for version in versions where names[version.model.versionHash] == nil {
            names[version.model.versionHash] = version.name
        }
        return names
    }
}

extension [ModelMigration] {
    /// What a build has to say of the steps up to the current version.
    ///
    /// What earlier steps dropped is history. Where one has no way there is none for stores of before it, which nobody can help any
    /// more by changing the model: a warning.
    func buildDiagnostics(isHistory: Bool) -> [Diagnostic] {
        enumerated().flatMap { index, step in
            // What others read is for whoever asks.
            if index == count - 1, !isHistory { return step.diagnostics.filter { $0.id != .migrationBreaksReaders } }
            return step.diagnostics.compactMap { diagnostic -> Diagnostic? in
                switch diagnostic.id {
                case .migrationNotInferred, .indistinguishableVersions:
                    var diagnostic = diagnostic
                    diagnostic.severity = .warning
                    return diagnostic
                case .emptyMigration, .staleMigration: return diagnostic
                default: return nil  // All others are about what is lost.
                }
            }
        }
    }
}
