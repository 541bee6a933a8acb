package import ChordataModel
internal import ChordataPredicate
internal import ChordataSQL
internal import Foundation

/// Generates objects of each entity that is not abstract, and relationships between them; the result is always the
/// same.
///
/// Values differ from object to object, because they may have to be unique, and are small enough for every type that
/// the type of their attribute can become. In every third object, optional properties have no value. The few objects
/// that violate a uniqueness constraint, for example of Boolean attributes, are left out.
package func generateContents(of model: ManagedObjectModel, objectsPerEntity: Int) -> StoreContents {
    var objects: [StoreContents.Object] = []
    var taken: Set<UniqueValues> = []
    for round in 0..<objectsPerEntity {
        for entity in model.entities where !entity.isAbstract {
            var object = StoreContents.Object(id: Int64(objects.count + 1), entityName: entity.name)
            for attribute in entity.attributes {
                for leaf in attribute.leaves where leaf.attribute.isInValues {
                    let isLacking = leaf.attribute.isOptional && round % 3 == 2
                    object.values[leaf.path.joined(separator: ".")] =
                        isLacking || leaf.attribute.isDerived
                        ? .null : makeValue(of: leaf.attribute.attributeType, object.id)
                }
            }
            let unique = uniqueValues(of: object, in: model)
            guard taken.isDisjoint(with: unique) else { continue }
            taken.formUnion(unique)
            objects.append(object)
        }
    }
    var contents = StoreContents(objects)
    for entity in model.entities {
        for relationship in entity.declaredRelationships where !relationship.isTransient {
            link(DeclaredRelationship(entity: entity, relationship: relationship), &contents, model)
        }
    }
    return contents
}

/// The properties of an object that must be unique.
private struct UniqueValues: Hashable {
    var entityName: String
    var names: [String]
    var values: [SQLValue]
}

private func uniqueValues(of object: StoreContents.Object, in model: ManagedObjectModel) -> [UniqueValues] {
    model.lineage(of: object.entityName).flatMap { entity in
        entity.uniquenessConstraints.compactMap { names in
            let values = names.compactMap { object.values[$0] }
            // NULL is not equal to any value; a to-one of a constraint is not linked.
            guard values.count == names.count, !values.contains(.null) else { return nil }
            return UniqueValues(entityName: entity.name, names: names, values: values)
        }
    }
}

private func makeValue(of type: AttributeType, _ number: Int64) -> SQLValue {
    switch type {
    case .integer16, .integer32, .integer64: .integer(number)
    case .boolean: .integer(number % 2)
    // Quarters are exact in floats, too.
    case .double, .float: .real(Double(number) + 0.25)
    case .date: .real(Double(number) * 86_400.5)
    case .decimal: .text(decimalText(Decimal(number) / 8))
    case .string: .text("it's \u{201C}\(number)\u{201D}")
    case .uri: .text("https://example.org/\(number)")
    case .uuid: .blob(Data((0..<16).map { UInt8(truncatingIfNeeded: Int(number) >> ($0 * 8)) }))
    case .binaryData, .transformable: .blob(Data("bytes \(number)".utf8))
    case .undefined, .objectID, .composite: .null
    }
}

/// Creates the links of a relationship; one end creates the links of both ends.
private func link(_ declared: DeclaredRelationship, _ contents: inout StoreContents, _ model: ManagedObjectModel) {
    let relationship = declared.relationship
    let inverse = model.inverse(of: relationship, in: declared.entity)
    let owners = contents.objects(of: declared.entity.name, in: model)
    for id in owners { contents.objects[id]?.links[relationship.name, default: []] += [] }
    if let inverse, (inverse.entity.name, inverse.relationship.name) < (declared.entity.name, relationship.name) {
        return
    }
    // If the destination of the inverse is a part of the hierarchy, only objects of that part can have the inverse.
    let sources =
        inverse.map { back in
            owners.filter {
                contents.objects[$0].map {
                    model.entity($0.entityName, isKindOf: back.relationship.destinationEntityName)
                } == true
            }
        } ?? owners
    let targets = contents.objects(of: relationship.destinationEntityName, in: model)
    // Two objects must not reference the same object by a to-one of a uniqueness constraint, so such a to-one
    // references nothing.
    let isUnique =
        model.hasConstraint(relationship.name, declared.entity.name)
        || inverse.map { model.hasConstraint($0.relationship.name, $0.entity.name) } == true
    guard !targets.isEmpty, !isUnique else { return }
    for (index, source) in sources.enumerated() where index % 3 != 2 {
        // A to-many gets two objects, the younger one first, so that its order is not that of creation.
        let places = relationship.isToMany ? [index * 2 + 1, index * 2] : [index]
        var found: [Int64] = []
        for place in places where !found.contains(targets[place % targets.count]) {
            found.append(targets[place % targets.count])
        }
        for target in found { contents.link(source, relationship, to: target, inverse?.relationship) }
    }
}

extension ManagedObjectModel {
    /// Returns a Boolean value that indicates whether a property is part of a uniqueness constraint of an entity or of
    /// its subentities.
    fileprivate func hasConstraint(_ name: String, _ entityName: String) -> Bool {
        subentityClosure(of: entityName).contains {
            entity(named: $0)?.uniquenessConstraints.joined().contains(name) == true
        }
    }
}

extension StoreContents {
    /// Returns the keys of the objects of an entity and its subentities, in the order of creation.
    func objects(of entityName: String, in model: ManagedObjectModel) -> [Int64] {
        inOrder.filter { model.entity($0.entityName, isKindOf: entityName) }.map(\.id)
    }

    /// Links one object with another, if both ends can have one more object.
    fileprivate mutating func link(
        _ source: Int64,
        _ relationship: RelationshipDescription,
        to target: Int64,
        _ inverse: RelationshipDescription?
    ) {
        func isFull(_ id: Int64, _ relationship: RelationshipDescription, _ other: Int64) -> Bool {
            let links = objects[id]?.links[relationship.name] ?? []
            return links.contains(other) || !relationship.isToMany && !links.isEmpty
        }
        if isFull(source, relationship, target) { return }
        guard let inverse else { return append(target, to: relationship, of: source) }
        if isFull(target, inverse, source) { return }
        append(target, to: relationship, of: source)
        // An object that references itself by a relationship that is its own inverse has one link.
        if source == target, inverse.name == relationship.name { return }
        append(source, to: inverse, of: target)
    }

    private mutating func append(_ id: Int64, to relationship: RelationshipDescription, of owner: Int64) {
        var links = objects[owner]?.links[relationship.name] ?? []
        links.append(id)
        objects[owner]?.links[relationship.name] = relationship.isOrdered ? links : links.sorted()
    }
}
