import ChordataModel
import ChordataPredicate
import ChordataSQL
import ChordataTestSupport
import ChordataVerification

/// A model and its objects, both as plain values.
///
/// Edits determine the result of a migration here, without a store.
///
/// An edit changes the model and, independently, the objects, as the rules of migration require. The planner only sees
/// the two models.
struct RandomStore {
    typealias Object = StoreContents.Object

    var entities: [EntityDescription] = []
    var objects: [Object] = []
    var random: SeededGenerator
    /// The edits, for debugging.
    var story: [String] = []
    /// Entities that edits added, or that had no rows before.
    var newEntities: Set<String> = []
    /// The original root entity of each entity.
    ///
    /// Entities that edits added have none.
    var firstRoots: [String: String] = [:]
    /// Properties that were edited or added.
    ///
    /// Each is edited only once, so that the edits can be one step.
    var touched: Set<String> = []
    /// A Boolean value that indicates whether the destination of a relationship was changed.
    var hasRetargeted = false
    /// The original names of entities and properties, by their current names.
    ///
    /// Those that edits added have none.
    var firstEntityNames: [String: String] = [:]
    var firstPropertyNames: [String: String] = [:]
    /// Values that the new type of their attribute cannot represent, by object and attribute.
    var misfits: [(id: Int64, attribute: String)] = []
    private var nameCount = 0
    /// Names of entities that the SQL or the planner may also use.
    private var trickyNames = ["Link", "Other", "External", "Ranked", "Page", "Index", "Order", "Group", "Table"]

