extension ManagedObjectModel {
    /// The model as text, from which ``init(serialized:)`` creates an equal model.
    ///
    /// The same model always gives the same text.
    package func serialized() -> String {
        var lines = [RecordWriter("M", versionIdentifier).line]
        for entity in entities { append(entity, to: &lines) }
        for template in fetchRequestTemplates { lines.append(record("T", template)) }
        for configuration in configurations {
            var record = RecordWriter("C", configuration.name)
            for name in configuration.entityNames { record.add("e", name) }
            lines.append(record.line)
        }
        return lines.joined(separator: "\n")
    }

    private func append(_ entity: EntityDescription, to lines: inout [String]) {
        var record = RecordWriter("E", entity.name)
        record.add("class", entity.managedObjectClassName)
        record.add("abstract", entity.isAbstract)
        record.add("super", entity.superentityName)
        record.add("codegen", entity.codeGeneration == .unspecified ? nil : entity.codeGeneration.rawValue)
        record.add("renaming", entity.renamingIdentifier == entity.name ? nil : entity.renamingIdentifier)
        record.add("modifier", entity.versionHashModifier)
        lines.append(record.line)
        append(entity.userInfo, to: &lines)
        for attribute in entity.declaredAttributes { append(attribute, "A", depth: 0, to: &lines) }
        for relationship in entity.declaredRelationships { append(relationship, to: &lines) }
        for property in entity.declaredFetchedProperties {
            var record = RecordWriter("P", property.name)
            record.add("optional", property.isOptional)
            lines.append(record.line)
            append(property.userInfo, to: &lines)
            lines.append(self.record("T", property.fetchRequest))
        }
        for index in entity.declaredIndexes {
            var record = RecordWriter("I", index.name)
            for element in index.elements {
                let prefix = element.collationType == .rTree ? "r" : ""
                record.add(prefix + (element.isAscending ? "asc" : "desc"), element.propertyName)
            }
            record.add("where", index.partialIndexPredicate)
            lines.append(record.line)
        }
        for constraint in entity.declaredUniquenessConstraints {
            var record = RecordWriter("U")
            for name in constraint { record.add("p", name) }
            lines.append(record.line)
        }
    }

    private func append(_ attribute: AttributeDescription, _ kind: Character, depth: Int, to lines: inout [String]) {
        var record = RecordWriter(kind, attribute.name, attribute.attributeType.rawValue)
        record.add("depth", depth, default: 0)
        record.add("optional", attribute.isOptional)
        record.add("transient", attribute.isTransient)
        record.add("default", attribute.defaultValue?.serialized)
        record.add("scalar", attribute.usesScalarValueType)
        record.add("min", attribute.minimumValue?.serialized)
        record.add("max", attribute.maximumValue?.serialized)
        record.add("regex", attribute.regularExpression)
        record.add("external", attribute.allowsExternalBinaryDataStorage)
        record.add("transformer", attribute.valueTransformerName)
        record.add("valueClass", attribute.attributeValueClassName)
        record.add("composite", attribute.compositeName)
        record.add("derivation", attribute.derivationExpression)
        record.add("indexed", attribute.isIndexed)
        record.add("preserved", attribute.preservesValueInHistoryOnDeletion)
        record.add("encrypted", attribute.allowsCloudEncryption)
        record.add("spotlight", attribute.isIndexedBySpotlight)
        record.add("record", attribute.isStoredInExternalRecord)
        record.add("renaming", attribute.renamingIdentifier == attribute.name ? nil : attribute.renamingIdentifier)
        record.add("modifier", attribute.versionHashModifier)
        lines.append(record.line)
        append(attribute.userInfo, to: &lines)
        for element in attribute.elements { append(element, "e", depth: depth + 1, to: &lines) }
    }

    private func append(_ relationship: RelationshipDescription, to lines: inout [String]) {
        var record = RecordWriter("R", relationship.name, relationship.destinationEntityName)
        record.add("inverse", relationship.inverseName)
        record.add("many", relationship.isToMany)
        record.add("ordered", relationship.isOrdered)
        record.add("optional", relationship.isOptional)
        record.add("transient", relationship.isTransient)
        record.add("min", relationship.minimumCount, default: 0)
        record.add("max", relationship.maximumCount, default: relationship.isToMany ? 0 : 1)
        record.add("delete", relationship.deleteRule == .nullify ? nil : relationship.deleteRule.rawValue)
        let renaming = relationship.renamingIdentifier
        record.add("renaming", renaming == relationship.name ? nil : renaming)
        record.add("modifier", relationship.versionHashModifier)
        lines.append(record.line)
        append(relationship.userInfo, to: &lines)
    }

    private func append(_ userInfo: [String: String], to lines: inout [String]) {
        // The keys are sorted by bytes, because `<` may order neither of two unequal texts before the other.
        for (key, value) in userInfo.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
            lines.append(RecordWriter("u", key, value).line)
        }
    }

    private func record(_ kind: Character, _ template: FetchRequestTemplate) -> String {
        var record = RecordWriter(kind, template.name, template.entityName)
        record.add("predicate", template.predicateFormat)
        record.add("result", template.resultType.rawValue, default: 0)
        record.add("limit", template.fetchLimit, default: 0)
        record.add("batch", template.fetchBatchSize, default: 0)
        record.add("exact", !template.includesSubentities)
        record.add("noValues", !template.includesPropertyValues)
        record.add("noPending", !template.includesPendingChanges)
        record.add("realised", !template.returnsObjectsAsFaults)
        record.add("distinct", template.returnsDistinctResults)
        return record.line
    }
}
