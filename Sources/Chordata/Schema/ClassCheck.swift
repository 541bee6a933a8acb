internal import ChordataModel
internal import ChordataSQL
internal import Synchronization

/// The comparison of a model's classes with the model, made once per process.
///
/// A class of another module was generated from the model of that module. Generated code addresses properties by their
/// position, so both models must declare the same properties in the same order.
package final class ClassCheck: Sendable {
    private let isDone = Mutex(false)

    /// Compares all classes of a definition, unless an earlier comparison has succeeded.
    /// - Throws: ``StoreError`` with the code ``StoreError/Code/incompatibleClass``.
    package func run(on definition: ModelDefinition) throws(StoreError) {
        try isDone.withLock { isDone throws(StoreError) in
            if isDone { return }
            for objectClass in definition.classes { try checkClass(objectClass, in: definition) }
            isDone = true
        }
    }
}

/// Compares a class with its entity in a model, level by level from the root.
private func checkClass(_ objectClass: ManagedObject.Type, in definition: ModelDefinition) throws(StoreError) {
    let entityName = objectClass.entityName
    guard definition.model.entity(named: entityName) != nil else {
        let fullName = String(reflecting: objectClass)
        throw StoreError(
            .incompatibleClass,
            "class '\(fullName)' represents entity '\(entityName)', but model '\(definition.name)' has no entity of this "
                + "name; give the entity the same name in this model and in that of module '\(moduleName(fullName))', and "
                + "generate the code again"
        )
    }
    var layout = ClassLayout()
    objectClass.describe(objectClass.init(.probe), in: &layout)
    let lineage = definition.model.lineage(of: entityName)
    let own = layout.levels.compactMap(\.origin)
    // A class that was not generated has no model of its own; the sizes of its levels are compared with the fields.
    guard own.count == layout.levels.count else { return }
    guard own.count == lineage.count else {
        throw mismatch(
            objectClass,
            entityName,
            definition,
            "inherits the properties of \(names(own.map(\.entityName))), but the entity inherits those of "
                + "\(names(lineage.map(\.name)))"
        )
    }
    for (level, ancestor) in zip(own, lineage) where level.definition.classCheck !== definition.classCheck {
        guard let declared = level.definition.model.entity(named: level.entityName) else { continue }
        let owner = ancestor.name == entityName ? "" : " of '\(ancestor.name)'"
        guard
            let difference = firstDifference(
                slots(of: declared, in: level.definition),
                slots(of: ancestor, in: definition)
            )
        else { continue }
        throw mismatch(objectClass, entityName, definition, difference + owner, model: level.definition.name)
    }
}

/// The parts of a property on which generated code depends.
private struct Slot: Hashable {
    var name: String
    /// A description of the values that must be equal.
    var type: String
    /// The class at the other end of a relationship; two entities with the same name may have different classes.
    var destination: ObjectIdentifier?
}

/// Returns the declared properties in the order of the fields, then the fetched properties.
///
/// Defaults, rules and derivations are those of the store's model; generated code does not depend on them.
private func slots(of entity: EntityDescription, in definition: ModelDefinition) -> [Slot] {
    func destination(_ name: String) -> ObjectIdentifier? {
        definition.classes.first { $0.entityName == name }.map { ObjectIdentifier($0) }
    }
    let attributes = entity.declaredAttributes.flatMap(\.leaves).map { leaf in
        let attribute = leaf.attribute
        var words = attribute.isOptional ? ["optional"] : []
        if attribute.isTransient { words.append("transient") }
        if attribute.isStoredExternally { words.append("externally stored") }
        words.append(attribute.attributeType.rawValue)
        return Slot(name: leaf.path.joined(separator: "."), type: words.joined(separator: " "))
    }
    let relationships = entity.declaredRelationships.map { relationship in
        let kind = relationship.isToMany ? relationship.isOrdered ? "ordered to-many" : "to-many" : "to-one"
        let prefix = relationship.isTransient ? "transient " : ""
        return Slot(
            name: relationship.name,
            type: "\(prefix)\(kind) relationship to '\(relationship.destinationEntityName)'",
            destination: destination(relationship.destinationEntityName)
        )
    }
    let fetched = entity.declaredFetchedProperties.map { property in
        Slot(
            name: property.name,
            type: "fetched property of '\(property.fetchRequest.entityName)'",
            destination: destination(property.fetchRequest.entityName)
        )
    }
    return attributes + relationships + fetched
}

/// Returns a description of the first difference between the properties of a class and those of the entity, or `nil`.
private func firstDifference(_ own: [Slot], _ wanted: [Slot]) -> String? {
    guard own != wanted else { return nil }
    let ownNames = Set(own.map(\.name))
    let wantedNames = Set(wanted.map(\.name))
    if let missing = wanted.first(where: { !ownNames.contains($0.name) }) { return "has no property '\(missing.name)'" }
    if let surplus = own.first(where: { !wantedNames.contains($0.name) }) {
        return "has a property '\(surplus.name)', which the entity lacks"
    }
    for slot in own {
        guard let other = wanted.first(where: { $0.name == slot.name }), other != slot else { continue }
        if other.type == slot.type { return "has another destination class for '\(slot.name)'" }
        return "declares '\(slot.name)' as \(slot.type), but the entity declares it as \(other.type)"
    }
    let (first, other) = zip(own, wanted).first { $0 != $1 } ?? (own[0], wanted[0])
    return "declares '\(first.name)' where the entity declares '\(other.name)', so the order differs"
}

private func names(_ names: [String]) -> String { names.map { "'\($0)'" }.joined(separator: ", ") }

private func moduleName(_ fullName: String) -> Substring { fullName.prefix { $0 != "." } }

private func mismatch(
    _ objectClass: ManagedObject.Type,
    _ entityName: String,
    _ definition: ModelDefinition,
    _ difference: String,
    model: String? = nil
) -> StoreError {
    let fullName = String(reflecting: objectClass)
    return StoreError(
        .incompatibleClass,
        "entity '\(entityName)' of model '\(definition.name)' does not match its class '\(fullName)': the class of "
            + "module '\(moduleName(fullName))' "
            + difference + "; declare the same properties in the same order in '\(definition.name)' and in "
            + (model.map { "'\($0)'" } ?? "the model from which the class was generated")
            + ", and generate the code again"
    )
}
