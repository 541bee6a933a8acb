/// An error of a serialized model: generated code and runtime do not match.
package struct ModelSerializationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The line, counted from 1.
    package let line: Int
    package let message: String

    package var description: String { "line \(line) of the serialized model: \(message)" }
}

extension ManagedObjectModel {
    /// Reads the text that ``serialized()`` returns.
    package init(serialized text: String) throws(ModelSerializationError) {
        var reader = ModelReader()
        var number = 0
        // The text is split by bytes, because a line break or a tab and a following accent are one character.
        for line in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(Substring.init)
        {
            number += 1
            guard reader.read(line) else {
                throw ModelSerializationError(line: number, message: "cannot be read: \(line)")
            }
        }
        do {
            self = try ManagedObjectModel(
                versionIdentifier: reader.versionIdentifier,
                entities: reader.entities,
                fetchRequestTemplates: reader.templates,
                configurations: reader.configurations
            )
        } catch {
            throw ModelSerializationError(line: number, message: error.description)
        }
    }
}

/// The fields of one line.
private struct Record {
    let kind: Substring
    private(set) var positional: [String] = []
    private(set) var keyed: [(key: Substring, value: String)] = []

    /// Reads the fields of a line; `positional` fields come first, without a key.
    init(_ line: Substring) {
        let fields = line.utf8.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false).map(
            Substring.init
        )
        kind = fields.first ?? ""
        let count =
            switch kind {
            case "M", "E", "P", "I", "C": 1
            case "A", "e", "R", "T", "u": 2
            default: 0
            }
        positional = fields.dropFirst().prefix(count).map { unescape($0) }
        for field in fields.dropFirst(1 + count) {
            guard let equals = field.utf8.firstIndex(of: UInt8(ascii: "=")) else { continue }
            keyed.append((field[..<equals], unescape(field[field.utf8.index(after: equals)...])))
        }
    }

    subscript(key: String) -> String? { keyed.first { $0.key == key }?.value }
    func flag(_ key: String) -> Bool { self[key] == "1" }
    func number(_ key: String) -> Int? { self[key].flatMap { Int($0) } }
}

/// Builds a model line by line.
private struct ModelReader {
    private enum Owner: Equatable { case entity, attribute(depth: Int), relationship, fetchedProperty }

    var versionIdentifier = ""
    var entities: [EntityDescription] = []
    var templates: [FetchRequestTemplate] = []
    var configurations: [ManagedObjectModel.Configuration] = []
    private var owner = Owner.entity

    /// Reads one line; returns `false` if the line is not valid.
    mutating func read(_ line: Substring) -> Bool {
        let record = Record(line)
        let last = entities.count - 1
        switch record.kind {
        case "M":
            versionIdentifier = record.positional.first ?? ""
            return true
        case "C":
            guard let name = record.positional.first else { return false }
            configurations.append(.init(name: name, entityNames: record.keyed.map(\.value)))
            return true
        case "E": return readEntity(record)
        case "T":
            guard let template = Self.template(record) else { return false }
            if owner == .fetchedProperty, last >= 0, !entities[last].declaredFetchedProperties.isEmpty {
                let property = entities[last].declaredFetchedProperties.count - 1
                entities[last].declaredFetchedProperties[property].fetchRequest = template
                owner = .entity
            } else {
                templates.append(template)
            }
            return true
        case "A", "e", "R", "P", "I", "U", "u":
            guard last >= 0 else { return false }
            // The entity is changed in place: a copy of it would copy its list of attributes for each attribute.
            return Self.readMember(record, of: &entities[last], &owner)
        default: return false
        }
    }

    private mutating func readEntity(_ record: Record) -> Bool {
        guard let name = record.positional.first,
            let codegen = EntityDescription.CodeGeneration(rawValue: record["codegen"] ?? "")
        else { return false }
        entities.append(
            EntityDescription(
                name: name,
                managedObjectClassName: record["class"],
                isAbstract: record.flag("abstract"),
                superentityName: record["super"],
                codeGeneration: codegen,
                renamingIdentifier: record["renaming"],
                versionHashModifier: record["modifier"]
            )
        )
        owner = .entity
        return true
    }

    private static func readMember(_ record: Record, of entity: inout EntityDescription, _ owner: inout Owner) -> Bool {
        switch record.kind {
        case "A":
            guard let attribute = attribute(record) else { return false }
            entity.declaredAttributes.append(attribute)
            owner = .attribute(depth: 0)
        case "e":
            guard let element = attribute(record), !entity.declaredAttributes.isEmpty else { return false }
            let depth = record.number("depth") ?? 1
            append(element, depth: depth, to: &entity.declaredAttributes[entity.declaredAttributes.count - 1])
            owner = .attribute(depth: depth)
        case "R":
            guard let relationship = relationship(record) else { return false }
            entity.declaredRelationships.append(relationship)
            owner = .relationship
        case "P":
            guard let name = record.positional.first else { return false }
            let placeholder = FetchRequestTemplate(name: "", entityName: "")
            entity.declaredFetchedProperties.append(
                FetchedPropertyDescription(
                    name: name,
                    fetchRequest: placeholder,
                    isOptional: record.flag("optional")
                )
            )
            owner = .fetchedProperty
        case "I":
            guard let name = record.positional.first else { return false }
            entity.declaredIndexes.append(
                FetchIndexDescription(
                    name: name,
                    elements: record.keyed.filter { $0.key != "where" }.map {
                        .init(
                            propertyName: $0.value,
                            isAscending: $0.key.hasSuffix("asc"),
                            collationType: $0.key.hasPrefix("r") ? .rTree : .binary
                        )
                    },
                    partialIndexPredicate: record["where"]
                )
            )
        case "U": entity.declaredUniquenessConstraints.append(record.keyed.map(\.value))
        default: return readUserInfo(record, of: &entity, owner)
        }
        return true
    }

