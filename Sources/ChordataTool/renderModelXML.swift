internal import ArgumentParser
internal import ChordataDiagnostics
internal import ChordataModel
internal import ChordataModelFile
internal import ChordataPredicate
internal import Foundation

/// Renders a model as the file of a version, in Xcode's format.
func renderModelXML(_ model: ManagedObjectModel) throws -> [UInt8] {
    var root = XMLElement("model")
    root["type"] = "com.apple.IDECoreDataModeler.DataModel"
    root["documentVersion"] = "1.0"
    root["lastSavedToolsVersion"] = "22758"
    root["systemVersion"] = "23F79"
    root["minimumToolsVersion"] = "Automatic"
    root["sourceLanguage"] = "Swift"
    root["userDefinedModelVersionIdentifier"] = model.versionIdentifier
    root.children += model.entities.map(entityElement)
    root.children += model.fetchRequestTemplates.map(requestElement)
    root.children += model.configurations.map { configuration in
        var element = XMLElement("configuration")
        element["name"] = configuration.name
        element.children = configuration.entityNames.map { name in
            var member = XMLElement("memberEntity")
            member["name"] = name
            return member
        }
        return element
    }
    root.children += composites(of: model)
    let text = #"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>"# + root.text
    // The formatter determines the order of attributes and children.
    let formatted = formatModel(ModelSourceFile(path: "contents", contents: Array(text.utf8)))
    try report(formatted.diagnostics)
    guard let contents = formatted.contents else { throw ExitCode(1) }
    return contents
}

/// An element that is to be written.
private struct XMLElement {
    private let name: String
    private var attributes: [(name: String, value: String)] = []
    var children: [XMLElement] = []

    init(_ name: String) { self.name = name }

    /// The value of an attribute; an attribute whose value is `nil` is not written.
    subscript(name: String) -> String? {
        get { attributes.first { $0.name == name }?.value }
        set {
            if let newValue { attributes.append((name, newValue)) }
        }
    }

    /// An attribute that is written only if it is true.
    mutating func set(_ name: String, if isOn: Bool) { self[name] = isOn ? "YES" : nil }

    var text: String {
        let attributes = attributes.map { " \($0.name)=\"\(escape($0.value, with: .xmlAttribute))\"" }.joined()
        return children.isEmpty
            ? "<\(name)\(attributes)/>" : "<\(name)\(attributes)>\(children.map(\.text).joined())</\(name)>"
    }
}

private func entityElement(_ entity: EntityDescription) -> XMLElement {
    var element = XMLElement("entity")
    element["name"] = entity.name
    element["representedClassName"] = entity.managedObjectClassName
    element.set("isAbstract", if: entity.isAbstract)
    element["parentEntity"] = entity.superentityName
    element["versionHashModifier"] = entity.versionHashModifier
    element["renamingIdentifier"] = entity.renamingIdentifier == entity.name ? nil : entity.renamingIdentifier
    element["syncable"] = "YES"
    element["codeGenerationType"] =
        entity.codeGeneration == .unspecified ? nil : entity.codeGeneration.rawValue
    element.children = entity.declaredAttributes.map(attributeElement)
    element.children += entity.declaredRelationships.map(relationshipElement)
    element.children += entity.declaredFetchedProperties.map { property in
        var element = XMLElement("fetchedProperty")
        element["name"] = property.name
        element.set("optional", if: property.isOptional)
        element["syncable"] = "YES"
        element.children = [requestElement(property.fetchRequest)] + userInfoElements(property.userInfo)
        return element
    }
    element.children += entity.declaredIndexes.map { index in
        var element = XMLElement("fetchIndex")
        element["name"] = index.name
        element["partialIndexPredicate"] = index.partialIndexPredicate
        element.children = index.elements.map { part in
            var element = XMLElement("fetchIndexElement")
            element["property"] = part.propertyName
            element["type"] = part.collationType.rawValue
            element["order"] = part.isAscending ? "ascending" : "descending"
            return element
        }
        return element
    }
    if !entity.declaredUniquenessConstraints.isEmpty {
        var constraints = XMLElement("uniquenessConstraints")
        constraints.children = entity.declaredUniquenessConstraints.map { names in
            var constraint = XMLElement("uniquenessConstraint")
            constraint.children = names.map { name in
                var part = XMLElement("constraint")
                part["value"] = name
                return part
            }
            return constraint
        }
        element.children.append(constraints)
    }
    element.children += userInfoElements(entity.userInfo)
    return element
}

private func requestElement(_ request: FetchRequestTemplate) -> XMLElement {
    var element = XMLElement("fetchRequest")
    element["name"] = request.name
    element["entity"] = request.entityName
    element["predicateString"] = request.predicateFormat
    element["resultType"] = request.resultType == .managedObjects ? nil : "\(request.resultType.rawValue)"
    element["fetchLimit"] = request.fetchLimit == 0 ? nil : "\(request.fetchLimit)"
    element["fetchBatchSize"] = request.fetchBatchSize == 0 ? nil : "\(request.fetchBatchSize)"
    return element
}

