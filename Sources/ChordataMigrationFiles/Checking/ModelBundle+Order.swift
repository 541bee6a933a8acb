internal import ChordataDiagnostics
internal import ChordataModel
internal import ChordataModelFile

extension ModelBundle {
    /// Finds versions after the current version: their stores are rejected as newer, although the author of the model
    /// may consider these versions older.
    ///
    /// If a version has the name of the current version with a higher number, its author is assumed to develop it, so
    /// the diagnostic is a remark. If the configuration file lists the versions, their order is intentional.
    func checkVersionsAfterCurrent() -> [Diagnostic] {
        // The check is for the current version that the bundle names, not for an older version to generate code of.
        guard !isHistory, !isOrderListed else { return [] }
        let known = Set(versions[...currentVersionIndex].map(\.model.versionHash))
        let later = versions[(currentVersionIndex + 1)...].filter { !known.contains($0.model.versionHash) }.map(\.name)
        let current = currentVersion.name
        let numbered = later.filter { isNumbered($0, after: current) }
        let others = later.filter { !numbered.contains($0) }
        let reports = [
            others.isEmpty ? nil : afterCurrent(others, remedy: listing(others)),
            numbered.isEmpty
                ? nil
                : afterCurrent(
                    numbered,
                    remedy: "when the last of these versions is finished, make it the current version"
                ),
        ]
        return zip(reports, [nil, .remark] as [Diagnostic.Severity?]).compactMap { message, severity in
            message.map {
                Diagnostic(
                    .versionAfterCurrent,
                    $0,
                    at: currentVersionLocation ?? currentVersion.locations.model,
                    severity: severity
                )
            }
        }
    }

    private func afterCurrent(_ names: [String], remedy: String) -> String {
        let (subject, stores) =
            names.count == 1
            ? ("version '\(names[0])' comes", "its stores") : ("versions \(listed(names)) come", "their stores")
        return
            "\(subject) after the current version '\(currentVersion.name)' when versions are sorted by name, so \(stores) "
            + "count as newer and are not opened; "
            + remedy
    }

    private func listing(_ later: [String]) -> String {
        let current = currentVersion.name
        let names = versions.map(\.name).filter { $0 != current } + [current]
        let list =
            names.count > 6
            ? "list all versions, with '\(current)' after the versions that are older"
            : "[" + names.map(jsonString).joined(separator: ", ") + "]"
        return
            "if \(later.count == 1 ? "it is" : "they are") older, set 'versions' in \(configurationFileName), oldest "
            + "first: \(list)"
    }

    private func listed(_ names: [String]) -> String {
        let shown = names.prefix(4).map { "'\($0)'" }
        let all = names.count > shown.count ? shown + ["\(names.count - shown.count) more"] : shown
        return all.dropLast().joined(separator: ", ") + " and " + (all.last ?? "")
    }
}
