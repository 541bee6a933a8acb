public import Chordata
internal import ChordataSQL

/// Copies stores between SQLite files and PostgreSQL servers.
///
/// ```swift
/// let copier = StoreCopier(model: DoneModel.definition)
/// let configuration = PostgresConfiguration("postgresql://app@db1/shop", schema: "done")
/// try copier.copy(storeAt: "done.sqlite", to: configuration)
/// ```
///
/// The copy has the identifier of the store, all row keys and row versions, so object IDs and their URIs remain valid.
/// It also has the metadata, external data, the positions of ordered relationships and the records of migrations. The
/// persistent history is not copied, so tokens of the source are not valid in the copy.
///
/// A store is copied in one transaction, which is committed after each row of the copy was compared with its row in the
/// source. If the program ends earlier, the target has no store, and the copy can be started again. The source is not
/// changed. Changes that another program commits in the meantime are not part of the copy, so end all programs that
/// write to the source first.
public struct StoreCopier: Sendable {
    /// The definition of the model, whose current version the source must have.
    public let definition: ModelDefinition

    /// Creates a copier for the stores of a model.
    public init(model definition: ModelDefinition) { self.definition = definition }

    /// The progress of a copy.
    public struct Progress: Sendable, Hashable {
        /// A part of the work.
        public enum Phase: Sendable, Hashable {
            /// Rows are written to the target.
            case copying
            /// The rows of the target are compared with those of the source.
            case comparing
        }

        /// The part of the work.
        public var phase: Phase
        /// The name of the current table.
        public var tableName: String
        /// The number of rows that the phase has completed.
        public var completedRowCount: Int
        /// The number of rows of the store.
        public var totalRowCount: Int
    }

    /// The result of a copy.
    public struct Outcome: Sendable, Hashable {
        /// A table of the store.
        public struct Table: Sendable, Hashable {
            /// The name of the table in SQLite.
            public var name: String
            /// The number of rows, all of which were compared.
            public var rowCount: Int
        }

        /// A Boolean value that indicates whether the target had all rows already, from an earlier copy.
        public var wasComplete: Bool
        /// The tables of the store.
        public var tables: [Table]
    }

    /// Copies the store in a file to a schema of a server.
    ///
    /// - Parameters:
    ///   - path: The path of the store.
    ///   - configuration: The location of the copy. Its schema must not exist or must be empty; if it already has this
    ///     store with the same rows, only the comparison is done.
    ///   - progress: A closure that is called after each group of rows.
    /// - Returns: The result of the copy.
    /// - Throws: `StoreError` when the source does not exist or has another version of the model, when the target is
    ///   not empty, when a value cannot be stored on a server, or when the copy differs from the source. The target is
    ///   then unchanged, unless the error has the code `outcomeUnknown`: then start the copy again.
    @discardableResult
    public func copy(
        storeAt path: String,
        to configuration: PostgresConfiguration,
        progress: @escaping (Progress) -> Void = { _ in }
    ) throws(StoreError) -> Outcome {
        try CopyToServer(definition, path, configuration, CopyProgress(progress)).run()
    }

    /// Copies the store in a schema of a server to a file.
    ///
    /// - Parameters:
    ///   - configuration: The location of the store.
    ///   - path: The path of the copy. The file must not exist; if it already has this store with the same rows, only
    ///     the comparison is done. An incomplete copy has this path with `.copying-` and a UUID appended.
    ///   - progress: A closure that is called after each group of rows.
    /// - Returns: The result of the copy.
    /// - Throws: `StoreError` when the source does not exist or has another version of the model, when the file exists,
    ///   when the disk is full, or when the copy differs from the source. The file then does not exist.
    @discardableResult
    public func copy(
        _ configuration: PostgresConfiguration,
        toStoreAt path: String,
        progress: @escaping (Progress) -> Void = { _ in }
    ) throws(StoreError) -> Outcome {
        try CopyToFile(definition, configuration, path, CopyProgress(progress)).run()
    }
}

extension ModelDefinition {
    /// Throws if a store belongs to another model or version.
    func requireCurrentVersion(_ metadata: StoreMetadata, path: String) throws(StoreError) {
        guard metadata.modelName == name else {
            throw StoreError(
                .incompatibleModel,
                "is a store of model '\(metadata.modelName)', not of '\(name)'; copy it with its own model",
                path: path
            )
        }
        guard metadata.versionHash == model.versionHash else {
            throw StoreError(
                .incompatibleModel,
                "is at version '\(metadata.versionName)', and the current version of the model is '\(versionName)'; only "
                    + "stores of the current version are copied: migrate the store first, or copy it with a model of the store's version",
                path: path
            )
        }
    }
}

/// Reports the progress of a copy, after at least a thousand rows.
final class CopyProgress {
    private let report: (StoreCopier.Progress) -> Void
    private var phase = StoreCopier.Progress.Phase.copying
    private var completed = 0
    private var reported = 0
    var total = 0

    init(_ report: @escaping (StoreCopier.Progress) -> Void) { self.report = report }

    func begin(_ phase: StoreCopier.Progress.Phase) {
        self.phase = phase
        (completed, reported) = (0, 0)
    }

    func add(_ count: Int, in tableName: String) {
        completed += count
        guard completed - reported >= 1_000 || completed >= total else { return }
        reported = completed
        report(
            .init(
                phase: phase,
                tableName: tableName,
                completedRowCount: completed,
                totalRowCount: max(total, completed)
            )
        )
    }
}
