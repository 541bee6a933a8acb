internal import ChordataApple
internal import ChordataDiagnostics
internal import ChordataModel
internal import ChordataModelFile
internal import Foundation

extension Inspect {
    /// Prints the contents of a store of Core Data.
    func inspectCoreDataStore() throws {
        let versions = try model.map { try loadVersions(of: $0) } ?? []
        let inspection = try orFail { () throws(CoreDataStoreError) in
            try ChordataApple.inspectCoreDataStore(at: store, versions: versions)
        }
        switch format {
        case .text: for line in lines(of: inspection) { print(escape(line, with: .message)) }
        case .json: print(json(of: inspection))
        }
    }

    // MARK: Text

    private func lines(of inspection: CoreDataInspection) -> [String] {
        let metadata = inspection.metadata
        var lines = ["Store of Core Data: \(metadata.storeUUID)"]
        if let version = metadata.frameworkVersion { lines.append("Written by: Core Data \(version)") }
        if !metadata.versionIdentifiers.isEmpty {
            lines.append("Version identifiers: \(metadata.versionIdentifiers.joined(separator: ", "))")
        }
        lines.append("Version: \(versionText(inspection))")
        lines += inspection.identified?.omissions.map { "  cannot be represented in a model file: \($0)" } ?? []
        lines.append("Objects:")
        lines += inspection.entities.map { "  \($0.entityName): \($0.count)" }
        if let history = inspection.history {
            lines.append(
                "History: \(counted(Int(history.transactionCount), "transaction")), "
                    + counted(Int(history.changeCount), "change")
            )
        } else {
            lines.append("History: none")
        }
        if let files = inspection.externalFiles {
            lines.append(
                "External files: \(files.referenceCount)"
                    + (files.missingCount == 0 ? "" : ", of which \(files.missingCount) are missing in \(files.folder)")
            )
        }
        lines.append("Metadata: \(metadata.knownKeys.joined(separator: ", "))")
        if metadata.customKeyCount > 0 {
            lines.append("Metadata of the app: \(counted(metadata.customKeyCount, "key"))")
        }
        for comparison in inspection.comparisons { lines += self.lines(of: comparison) }
        if inspection.identified != nil {
            lines.append(inspection.brokenInvariants.isEmpty ? "Invariants: kept" : "Broken invariants:")
            lines += inspection.brokenInvariants.map { "  \($0.rule): \($0.count)" }
        }
        return lines
    }

    private func versionText(_ inspection: CoreDataInspection) -> String {
        guard let identified = inspection.identified else { return "unknown: \(inspection.problem ?? "")" }
        let name = identified.versionName.map { "'\($0)'" } ?? ""
        switch identified.source {
        case .versionHashes(let uncomputed):
            let rest =
                uncomputed.isEmpty
                ? ""
                : " and the tables of the store; version hashes that were not computed: "
                    + uncomputed.joined(separator: ", ")
            return "\(name), identified by the version hashes\(rest)"
        case .tables: return "\(name), identified by the tables of the store"
        case .cache:
            return "the model in the store itself"
                + (inspection.comparisons.isEmpty
                    ? "" : "; no version of the given model has the version hashes of the store")
        }
    }

    private func lines(of comparison: CoreDataInspection.VersionComparison) -> [String] {
        let isSame =
            comparison.differentEntityNames.isEmpty && comparison.uncomputedEntityNames.isEmpty
            && comparison.differences.isEmpty
        let title = "Compared with '\(comparison.versionName)':"
        if isSame { return [title + " the same"] }
        var lines = [title]
        if !comparison.differentEntityNames.isEmpty {
            lines.append("  version hashes that differ: \(comparison.differentEntityNames.joined(separator: ", "))")
        }
        if !comparison.uncomputedEntityNames.isEmpty {
            lines.append("  version hashes not computed: \(comparison.uncomputedEntityNames.joined(separator: ", "))")
        }
        lines += comparison.differences.map { "  \($0)" }
        return lines
    }

    // MARK: JSON

    private func json(of inspection: CoreDataInspection) -> String {
        let metadata = inspection.metadata
        func strings(_ texts: [String]) -> String { jsonArray(texts.map(jsonString)) }
        let source =
            switch inspection.identified?.source {
            case .versionHashes?: "versionHashes"
            case .cache?: "modelCache"
            case .tables?: "tables"
            case nil: "unknown"
            }
        return jsonObject([
            ("version", "1"), ("kind", jsonString("coreData")),
            ("storeUUID", jsonString(metadata.storeUUID.uuidString)),
            ("frameworkVersion", metadata.frameworkVersion.map { "\($0)" } ?? "null"),
            ("versionIdentifiers", strings(metadata.versionIdentifiers)),
            ("versionName", inspection.identified?.versionName.map(jsonString) ?? "null"),
            ("versionFoundBy", jsonString(source)),
            ("omissions", strings(inspection.identified?.omissions ?? [])),
            (
                "entities",
                jsonArray(
                    inspection.entities.map {
                        jsonObject([("name", jsonString($0.entityName)), ("count", "\($0.count)")])
                    }
                )
            ),
            (
                "history",
                inspection.history.map {
                    jsonObject([("transactions", "\($0.transactionCount)"), ("changes", "\($0.changeCount)")])
                } ?? "null"
            ),
            (
                "externalFiles",
                inspection.externalFiles.map {
                    jsonObject([("references", "\($0.referenceCount)"), ("missing", "\($0.missingCount)")])
                } ?? "null"
            ),
            ("metadataKeys", strings(metadata.knownKeys)), ("customMetadataKeyCount", "\(metadata.customKeyCount)"),
            (
                "comparisons",
                jsonArray(
                    inspection.comparisons.map {
                        jsonObject([
                            ("versionName", jsonString($0.versionName)),
                            ("differentEntities", strings($0.differentEntityNames)),
                            ("uncomputedEntities", strings($0.uncomputedEntityNames)),
                            ("differences", strings($0.differences)),
                        ])
                    }
                )
            ),
            (
                "brokenInvariants",
                jsonArray(
                    inspection.brokenInvariants.map {
                        jsonObject([("rule", jsonString($0.rule)), ("count", "\($0.count)")])
                    }
                )
            ),
        ])
    }
}

/// Reads the versions of a model, the current one last, or ends the command.
func loadVersions(of path: String) throws -> [NamedModel] { namedModels(of: try load(path).bundle) }

/// The versions of a model, the current one last.
func namedModels(of bundle: ModelBundle) -> [NamedModel] {
    var versions = bundle.versions.map { NamedModel(name: $0.name, model: $0.model) }
    versions.append(versions.remove(at: bundle.currentVersionIndex))
    return versions
}
