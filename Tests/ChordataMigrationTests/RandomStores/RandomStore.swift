import ChordataModel
import ChordataPredicate
import ChordataSQL
import ChordataTestSupport
import ChordataVerification

/// A model with objects of it, both as plain values: what a migration is to do is done here by edits, without a store.
///
/// An edit changes the model and the objects as the rules of migration say, each for itself; the planner sees two
/// models only.
struct RandomStore {
    typealias Object = StoreContents.Object

    var entities: [EntityDescription] = []
    var objects: [Object] = []
    var random: SeededGenerator
    /// The edits, for debugging.
    var story: [String] = []
    /// Entities that edits made, or of which there were no rows before.
    var newEntities: Set<String> = []
    /// The topmost entity that each one was below at first; none for those that edits made.
    var firstRoots: [String: String] = [:]
    /// Properties that were edited or made: one edit for each, so that edits need not be separated.
    var touched: Set<String> = []
    /// Whether a relationship has another destination than before.
    var hasRetargeted = false
    /// What entities and properties were called at first, by what they are called; none for those that edits made.
    var firstEntityNames: [String: String] = [:]
    var firstPropertyNames: [String: String] = [:]
    /// Values that the new type of their attribute does not have, by object and attribute.
    var misfits: [(id: Int64, attribute: String)] = []
    private var nameCount = 0
    /// Names of entities that SQL or the planner may have as well.
    private var trickyNames = ["Link", "Other", "External", "Ranked", "Page", "Index", "Order", "Group", "Table"]

    /// Whether the model has derived attributes.
    let hasDerivedAttributes: Bool

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        hasDerivedAttributes = seed.isMultiple(of: 2)
    }

    /// A name that nothing has had.
    mutating func fresh(_ prefix: String) -> String {
        nameCount += 1
        // SQLite folds case, and quotes are for the brave.
        return random.chance(12) ? "\(prefix) \"\(nameCount)" : "\(prefix)\(nameCount)"
    }

    /// A name for an entity that nothing has had.
    mutating func freshEntityName() -> String {
        guard random.chance(4), let index = trickyNames.indices.randomElement(using: &random) else { return fresh("E") }
        return trickyNames.remove(at: index)
    }

    /// Whether an object has a value that stops the migration.
    var stops: Bool {
        misfits.contains { misfit in objects.contains { $0.id == misfit.id && $0.values[misfit.attribute] != nil } }
    }

    // MARK: Entities

    func index(_ name: String) -> Int { entities.firstIndex { $0.name == name }! }
    func entity(_ name: String) -> EntityDescription { entities[index(name)] }

    /// An entity and those above it, the nearest first.
    func line(_ name: String) -> [String] {
        [name] + (entity(name).superentityName.map { line($0) } ?? [])
    }

    /// An entity and those below it.
    func family(_ name: String) -> [String] { entities.map(\.name).filter { line($0).contains(name) } }

    func isKind(_ name: String, of other: String) -> Bool { line(name).contains(other) }

    func attributes(_ name: String) -> [AttributeDescription] { line(name).flatMap { entity($0).declaredAttributes } }
    func relationships(_ name: String) -> [RelationshipDescription] {
        line(name).flatMap { entity($0).declaredRelationships }
    }

    var concrete: [String] { entities.filter { !$0.isAbstract }.map(\.name) }

    /// Changes what an entity declares.
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

    /// The objects as they are to be in a store: links of what has no order in that of the keys.
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

    /// The model, with derived attributes that no edit makes or changes.
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

    /// Derived attributes of half of the worlds: the time in each hierarchy, and the number of objects of a
    /// relationship.
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

    /// Changes the objects of an entity and those below it.
    mutating func forEachObject(of name: String, _ body: (inout Object) -> Void) {
        let names = family(name)
        for index in objects.indices where names.contains(objects[index].entityName) { body(&objects[index]) }
    }

    /// The end at the other side of a relationship, with the entity that declares it.
    func inverse(of relationship: RelationshipDescription) -> (entity: String, relationship: RelationshipDescription)? {
        guard let name = relationship.inverseName else { return nil }
        for level in line(relationship.destinationEntityName) {
            if let found = entity(level).declaredRelationships.first(where: { $0.name == name }) {
                return (level, found)
            }
        }
        return nil
    }

    // MARK: Making one

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

    /// Some have the renaming identifier of a step before.
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

    /// Links objects with others at random, at both ends where there is an inverse.
    private mutating func link(_ relationship: RelationshipDescription, of name: String) {
        let inverse = inverse(of: relationship)?.relationship
        // One end makes the links of both.
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

    /// Gives objects that have never had an attribute what they get.
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
