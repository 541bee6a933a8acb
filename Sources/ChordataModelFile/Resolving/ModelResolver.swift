internal import ChordataDiagnostics
internal import ChordataModel
internal import ChordataPredicate

/// Resolves the elements of a file into a model, and collects all problems.
struct ModelResolver {
    let tree: SyntaxTree
    /// A Boolean value that indicates whether the version is not the current one, so that problems that matter only to
    /// generated code are allowed.
    let isHistory: Bool
    let entities: [EntitySyntax]
    let entityNames: [String]
    /// The index of an entity in ``entities``, and of its description in the list of resolved entities.
    let positions: [String: Int]
    let composites: [String: ElementSyntax]
    let compositeNames: [String]
    private(set) var diagnostics: [Diagnostic] = []

    init(_ tree: SyntaxTree, isHistory: Bool) {
        self.tree = tree
        self.isHistory = isHistory
        let root = tree.root
        entities = root.children(named: .entity).compactMap { EntitySyntax($0) }
        entityNames = entities.map(\.name)
        positions = Dictionary(zip(entityNames, entityNames.indices), uniquingKeysWith: { first, _ in first })
        let namedComposites = root.children(named: .composite).compactMap { element in
            element[.name].map { ($0, element) }
        }
        composites = Dictionary(namedComposites, uniquingKeysWith: { first, _ in first })
        compositeNames = namedComposites.map(\.0)
    }

    var root: ElementSyntax { tree.root }

    func hasEntity(_ name: String) -> Bool { positions[name] != nil }

    /// Returns the model; `nil` if there are errors.
    mutating func resolve() -> ManagedObjectModel? {
        checkGrammar()
        checkNames()
        checkInheritance()
        var resolved = entities.map { resolveEntity($0) }
        checkComposites()
        let templates = root.children(named: .fetchRequest).compactMap { resolveFetchRequest($0) }
        let configurations = root.children(named: .configuration).compactMap { resolveConfiguration($0) }
        // The following checks traverse inheritance, which must be valid for them.
        guard !diagnostics.hasErrors else { return nil }
        guard checkInheritedCount(resolved) else { return nil }
        mergeRedeclaredProperties(&resolved)
        checkAcrossEntities(&resolved)
        guard !diagnostics.hasErrors else { return nil }
        do {
            return try ManagedObjectModel(
                versionIdentifier: root[.userDefinedModelVersionIdentifier] ?? "",
                entities: consume resolved,
                fetchRequestTemplates: templates,
                configurations: configurations
            )
        } catch {
            report(.notAModel, error.description, at: root.location)
            return nil
        }
    }

    /// Checks the references of an entity to other entities, and its inherited properties.
    private mutating func checkAcrossEntities(_ resolved: inout [EntityDescription]) {
        let lineages = InheritanceChains(resolved, positions)
        checkInheritedCase(lineages)
        checkIndexes(lineages)
        checkConstraints(lineages)
        clearOneSidedInverses(&resolved, lineages)
    }

    // MARK: Reporting

    /// The maximum number of unknown names that are compared with the known ones, which takes time for each pair.
    private static let maximumSuggestionCount = 20
    private var suggestionCount = 0
    /// The maximum number of elements of all entities' composite attributes.
    static let maximumCompositeElementCount = 20_000
    var compositeElementCount = 0
    /// The composites that have been resolved for an attribute.
    var usedComposites: Set<String> = []
    /// The maximum number of characters of all attributes' regular expressions: some take long to compile.
    static let maximumPatternLength = 32_768
    var patternLength = 0
    /// The elements whose pattern has been counted and checked: an element of a composite is resolved for each use.
    var elementsWithCheckedPattern: Set<Int> = []

    mutating func report(
        _ id: DiagnosticID,
        _ message: String,
        at location: SourceLocation,
        severity: Diagnostic.Severity? = nil,
        notes: [Diagnostic.Note] = [],
        fixIts: [FixIt] = []
    ) {
        if isHistory, id.isHarmlessInHistory { return }
        diagnostics.append(Diagnostic(id, message, at: location, severity: severity, notes: notes, fixIts: fixIts))
    }