    /// A Boolean value that indicates whether the model has derived attributes.
    let hasDerivedAttributes: Bool

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        hasDerivedAttributes = seed.isMultiple(of: 2)
    }

    /// Returns a name that has not been used before.
    mutating func fresh(_ prefix: String) -> String {
        nameCount += 1
        // SQLite ignores case, so a number makes the name unique. A few names contain a quote.
        return random.chance(12) ? "\(prefix) \"\(nameCount)" : "\(prefix)\(nameCount)"
    }

    /// Returns a name for an entity that has not been used before.
    mutating func freshEntityName() -> String {
        guard random.chance(4), let index = trickyNames.indices.randomElement(using: &random) else { return fresh("E") }
        return trickyNames.remove(at: index)
    }

    /// A Boolean value that indicates whether an object has a value that stops the migration.
    var stops: Bool {
        misfits.contains { misfit in objects.contains { $0.id == misfit.id && $0.values[misfit.attribute] != nil } }
    }

    // MARK: Entities

    func index(_ name: String) -> Int { entities.firstIndex { $0.name == name }! }
    func entity(_ name: String) -> EntityDescription { entities[index(name)] }

    /// Returns an entity and its superentities, the nearest first.
    func line(_ name: String) -> [String] {
        [name] + (entity(name).superentityName.map { line($0) } ?? [])
    }

    /// Returns an entity and its subentities at all levels.
    func family(_ name: String) -> [String] { entities.map(\.name).filter { line($0).contains(name) } }

    func isKind(_ name: String, of other: String) -> Bool { line(name).contains(other) }

    func attributes(_ name: String) -> [AttributeDescription] { line(name).flatMap { entity($0).declaredAttributes } }
    func relationships(_ name: String) -> [RelationshipDescription] {
        line(name).flatMap { entity($0).declaredRelationships }
    }

    var concrete: [String] { entities.filter { !$0.isAbstract }.map(\.name) }

    /// Changes the declarations of an entity.
    mutating func change(
        _ name: String,
        superentityName: String?? = nil,
        attributes: [AttributeDescription]? = nil,
        relationships: [RelationshipDescription]? = nil,
        isAbstract: Bool? = nil,
        constraints: [[String]]? = nil,
        renamingIdentifier: String? = nil
    ) {
        let old = entity(name)
        entities[index(name)] = EntityDescription(
            name: old.name,
            isAbstract: isAbstract ?? old.isAbstract,
            superentityName: superentityName ?? old.superentityName,
            attributes: attributes ?? old.declaredAttributes,
            relationships: relationships ?? old.declaredRelationships,
            uniquenessConstraints: constraints ?? old.declaredUniquenessConstraints,
            renamingIdentifier: renamingIdentifier ?? old.renamingIdentifier
        )
    }

    /// The objects as a store must contain them: unordered links are sorted by key.
    var contents: StoreContents {
        StoreContents(
            objects.map { object in
                var object = object
                object.derivedNames = Set(
                    line(object.entityName).flatMap { derivedAttributes(declaredBy: $0).map(\.name) }
                )
                for relationship in relationships(object.entityName) where !relationship.isOrdered {
                    object.links[relationship.name]?.sort()
                }
                return object
            }
        )
    }

    /// Returns the model, with derived attributes, which edits do not add or change.
    func model() throws -> ManagedObjectModel {
        try ManagedObjectModel(
            entities: entities.map { entity in
                EntityDescription(
                    name: entity.name,
                    isAbstract: entity.isAbstract,
                    superentityName: entity.superentityName,
                    attributes: entity.declaredAttributes + derivedAttributes(declaredBy: entity.name),
                    relationships: entity.declaredRelationships,
                    uniquenessConstraints: entity.declaredUniquenessConstraints,
                    renamingIdentifier: entity.renamingIdentifier
                )
            }
        )
    }

    /// Returns the derived attributes, which half of the random stores have: the time in each hierarchy, and the number
    /// of objects of a relationship.
    private func derivedAttributes(declaredBy name: String) -> [AttributeDescription] {
        guard hasDerivedAttributes else { return [] }
        let counted = entity(name).declaredRelationships.first { relationship in
            relationship.isToMany && relationship.name.allSatisfy { $0.isLetter || $0.isNumber }
        }
        let count = counted.map { relationship in
            AttributeDescription(
                name: "count of \(name)",
                attributeType: .integer64,
                derivationExpression: "\(relationship.name).@count"
            )
        }
        let time = AttributeDescription(
            name: "time",
            attributeType: .date,
            derivationExpression: "now()"
        )
        return (entity(name).superentityName == nil ? [time] : []) + [count].compactMap(\.self)
    }

    /// Changes the objects of an entity and of its subentities.
    mutating func forEachObject(of name: String, _ body: (inout Object) -> Void) {
        let names = family(name)
        for index in objects.indices where names.contains(objects[index].entityName) { body(&objects[index]) }
    }

    /// Returns the inverse of a relationship, with the entity that declares it.
    func inverse(of relationship: RelationshipDescription) -> (entity: String, relationship: RelationshipDescription)? {
        guard let name = relationship.inverseName else { return nil }
        for level in line(relationship.destinationEntityName) {
            if let found = entity(level).declaredRelationships.first(where: { $0.name == name }) {
                return (level, found)
            }
        }
        return nil
    }

    // MARK: Random contents

    mutating func populate() {
        for _ in 0..<random.below(4) + 2 { addEntity() }
        for name in entities.map(\.name) { for _ in 0..<random.below(4) { addAttribute(to: name, isNew: false) } }
        for _ in 0..<random.below(5) + 1 { addRelationship(isNew: false) }
        var id: Int64 = 0
        for name in concrete {
            for _ in 0..<random.below(6) {
                id += 1 + Int64(random.below(3))
                var object = Object(id: id, entityName: name)
                for attribute in attributes(name) {
                    for leaf in attribute.leaves where !leaf.attribute.isTransient {
                        let isNull = leaf.attribute.isOptional && random.chance(3)
                        object.values[leaf.path.joined(separator: ".")] =
                            isNull ? .null : random.sqlValue(of: leaf.attribute.attributeType)
                    }
                }
                objects.append(object)
            }
        }
        objects.shuffle(using: &random)
        for entity in entities { firstRoots[entity.name] = line(entity.name).last }
        for name in entities.map(\.name) {
            for relationship in entity(name).declaredRelationships { link(relationship, of: name) }
        }
        giveOlderIdentifiers()
        for entity in entities {
            firstEntityNames[entity.name] = entity.name
            for attribute in entity.declaredAttributes { firstPropertyNames[attribute.name] = attribute.name }
            for relationship in entity.declaredRelationships {
                firstPropertyNames[relationship.name] = relationship.name
            }
        }
    }

    /// Gives some elements the renaming identifier of an earlier step.
    private mutating func giveOlderIdentifiers() {
        func older(_ name: String, _ random: inout SeededGenerator) -> String {
            random.chance(6) ? "\(name) once" : name
        }
        for entity in entities {
            change(
                entity.name,
                attributes: entity.declaredAttributes.map { attribute in
                    var attribute = attribute
                    attribute.renamingIdentifier = older(attribute.name, &random)
                    return attribute
                },
                relationships: entity.declaredRelationships.map { relationship in
                    var relationship = relationship
                    relationship.renamingIdentifier = older(relationship.name, &random)
                    return relationship
                },
                renamingIdentifier: older(entity.name, &random)
            )
        }
    }

    /// Links objects at random, at both ends if there is an inverse.
    private mutating func link(_ relationship: RelationshipDescription, of name: String) {
        let inverse = inverse(of: relationship)?.relationship
        // One of the two ends sets the links of both.
        if let inverse, inverse.name < relationship.name { return }
        let sources = objects.indices.filter { isKind(objects[$0].entityName, of: name) }
        let targets = objects.indices.filter { isKind(objects[$0].entityName, of: relationship.destinationEntityName) }
        for index in objects.indices where sources.contains(index) { objects[index].links[relationship.name] = [] }
        if let inverse { for index in targets { objects[index].links[inverse.name] = [] } }
        guard !targets.isEmpty else { return }
        for source in sources {
            for _ in 0..<(relationship.isToMany ? random.below(4) : random.below(2)) {
                let target = random.pick(targets)
                let (from, to) = (objects[source].id, objects[target].id)
                if objects[source].links[relationship.name]!.contains(to) { continue }
                if let inverse {
                    if !inverse.isToMany, !objects[target].links[inverse.name]!.isEmpty { continue }
                    objects[target].links[inverse.name]!.append(from)
                }
                objects[source].links[relationship.name]!.append(to)
            }
        }
    }

    // MARK: Parts

    mutating func addEntity() {
        var superentityName: String?
        if !entities.isEmpty, random.chance(2) { superentityName = random.pick(entities.map(\.name)) }
        entities.append(
            EntityDescription(name: freshEntityName(), isAbstract: random.chance(5), superentityName: superentityName)
        )
    }

    static let types: [AttributeType] = [
        .integer16, .integer32, .integer64, .double, .float, .decimal, .string, .boolean, .date, .binaryData, .uuid,
    ]

    mutating func addAttribute(to name: String, isNew: Bool) {
        var attribute = AttributeDescription(
            name: fresh("a"),
            attributeType: random.pick(Self.types),
            isOptional: random.chance(2)
        )
        if random.chance(8) {
            attribute.attributeType = .composite
            attribute.elements = (0..<2).map { _ in
                AttributeDescription(
                    name: fresh("e"),
                    attributeType: random.pick([.string, .integer32]),
                    isOptional: true
                )
            }
        } else {
            if attribute.attributeType == .binaryData { attribute.allowsExternalBinaryDataStorage = random.chance(2) }
            if attribute.isOptional ? random.chance(2) : !(isNew && random.chance(10)) {
                attribute.defaultValue = random.value(of: attribute.attributeType)
            }
            attribute.isTransient = random.chance(10)
        }
        change(name, attributes: entity(name).declaredAttributes + [attribute])
        guard isNew else { return }
        touched.insert(attribute.name)
        story.append("add attribute \(attribute.name) \(attribute.attributeType) to \(name)")
        give(attribute, to: name)
    }

    /// Sets an attribute that is new to objects to its initial value.
    mutating func give(_ attribute: AttributeDescription, to name: String) {
        for leaf in attribute.leaves where !leaf.attribute.isTransient {
            let path = leaf.path.joined(separator: ".")
            let standard = leaf.attribute.defaultValue.map { SQLValue(.attribute($0)) } ?? .null
            forEachObject(of: name) { $0.values[path] = standard }
        }
    }

    mutating func addRelationship(isNew: Bool) {
        let (owner, target) = (random.pick(entities.map(\.name)), random.pick(entities.map(\.name)))
        let (name, back) = (fresh("r"), fresh("r"))
        let hasInverse = !random.chance(3)
        func end(_ random: inout SeededGenerator, _ name: String, _ destination: String, _ inverse: String?)
            -> RelationshipDescription
        {
            let isToMany = random.chance(2)
            return RelationshipDescription(
                name: name,
                destinationEntityName: destination,
                inverseName: inverse,
                isToMany: isToMany,
                isOrdered: isToMany && random.chance(2)
            )
        }
        let there = end(&random, name, target, hasInverse ? back : nil)
        change(owner, relationships: entity(owner).declaredRelationships + [there])
        if isNew { touched.formUnion([name, back]) }
        forEachObject(of: owner) { $0.links[name] = [] }
        guard hasInverse else { return }
        let other = end(&random, back, owner, name)
        change(target, relationships: entity(target).declaredRelationships + [other])
        forEachObject(of: target) { $0.links[back] = [] }
    }
}
