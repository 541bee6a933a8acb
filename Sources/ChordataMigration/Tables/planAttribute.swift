internal import ChordataModel
internal import ChordataSQL

/// The value of an attribute in the rows of an old entity, with the conditions on it.
struct AttributePlan {
    var value = ColumnValue()
    var check: ValueCheck?
    var stageCheck: StageCheck?
}

/// Plans the value of an attribute, or of an element of a composite, in the rows of an old entity.
func planAttribute(
    _ mapped: AttributeMapping,
    _ flow: RowFlow,
    _ causes: [ModelChange],
    _ match: MigrationMatch
) -> Planned<AttributePlan>? {
    guard let pair = AttributePair(mapped, flow, match) else { return nil }
    var plan = AttributePlan()
    var findings: [Finding] = []
    if let old = pair.old, !old.isTransient, !pair.attribute.isDerived,
        (old.attributeType == .composite) != (pair.attribute.attributeType == .composite)
    {
        findings.append(pair.unconvertible(old.attributeType, pair.attribute.attributeType))
    }
    var isConverted = false
    if let origin = pair.origin, let oldLeaf = pair.oldLeaf, !pair.isComputed {
        if let conversion = ValueConversion(from: oldLeaf.attributeType, to: pair.leaf.attributeType) {
            plan.value = convertedValue(origin, to: mapped, conversion, flow)
            plan.check = conversion.misfit.map { pair.check($0, of: origin, flow, causes) }
            isConverted = true
        } else {
            findings.append(pair.unconvertible(oldLeaf.attributeType, pair.leaf.attributeType))
        }
    }
    guard pair.needsFill(isConverted: isConverted) else { return Planned(plan, findings) }
    plan.value.fill = fill(of: pair.leaf, isExternal: mapped.externalTableName != nil)
    let value = pair.leaf.defaultValue.map { ValueExpression.defaultValue($0) } ?? .null
    if !pair.leaf.isOptional, value == .null {
        findings += [pair.missingDefault(isConverted: isConverted)].compactMap(\.self)
        plan.stageCheck = pair.stageCheck(of: mapped, flow)
    }
    return Planned(plan, findings)
}

/// An attribute of the destination, and the old attribute that matches it.
private struct AttributePair {
    let attribute: AttributeDescription
    let old: AttributeDescription?
    /// The attribute, or the element of the composite.
    let leaf: AttributeDescription
    let oldLeaf: AttributeDescription?
    let origin: AttributeMapping?
    /// The name of the attribute, or the path of the element.
    let name: String
    /// The entity that declares it.
    let entity: String

    init?(_ mapped: AttributeMapping, _ flow: RowFlow, _ match: MigrationMatch) {
        guard let attribute = match.destination.entity(named: flow.destination)?.attribute(named: mapped.path[0]),
            let leaf = attribute.leaves.first(where: { $0.path == mapped.path })?.attribute
        else { return nil }
        self.attribute = attribute
        self.leaf = leaf
        name = mapped.path.joined(separator: ".")
        entity = match.declarer(of: attribute.name, in: flow.destination)
        let old = match.models.sourceAttribute(named: attribute.name, of: flow.destination)
        let path = match.models.sourcePath(of: mapped.path, in: flow.destination)
        self.old = old
        origin = path.flatMap { match.sourceMapping.entity(named: flow.source)?.attribute(at: $0) }
        oldLeaf = path.flatMap { path in old?.leaves.first { $0.path == path }?.attribute }
    }

    /// A Boolean value that indicates whether the value is derived after the migration, from the values at that time.
    var isComputed: Bool { leaf.isDerived && oldLeaf?.attributeType != leaf.attributeType }

    /// Returns a Boolean value that indicates whether rows without a value get the default value.
    ///
    /// Rows that did not have the attribute get it whether it is required or not; rows with NULL only if the attribute
    /// became required.
    func needsFill(isConverted: Bool) -> Bool {
        let isNew = origin == nil && leaf.defaultValue != nil
        return !leaf.isDerived && (isNew || !leaf.isOptional && (oldLeaf?.isOptional != false || !isConverted))
    }

    func check(
        _ misfit: ValueConversion.Misfit,
        of origin: AttributeMapping,
        _ flow: RowFlow,
        _ causes: [ModelChange]
    ) -> ValueCheck {
        ValueCheck(
            flow: flow,
            column: origin.columnName,
            misfit: misfit,
            message: "values of '\(name)' of '\(flow.destination)' do not fit into \(leaf.attributeType.rawValue)",
            causes: causes
        )
    }

    func stageCheck(of mapped: AttributeMapping, _ flow: RowFlow) -> StageCheck {
        StageCheck(
            entityName: flow.destination,
            message:
                "attribute '\(name)' of '\(flow.destination)' is required, and the stage leaves objects without a value",
            condition: .isNull(mapped.columnName)
        )
    }

    func unconvertible(_ old: AttributeType, _ new: AttributeType) -> Finding {
        .notInferred(
            "attribute '\(name)' of '\(entity)' changed from '\(old.rawValue)' to '\(new.rawValue)', which cannot be "
                + "converted automatically",
            entity: entity,
            property: attribute.name
        )
    }

    /// The finding that a required attribute has no value in old rows; `nil` if its type is reported already.
    func missingDefault(isConverted: Bool) -> Finding? {
        if origin == nil {
            return .notInferred(
                "attribute '\(name)' of '\(entity)' is new, required and has no default",
                remedy: "add a default, make it optional",
                entity: entity,
                property: attribute.name
            )
        }
        guard isConverted else { return nil }
        return .notInferred(
            "attribute '\(name)' of '\(entity)' became required and has no default",
            remedy: "add a default",
            entity: entity,
            property: attribute.name
        )
    }
}

/// Returns the value of an old row's attribute in another type, or in another location.
private func convertedValue(
    _ origin: AttributeMapping,
    to mapped: AttributeMapping,
    _ conversion: ValueConversion,
    _ flow: RowFlow
) -> ColumnValue {
    switch (origin.externalTableName, mapped.externalTableName) {
    case (nil, nil), (.some, .some):
        let value = conversion.value(of: origin.columnName)
        return ColumnValue(origin: origin.columnName, expression: conversion.function == nil ? nil : value)
    case (nil, .some): return ColumnValue(expression: .byteCount(origin.columnName))
    case (let sideTable?, nil):
        return ColumnValue(expression: .externalBytes(sideTable: sideTable, table: flow.origin))
    }
}

/// Returns the default value as a column stores it; `nil` if the attribute has no default.
private func fill(of leaf: AttributeDescription, isExternal: Bool) -> ValueExpression? {
    // The row has the length; the bytes are inserted when the rows exist.
    if isExternal, case .data(let bytes)? = leaf.defaultValue { return .constant(.integer(Int64(bytes.count))) }
    return leaf.defaultValue.map { .defaultValue($0) }
}