private func userInfoElements(_ userInfo: [String: String]) -> [XMLElement] {
    guard !userInfo.isEmpty else { return [] }
    var element = XMLElement("userInfo")
    element.children = userInfo.sorted { $0.key < $1.key }.map { entry in
        var element = XMLElement("entry")
        element["key"] = entry.key
        element["value"] = entry.value
        return element
    }
    return [element]
}

// MARK: Attributes

private func attributeElement(_ attribute: AttributeDescription) -> XMLElement {
    var element = XMLElement("attribute")
    element["name"] = attribute.name
    element.set("optional", if: attribute.isOptional)
    element.set("transient", if: attribute.isTransient)
    // Xcode writes no type for a transient attribute without one.
    element["attributeType"] = attribute.attributeType == .undefined ? nil : attribute.attributeType.rawValue
    element["composite"] = attribute.compositeName
    element["valueTransformerName"] = attribute.valueTransformerName
    element.set("allowsExternalBinaryDataStorage", if: attribute.allowsExternalBinaryDataStorage)
    element.set("allowsCloudEncryption", if: attribute.allowsCloudEncryption)
    element.set("derived", if: attribute.isDerived)
    element["derivationExpression"] = attribute.derivationExpression
    let isDate = attribute.attributeType == .date
    element[isDate ? "minDateTimeInterval" : "minValueString"] = attribute.minimumValue.map(valueText)
    element[isDate ? "maxDateTimeInterval" : "maxValueString"] = attribute.maximumValue.map(valueText)
    element["regularExpressionString"] = attribute.regularExpression
    element[isDate ? "defaultDateTimeInterval" : "defaultValueString"] = attribute.defaultValue.map(valueText)
    element.set("usesScalarValueType", if: attribute.usesScalarValueType)
    element["customClassName"] = attribute.attributeValueClassName
    element.set("indexed", if: attribute.isIndexed)
    element.set("preserveAfterDeletion", if: attribute.preservesValueInHistoryOnDeletion)
    element.set("spotlightIndexingEnabled", if: attribute.isIndexedBySpotlight)
    element.set("storedInTruthFile", if: attribute.isStoredInExternalRecord)
    element["versionHashModifier"] = attribute.versionHashModifier
    element["renamingIdentifier"] = attribute.renamingIdentifier == attribute.name ? nil : attribute.renamingIdentifier
    element["syncable"] = "YES"
    element.children = userInfoElements(attribute.userInfo)
    return element
}

private func valueText(_ value: AttributeValue) -> String {
    switch value {
    case .integer(let integer): "\(integer)"
    case .double(let double): "\(double)"
    case .decimal(let decimal): decimalText(decimal)
    case .string(let text): text
    case .boolean(let boolean): boolean ? "YES" : "NO"
    case .date(let date): "\(date.timeIntervalSinceReferenceDate)"
    case .data(let data): data.base64EncodedString()
    case .uuid(let uuid): uuid.uuidString
    case .url(let url): url.absoluteString
    }
}

private func relationshipElement(_ relationship: RelationshipDescription) -> XMLElement {
    var element = XMLElement("relationship")
    element["name"] = relationship.name
    element.set("optional", if: relationship.isOptional)
    element.set("transient", if: relationship.isTransient)
    element.set("toMany", if: relationship.isToMany)
    element["minCount"] = relationship.minimumCount == 0 ? nil : "\(relationship.minimumCount)"
    element["maxCount"] = relationship.maximumCount == 0 ? nil : "\(relationship.maximumCount)"
    element["deletionRule"] = relationship.deleteRule.rawValue
    element.set("ordered", if: relationship.isOrdered)
    element["destinationEntity"] = relationship.destinationEntityName
    element["inverseName"] = relationship.inverseName
    element["inverseEntity"] = relationship.inverseName == nil ? nil : relationship.destinationEntityName
    element["versionHashModifier"] = relationship.versionHashModifier
    element["renamingIdentifier"] =
        relationship.renamingIdentifier == relationship.name ? nil : relationship.renamingIdentifier
    element["syncable"] = "YES"
    element.children = userInfoElements(relationship.userInfo)
    return element
}

/// Returns the composites that the attributes of a model use, each once.
private func composites(of model: ManagedObjectModel) -> [XMLElement] {
    var elements: [XMLElement] = []
    var names: Set<String> = []
    func add(_ attributes: [AttributeDescription]) {
        for attribute in attributes {
            guard let name = attribute.compositeName, names.insert(name).inserted else { continue }
            var element = XMLElement("composite")
            element["name"] = name
            element.children = attribute.elements.map(attributeElement)
            elements.append(element)
            add(attribute.elements)
        }
    }
    for entity in model.entities { add(entity.declaredAttributes) }
    return elements
}
