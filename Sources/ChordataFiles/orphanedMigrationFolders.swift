internal import ChordataDiagnostics
internal import ChordataMigrationFiles
internal import ChordataPredicate
internal import Foundation

/// Finds folders with migrations that belong to no model, because a model or a folder was renamed: they would never
/// run.
///
/// Names are case-sensitive on every file system, so that the result is the same on all of them.
/// - Parameter folder: The folder that contains the models, with a slash at its end, or an empty string.
func orphanedMigrationFolders(in folder: String) -> [Diagnostic] {
    let models = entries(of: folder).filter { $0.hasSuffix(".xcdatamodeld") }.compactMap { modelName(ofFolder: $0) }
    return entries(of: folder).filter { $0.lowercased() == "migrations" }.flatMap { parent in
        entries(of: folder + parent).compactMap { name -> Diagnostic? in
            let isFitting = parent == "Migrations" && models.contains(name)
            guard !isFitting, hasMigrations("\(folder)\(parent)/\(name)") else { return nil }
            let model = models.first { $0.lowercased() == name.lowercased() }
            // A folder of that name can have another purpose.
            if parent != "Migrations", model == nil { return nil }
            let homeless = models.filter { !entries(of: folder + parent).contains($0) }
            let near =
                (homeless.count == 1 ? homeless[0] : nearestName(to: name, among: homeless)).map {
                    "; did you mean 'Migrations/\($0)'?"
                } ?? ""
            return Diagnostic(
                .orphanedMigration,
                model.map { "the name of a folder of migrations is case-sensitive; rename it to 'Migrations/\($0)'" }
                    ?? "the folder 'Migrations/\(name)' has the migrations of a model '\(name)', but there is no such model beside "
                    + "the folder 'Migrations', so these migrations never run; rename the folder 'Migrations/\(name)' to the "
                    + "name of its model, or remove it\(near)",
                at: SourceLocation(file: "\(folder)\(parent)/\(name)/", line: 1, column: 1),
                severity: .error
            )
        }
    }
}

/// Returns the visible contents of a folder, sorted; empty if the folder cannot be listed, which is reported elsewhere.
private func entries(of folder: String) -> [String] {
    let listed = try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)
    return (listed ?? []).filter { !$0.hasPrefix(".") }.sorted()
}

/// Returns a Boolean value that indicates whether a folder has files such as `chordata migrate new` writes.
private func hasMigrations(_ folder: String) -> Bool {
    entries(of: folder).contains { $0 == MigrationFiles.lockName || $0.hasSuffix(".sql") && $0.contains(" to ") }
}
