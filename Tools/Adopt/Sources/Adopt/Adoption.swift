internal import Foundation

/// The changes of sources that let code for Core Data compile with Chordata, and the remaining tasks of the author.
package struct Adoption: Sendable {
    /// A source file with its contents.
    struct Source: Sendable {
        let path: String
        let bytes: [UInt8]
    }

    /// A file with its contents before and after.
    package struct Change: Sendable {
        package let path: String
        package let before: [UInt8]
        package let after: [UInt8]
        /// A Boolean value that indicates whether the file is that of a model.
        package let isModel: Bool

        /// The change as a unified diff.
        package var diff: String { unifiedDiff(from: before, to: after, path: path) }
    }

    /// The changes, first those of models.
    package private(set) var changes: [Change] = []
    /// The reports, sorted by path and line.
    package private(set) var reports: [Report] = []
    /// The number of Swift files that were read.
    package private(set) var fileCount = 0

    /// A Boolean value that indicates whether a file or model could not be read or written.
    package var hasErrors: Bool { reports.contains { $0.severity == .error } }

    /// Reads models and sources, and computes the changes.
    ///
    /// Nothing is written. If a file or model cannot be read, there are no changes.
    /// - Parameters:
    ///   - paths: Swift files and folders.
    ///   - models: The models; if there are none, those in the folders.
    package init(of paths: [String], models: [String] = []) {
        self = withLargeStack { Adoption(reading: paths, models) }
    }

    private init(reading paths: [String], _ modelPaths: [String]) {
        let found = FoundFiles(paths)
        reports = found.reports
        var models = readModels(modelPaths.isEmpty ? found.models : modelPaths)
        if modelPaths.isEmpty {
            for index in models.indices where found.linkedModels.contains(models[index].path) {
                models[index].contents.isLinked = true
            }
        }
        let sources = found.sources.compactMap { read($0) }
        fileCount = found.sources.count
        // Without one of the models, or a file that declares a class, the rest would be misinterpreted.
        if !hasErrors { rewrite(sources, models) }
        sortReports()
    }

    /// Computes the changes of sources that were read; for tests, without files.
    init(of sources: [Source], _ models: [DataModel]) {
        self = withLargeStack {
            var adoption = Adoption()
            adoption.fileCount = sources.count
            adoption.rewrite(sources, models)
            adoption.sortReports()
            return adoption
        }
    }

    private init() {}

    private mutating func rewrite(_ sources: [Source], _ models: [DataModel]) {
        let index = ClassIndex(models)
        let texts = concernedTexts + index.classes.keys.sorted()
        let files = sources.compactMap { parse($0, mentioning: texts) }
        let declarations = files.map { findClasses($0, index) }
        var adoptedClasses: Set<String> = []
        var keptClasses: Set<String> = []
        for (file, classes) in zip(files, declarations) {
            for declaration in classes {
                switch declaration.change {
                case .inherit, .none:
                    adoptedClasses.insert(declaration.modelClass.name)
                case .stays(let reason):
                    keptClasses.insert(declaration.modelClass.name)
                    add(.managedClass, .warning, file.path, file.location(declaration.offset), reason)
                case .unrelated: break
                }
            }
        }
        // If one of several declarations is not changed, the others are not changed either.
        adoptedClasses.subtract(keptClasses)
        var settings: [ScalarSetting] = []
        for (file, classes) in zip(files, declarations) {
            let rewriter = Rewriter(file, index, classes, adoptedClasses: adoptedClasses, keptClasses: keptClasses)
            rewriter.run()
            reports += rewriter.reports
            settings += rewriter.scalarSettings
            guard !rewriter.edits.isEmpty else { continue }
            let after = applyEdits(rewriter.edits, to: file.bytes)
            changes.append(Change(path: file.path, before: file.bytes, after: after, isModel: false))
        }
        setScalars(settings, in: models)
        reportModels(models, index, declarations.flatMap(\.self).filter { adoptedClasses.contains($0.modelClass.name) })
    }

    /// Adds the change of a model before those of the sources.
    mutating func addModelChange(_ change: Change) { changes.insert(change, at: 0) }

    /// Writes the changed files, each completely or not at all.
    ///
    /// Models are written first. If that fails, no other file is changed, because the code has the types of properties
    /// only until they are removed.
    package mutating func write() {
        for change in changes {
            do {
                try replaceContents(of: change.path, with: change.after)
            } catch {
                add(.file, .error, change.path, nil, "the file cannot be written: \(error.localizedDescription)")
                if change.isModel { break }
            }
        }
        sortReports()
    }

    // MARK: Reading

    private mutating func readModels(_ paths: [String]) -> [DataModel] {
        if paths.isEmpty {
            reports.append(
                Report(
                    id: .model,
                    severity: .warning,
                    path: "--model",
                    location: nil,
                    message:
                        "the folders contain no model, so classes of entities and '#keyPath' are not changed; if the code has such "
                        + "classes, give the path of the .xcdatamodeld with this option"
                )
            )
        }
        return paths.compactMap { path in
            do throws(DataModelError) {
                return try readDataModel(at: path)
            } catch {
                add(.model, .error, error.path, nil, error.message)
                return nil
            }
        }
    }

    private mutating func read(_ path: String) -> Source? {
        guard let data = FileManager.default.contents(atPath: path) else {
            add(.file, .error, path, nil, "the file cannot be read")
            return nil
        }
        return Source(path: path, bytes: [UInt8](data))
    }

    private mutating func parse(_ source: Source, mentioning texts: [String]) -> ParsedFile? {
        func add(_ id: Report.ID, _ offset: Int, _ message: String) {
            self.add(id, .warning, source.path, ParsedFile.location(offset, in: source.bytes), message)
        }
        do throws(ParsedFile.Problem) {
            return try ParsedFile(path: source.path, bytes: source.bytes, mentioning: texts)
        } catch {
            switch error {
            case .encoding(let offset):
                add(.encoding, offset, "the file is not valid UTF-8 and is not changed; save it as UTF-8")
            case .syntax(let offset):
                add(
                    .syntax,
                    offset,
                    "the file has a syntax error, or is nested too deeply, and is not changed; correct it first"
                )
            case .time:
                add(
                    .syntax,
                    0,
                    "the file takes too long to parse and is not changed; divide its nested arrays and types"
                )
            }
        }
        return nil
    }

    // MARK: Reports

    mutating func add(
        _ id: Report.ID,
        _ severity: Report.Severity,
        _ path: String,
        _ location: Report.Location?,
        _ message: String
    ) {
        reports.append(Report(id: id, severity: severity, path: path, location: location, message: message))
    }

    /// Reports the settings that the generated classes need, and classes that are missing.
    private mutating func reportModels(_ models: [DataModel], _ index: ClassIndex, _ declared: [ClassDeclaration]) {
        for duplicate in index.duplicates {
            let names = duplicate.models.map { "'\($0)'" }.joined(separator: " and ")
            add(
                .model,
                .warning,
                duplicate.models[0],
                nil,
                "class '\(duplicate.name)' occurs in \(names), and only the first model is used; run the command once for each "
                    + "model, with '--model' and the folder of its target"
            )
        }
        for model in models {
            let own = declared.filter { $0.modelClass.model == model.path }
            reportSettings(of: model, own)
            let names = Set(own.map(\.modelClass.name))
            let missing = index.classes.values.filter { candidate in
                guard candidate.model == model.path, !names.contains(candidate.name) else { return false }
                switch candidate.generation {
                // Without the setting, the class is generated.
                case .categoryToConfigure: return own.contains { $0.needsSetting }
                case .category: return true
                case .classDefinition, .none: return false
                }
            }
            for name in missing.map(\.name).sorted() where !reports.contains(where: { $0.isAbout(class: name) }) {
                add(
                    .managedClass,
                    .warning,
                    model.path,
                    nil,
                    "the sources have no class '\(name)'; write 'class \(name): _\(name) {}', or set the codegen of its "
                        + "entity to Class Definition"
                )
            }
        }
    }

    private mutating func reportSettings(of model: DataModel, _ declared: [ClassDeclaration]) {
        var settings: [String] = []
        if declared.contains(where: \.needsSetting) { settings.append("\"codegen\": \"category\"") }
        if !model.configuration.hasPublicAccess, declared.contains(where: \.isPublic) {
            settings.append("\"access\": \"public\"")
        }
        guard !settings.isEmpty else { return }
        add(
            .model,
            .warning,
            model.configuration.path,
            nil,
            "add \(settings.joined(separator: " and ")) to this file, which configures '\(model.path)', so that the "
                + "generated classes are superclasses of yours"
        )
    }

    private mutating func sortReports() {
        let order = Report.Location(line: 0, column: 0)
        reports.sort { left, right in
            (left.path, left.location ?? order, left.message) < (right.path, right.location ?? order, right.message)
        }
    }
}

extension ClassDeclaration {
    /// A Boolean value that indicates whether the configuration file needs the codegen `category`.
    fileprivate var needsSetting: Bool {
        if case .categoryToConfigure = modelClass.generation { true } else { false }
    }
}

extension Report {
    /// A Boolean value that indicates whether a class is reported at its declaration.
    fileprivate func isAbout(class name: String) -> Bool {
        id == .managedClass && message.hasPrefix("class '\(name)' ")
    }
}
