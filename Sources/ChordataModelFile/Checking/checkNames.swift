internal import ChordataDiagnostics

extension ModelResolver {
    /// Finds names that are missing, invalid or already used.
    mutating func checkNames() {
        checkDuplicates(root.children(named: .entity), of: .entity, within: "the model")
        checkDuplicates(root.children(named: .composite), of: .composite, within: "the model")
        checkDuplicates(root.children(named: .fetchRequest), of: .fetchRequest, within: "the model")
        checkDuplicates(root.children(named: .configuration), of: .configuration, within: "the model")
        for composite in root.children(named: .composite) {
            let owner = "composite '\(composite[.name] ?? "")'"
            checkDuplicates(composite.children(named: .attribute), of: .attribute, within: owner)
        }
        for entity in entities {
            let owner = "'\(entity.name)'"
            let properties = entity.propertyElements
            checkCount(of: properties, owner: owner, at: entity.element)
            checkDuplicates(properties, of: .property, within: owner)
            if !entity.fetchIndexes.isEmpty { checkDuplicates(entity.fetchIndexes, of: .index, within: owner) }
        }
    }

    /// A kind of element whose names must be unique.
    private enum NamedKind: String {
        case entity, composite, fetchRequest = "fetch request", configuration, attribute, property, index

        /// A Boolean value that indicates whether the name becomes an identifier in Swift and SQL.
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

    /// The maximum number of properties that an entity declares.
    private static let maximumPropertyCount = 10_000

    private mutating func checkCount(of properties: [ElementSyntax], owner: String, at element: ElementSyntax) {
        guard properties.count > Self.maximumPropertyCount else { return }
        report(
            .limitExceeded,
            "entity \(owner) has \(properties.count) properties; the limit is \(Self.maximumPropertyCount); move some to "
                + "another entity",
            at: element.location
        )
    }

    /// Finds elements of one kind without a name, with an invalid name, or with the name of another element.
    ///
    /// Names that become identifiers in Swift and SQL must differ in more than case: SQLite does not distinguish names
    /// by case, and neither do some file systems, or accessors such as `addToItems`.
    private mutating func checkDuplicates(_ elements: [ElementSyntax], of kind: NamedKind, within owner: String) {
        guard !areFewAndDistinct(elements, of: kind) else { return }
        var first: [String: AttributeSyntax] = [:]
        first.reserveCapacity(elements.count)
        for element in elements {
            guard let attribute = element.attribute(.name), !attribute.value.isEmpty || kind.isIdentifier else {
                report(.missingName, "\(kind.rawValue) has no name; give it one", at: element.location)
                continue
            }
            let name = attribute.value
            if kind.isIdentifier, !attribute.isIdentifier {
                report(
                    .invalidName,
                    "'\(attribute.shown)' cannot be the name of \(kind.article) \(kind.rawValue); use at most 128 "
                        + "ASCII letters, digits and underscores, not beginning with a digit",
                    at: attribute.valueLocation
                )
                continue
            }
            guard let earlier = first.updateValue(attribute, forKey: kind.isIdentifier ? name.lowercased() : name)
            else {
                continue
            }
            let note = Diagnostic.Note("the other one is here", at: earlier.valueLocation)
            if earlier.value == name {
                report(
                    .duplicateName,
                    "\(kind.rawValue) '\(name)' is duplicated in \(owner); rename one",
                    at: attribute.valueLocation,
                    notes: [note]
                )
            } else {
                report(
                    .caseClash,
                    "\(kind.rawValue) '\(name)' differs from '\(earlier.value)' only in case; rename one",
                    at: attribute.valueLocation,
                    notes: [note]
                )
            }
        }
    }

    /// Returns a Boolean value that indicates whether there are few elements and nothing to report.
    ///
    /// This needs no table, and is enough for nearly every entity.
    private func areFewAndDistinct(_ elements: [ElementSyntax], of kind: NamedKind) -> Bool {
        guard elements.count <= 16 else { return false }
        var keys: [UInt64] = []
        keys.reserveCapacity(elements.count)
        for element in elements {
            // Strings that are equal in Unicode may differ in bytes; identifiers are ASCII.
            guard let name = element.attribute(.name), !name.isEscaped, name.valueLength > 0,
                kind.isIdentifier ? name.isIdentifier : !name.hasOtherThanASCII
            else { return false }
            let key = name.keyWithoutCase
            guard !keys.contains(key) else { return false }
            keys.append(key)
        }
        return true
    }

    /// Finds properties whose names differ from inherited ones in case only.
    ///
    /// Siblings in a hierarchy may have such properties; their columns get suffixes.
    mutating func checkInheritedCase(_ lineages: InheritanceChains) {
        for entity in entities where entity.element.attribute(.parentEntity) != nil {
            var inherited: [String: String] = [:]
            for ancestor in lineages.lineage(of: entity.name).dropFirst() {
                for name in ancestor.declaredPropertyNames { inherited[name.lowercased()] = name }
            }
            for property in entity.propertyElements {
                guard let name = property.attribute(.name), let other = inherited[name.value.lowercased()],
                    other != name.value
                else { continue }
                report(
                    .caseClash,
                    "'\(name.value)' of '\(entity.name)' differs from the inherited '\(other)' only in case; rename one",
                    at: name.valueLocation
                )
            }
        }
    }
}
