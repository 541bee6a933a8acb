internal import ChordataDiagnostics

extension ModelResolver {
    /// Finds names that are missing, impossible or taken.
    mutating func checkNames() {
        checkDuplicates(root.children(named: .entity), of: .entity, within: "the model")
        checkDuplicates(root.children(named: .composite), of: .composite, within: "the model")
        checkDuplicates(root.children(named: .fetchRequest), of: .fetchRequest, within: "the model")
        checkDuplicates(root.children(named: .configuration), of: .configuration, within: "the model")
        for composite in root.children(named: .composite) {
            let owner = "composite '\(composite[.name] ?? "")'"
            checkDuplicates(composite.children(named: .attribute), of: .attribute, within: owner)
        }
        for element in root.children(named: .entity) {
            let properties = element.children.filter { child in
                switch child.name {
                case .attribute, .relationship, .fetchedProperty: true
                default: false
                }
            }
            let owner = "'\(element[.name] ?? "")'"
            checkCount(of: properties, owner: owner, at: element)
            checkDuplicates(properties, of: .property, within: owner)
            checkDuplicates(element.children(named: .fetchIndex), of: .index, within: owner)
        }
    }

    /// What has a name that must be the only one of its kind.
    private enum NamedKind: String {
        case entity, composite, fetchRequest = "fetch request", configuration, attribute, property, index

        /// Whether the name becomes one in Swift and SQL.
        var isIdentifier: Bool {
            switch self {
            case .entity, .composite, .attribute, .property: true
            case .fetchRequest, .configuration, .index: false
            }
        }

        var article: String {
            switch self {
            case .entity, .attribute, .index: "an"
            case .composite, .fetchRequest, .configuration, .property: "a"
            }
        }
    }

    /// How many properties an entity may declare.
    private static let maximumPropertyCount = 10_000

    private mutating func checkCount(of properties: [ElementSyntax], owner: String, at element: ElementSyntax) {
        guard properties.count > Self.maximumPropertyCount else { return }
        report(
            .limitExceeded,
            "entity \(owner) has \(properties.count) properties; the limit is \(Self.maximumPropertyCount)",
            at: element.location
        )
    }

    private mutating func checkDuplicates(_ elements: [ElementSyntax], of kind: NamedKind, within owner: String) {
        var first: [String: AttributeSyntax] = [:]
        for element in elements {
            guard let attribute = element.attribute(.name) else {
                report(.missingName, "\(kind.rawValue) has no name; give it one", at: element.location)
                continue
            }
            let name = attribute.value
            if kind.isIdentifier, !isIdentifier(name) {
                report(
                    .invalidName,
                    "'\(name)' cannot be the name of \(kind.article) \(kind.rawValue); "
                        + "use letters, digits and underscores, at most 128, and begin with a letter",
                    at: attribute.valueLocation
                )
            } else if let earlier = first[name] {
                report(
                    .duplicateName,
                    "\(kind.rawValue) '\(name)' stands twice in \(owner); rename one",
                    at: attribute.valueLocation,
                    notes: [Diagnostic.Note("the first is here", at: earlier.valueLocation)]
                )
            } else {
                first[name] = attribute
            }
        }
    }

    private func isIdentifier(_ name: String) -> Bool {
        guard let first = name.utf8.first, name.utf8.count <= 128, !(48...57).contains(first) else { return false }
        return name.utf8.allSatisfy {
            (65...90).contains($0) || (97...122).contains($0) || (48...57).contains($0) || $0 == 95
        }
    }

    /// Names that differ in case only: SQLite takes them for one, and so do file systems and accessors such as
    /// `addToItems`.
    ///
    /// Siblings in a hierarchy may have such properties; their columns get suffixes.
    mutating func checkCase(_ lineages: Lineages) {
        var seen: [String: EntitySyntax] = [:]
        for entity in entities {
            if let earlier = seen.updateValue(entity, forKey: entity.name.lowercased()) {
                report(
                    .caseClash,
                    "entity '\(entity.name)' differs from '\(earlier.name)' only in case; rename one",
                    at: entity.element.place(.name),
                    notes: [Diagnostic.Note("the first is here", at: earlier.element.place(.name))]
                )
            }
        }
        for entity in entities {
            var names: [String: String] = [:]
            let inherited = lineages.lineage(of: entity.name).dropFirst()
            for ancestor in inherited {
                for name in ancestor.propertyNames { names[name.lowercased()] = name }
            }
            for property in entity.properties {
                guard let earlier = names.updateValue(property.name, forKey: property.name.lowercased()),
                    earlier != property.name
                else { continue }
                report(
                    .caseClash,
                    "'\(property.name)' of '\(entity.name)' differs from '\(earlier)' only in case; rename one",
                    at: property.element.place(.name)
                )
            }
        }
    }
}