    /// Reports an attribute with an invalid value.
    /// - Parameters:
    ///   - candidates: The valid values, the most similar of which is suggested; if several are equally similar, the
    ///     first.
    ///   - remedy: The remedy if no valid value is similar.
    mutating func report(
        _ id: DiagnosticID,
        _ message: String,
        at attribute: AttributeSyntax,
        among candidates: [String],
        otherwise remedy: String
    ) {
        report(
            id,
            message,
            at: attribute,
            nearest: { nearestName(to: $0, among: candidates) },
            otherwise: remedy
        )
    }

    /// Reports an attribute with an invalid value.
    /// - Parameters:
    ///   - nearest: Returns the valid value that was most likely meant, if any.
    ///   - remedy: The remedy if no valid value is similar.
    mutating func report(
        _ id: DiagnosticID,
        _ message: String,
        at attribute: AttributeSyntax,
        nearest: (String) -> String?,
        otherwise remedy: String
    ) {
        suggestionCount += 1
        let nearest = suggestionCount <= Self.maximumSuggestionCount ? nearest(attribute.value) : nil
        guard let nearest else { return report(id, "\(message); \(remedy)", at: attribute.valueLocation) }
        report(
            id,
            "\(message); did you mean '\(nearest)'?",
            at: attribute.valueLocation,
            fixIts: [attribute.replacing(with: nearest)]
        )
    }

    // MARK: Values

    /// Returns a Boolean value that indicates whether an attribute is set to true.
    @inline(__always)
    mutating func flag(_ element: ElementSyntax, _ name: ModelName, default standard: Bool = false) -> Bool {
        guard let attribute = element.attribute(name) else { return standard }
        return flag(attribute, default: standard)
    }

    private mutating func flag(_ attribute: AttributeSyntax, default standard: Bool) -> Bool {
        // Xcode writes `YES` and `NO`, and in a few places `true` and `false`.
        if attribute.isValue("YES") || attribute.isValue("true") || attribute.isValue("1") { return true }
        if attribute.isValue("NO") || attribute.isValue("false") || attribute.isValue("0") { return false }
        report(
            .unknownValue,
            "'\(attribute.nameText)' is '\(attribute.shown)', which is neither 'YES' nor 'NO', so "
                + "'\(standard ? "YES" : "NO")' is used",
            at: attribute,
            among: ["YES", "NO"],
            otherwise: "write one of them"
        )
        return standard
    }

    mutating func number(_ element: ElementSyntax, _ name: ModelName) -> Int? {
        guard let attribute = element.attribute(name) else { return nil }
        // Core Data's counts have 32 bits.
        if let number = Int32(attribute.value), number >= 0 { return Int(number) }
        report(
            .malformedNumber,
            "'\(attribute.nameText)' is '\(attribute.shown)', which is not a number from 0 to \(Int32.max); correct the value",
            at: attribute.valueLocation
        )
        return nil
    }

    /// Returns the renaming identifier of an element.
    ///
    /// Both spellings occur; Xcode writes `elementID`.
    func renamingIdentifier(_ element: ElementSyntax) -> String? {
        if let identifier = element[.elementID], !identifier.isEmpty { return identifier }
        return element[.renamingIdentifier].flatMap { $0.isEmpty ? nil : $0 }
    }

    mutating func userInfo(_ element: ElementSyntax) -> [String: String] {
        var entries: [String: String] = [:]
        for child in element.children where child.name == .userInfo {
            for entry in child.children where entry.name == .entry {
                guard let key = entry.attribute(.key) else {
                    report(.missingName, "user info entry has no key; give it one", at: entry.location)
                    continue
                }
                if entries.updateValue(entry[.value] ?? "", forKey: key.value) != nil {
                    report(
                        .duplicateUserInfoKey,
                        "user info key '\(key.value)' is duplicated, and the last value is used; remove one",
                        at: key.valueLocation
                    )
                }
            }
        }
        return entries
    }
}

extension DiagnosticID {
    /// A Boolean value that indicates whether the mistake has no effect on the stores of a version.
    fileprivate var isHarmlessInHistory: Bool {
        switch self {
        case .unknownFetchEntity, .missingFetchRequest, .unknownMemberEntity, .caseClash: true
        default: false  // All others, including future ones.
        }
    }
}