    private static func readUserInfo(_ record: Record, of entity: inout EntityDescription, _ owner: Owner) -> Bool {
        guard record.positional.count == 2 else { return false }
        let (key, value) = (record.positional[0], record.positional[1])
        switch owner {
        case .entity: entity.userInfo[key] = value
        case .attribute(let depth):
            changeLast(of: &entity.declaredAttributes, depth: depth) { $0.userInfo[key] = value }
        case .relationship: entity.declaredRelationships[entity.declaredRelationships.count - 1].userInfo[key] = value
        case .fetchedProperty:
            entity.declaredFetchedProperties[entity.declaredFetchedProperties.count - 1].userInfo[key] = value
        }
        return true
    }

    /// Changes the last of the attributes, or, at a greater depth, the last of its elements, and so on.
    private static func changeLast(
        of attributes: inout [AttributeDescription],
        depth: Int,
        _ change: (inout AttributeDescription) -> Void
    ) {
        guard !attributes.isEmpty else { return }
        let last = attributes.count - 1
        if depth == 0 {
            change(&attributes[last])
        } else {
            changeLast(of: &attributes[last].elements, depth: depth - 1, change)
        }
    }

    private static func append(_ element: AttributeDescription, depth: Int, to attribute: inout AttributeDescription) {
        if depth <= 1 || attribute.elements.isEmpty {
            attribute.elements.append(element)
        } else {
            append(element, depth: depth - 1, to: &attribute.elements[attribute.elements.count - 1])
        }
    }

    private static func attribute(_ record: Record) -> AttributeDescription? {
        guard record.positional.count == 2, let type = AttributeType(rawValue: record.positional[1]) else { return nil }
        return AttributeDescription(
            name: record.positional[0],
            attributeType: type,
            isOptional: record.flag("optional"),
            isTransient: record.flag("transient"),
            defaultValue: record["default"].flatMap { AttributeValue(serialized: $0) },
            usesScalarValueType: record.flag("scalar"),
            minimumValue: record["min"].flatMap { AttributeValue(serialized: $0) },
            maximumValue: record["max"].flatMap { AttributeValue(serialized: $0) },
            regularExpression: record["regex"],
            allowsExternalBinaryDataStorage: record.flag("external"),
            valueTransformerName: record["transformer"],
            attributeValueClassName: record["valueClass"],
            compositeName: record["composite"],
            derivationExpression: record["derivation"],
            isIndexed: record.flag("indexed"),
            preservesValueInHistoryOnDeletion: record.flag("preserved"),
            allowsCloudEncryption: record.flag("encrypted"),
            isIndexedBySpotlight: record.flag("spotlight"),
            isStoredInExternalRecord: record.flag("record"),
            renamingIdentifier: record["renaming"],
            versionHashModifier: record["modifier"]
        )
    }

    private static func relationship(_ record: Record) -> RelationshipDescription? {
        guard record.positional.count == 2,
            let rule = DeleteRule(rawValue: record["delete"] ?? DeleteRule.nullify.rawValue)
        else { return nil }
        return RelationshipDescription(
            name: record.positional[0],
            destinationEntityName: record.positional[1],
            inverseName: record["inverse"],
            isToMany: record.flag("many"),
            isOrdered: record.flag("ordered"),
            isOptional: record.flag("optional"),
            isTransient: record.flag("transient"),
            minimumCount: record.number("min") ?? 0,
            maximumCount: record.number("max"),
            deleteRule: rule,
            renamingIdentifier: record["renaming"],
            versionHashModifier: record["modifier"]
        )
    }

    private static func template(_ record: Record) -> FetchRequestTemplate? {
        guard record.positional.count == 2,
            let result = FetchRequestTemplate.ResultType(rawValue: record.number("result") ?? 0)
        else { return nil }
        return FetchRequestTemplate(
            name: record.positional[0],
            entityName: record.positional[1],
            predicateFormat: record["predicate"],
            resultType: result,
            fetchLimit: record.number("limit") ?? 0,
            fetchBatchSize: record.number("batch") ?? 0,
            includesSubentities: !record.flag("exact"),
            includesPropertyValues: !record.flag("noValues"),
            includesPendingChanges: !record.flag("noPending"),
            returnsObjectsAsFaults: !record.flag("realised"),
            returnsDistinctResults: record.flag("distinct")
        )
    }
}
