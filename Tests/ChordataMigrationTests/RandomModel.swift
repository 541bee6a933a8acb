import ChordataModel

/// Random models, and random edits of models.
///
/// The same seed gives the same models.
struct RandomModel {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

    mutating func below(_ count: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % UInt64(count))
    }

    mutating func flag() -> Bool { below(4) == 0 }
    mutating func pick<T>(_ choices: [T]) -> T { choices[below(choices.count)] }

    private static let entityNames = ["A", "B", "C", "D", "E"]
    private static let propertyNames = ["p", "q", "r", "s", "t", "u"]

    // MARK: Parts

    mutating func attribute(_ name: String, depth: Int = 0) -> AttributeDescription {
        var attribute = AttributeDescription(
            name: name,
            attributeType: pick([.integer16, .integer64, .string, .date, .double]),
            isOptional: flag(),
            isTransient: flag(),
            defaultValue: pick([nil, .integer(1), .string("1"), .boolean(true)]),
            isIndexed: flag(),
            versionHashModifier: pick([nil, nil, "", "1"]),
            userInfo: flag() ? ["k": pick(["1", "2"])] : [:]
        )
        if flag(), depth < 2 {
            attribute.attributeType = .composite
            attribute.elements = ["x", "y"].prefix(1 + below(2)).map { self.attribute($0, depth: depth + 1) }
        }
        return attribute
    }

    mutating func relationship(_ name: String, to names: [String]) -> RelationshipDescription {
        RelationshipDescription(
            name: name,
            destinationEntityName: pick(names),
            inverseName: flag() ? pick(Self.propertyNames) : nil,
            isToMany: flag(),
            isOrdered: flag(),
            isOptional: flag(),
            deleteRule: pick([.nullify, .cascade])
        )
    }

    mutating func request(_ name: String, of names: [String]) -> FetchRequestTemplate {
        FetchRequestTemplate(
            name: name,
            entityName: pick(names),
            predicateFormat: flag() ? "TRUEPREDICATE" : nil,
            fetchLimit: below(2)
        )
    }

    mutating func entity(_ name: String, among names: [String]) -> EntityDescription {
        var properties = Self.propertyNames
        func take(_ generator: inout RandomModel) -> String { properties.remove(at: generator.below(properties.count)) }
        let attributeNames = (0..<below(4)).map { _ in take(&self) }
        let relationshipNames = (0..<below(2)).map { _ in take(&self) }
        return EntityDescription(
            name: name,
            isAbstract: flag(),
            attributes: attributeNames.map { attribute($0) },
            relationships: relationshipNames.map { relationship($0, to: names) },
            fetchedProperties: flag()
                ? [FetchedPropertyDescription(name: "f", fetchRequest: request("f", of: names))] : [],
            indexes: flag() ? [FetchIndexDescription(name: "i", elements: [.init(propertyName: "p")])] : [],
            uniquenessConstraints: flag() ? [["p"], ["q", "r"]] : [],
            versionHashModifier: pick([nil, nil, nil, "", "1"])
        )
    }

    /// Returns entities with some of five names.
    ///
    /// Some have an earlier entity as their superentity.
    mutating func entities() -> [EntityDescription] {
        let names = Self.entityNames.filter { _ in below(3) > 0 }
        var entities = names.map { entity($0, among: names) }
        for index in entities.indices where index > 0 && below(2) == 0 {
            entities[index].superentityName = names[below(index)]
        }
        return entities
    }

    /// Returns the entities without redeclarations of inherited properties, which no model accepts.
    static func withoutRedeclarations(_ entities: [EntityDescription]) -> [EntityDescription] {
        entities.map { entity in
            var entity = entity
            var inherited: Set<String> = []
            var ancestor = entity.superentityName
            while let found = entities.first(where: { $0.name == ancestor }) {
                inherited.formUnion(found.declaredAttributes.map(\.name))
                inherited.formUnion(found.declaredRelationships.map(\.name))
                inherited.formUnion(found.declaredFetchedProperties.map(\.name))
                ancestor = found.superentityName
            }
            entity.declaredAttributes.removeAll { inherited.contains($0.name) }
            entity.declaredRelationships.removeAll { inherited.contains($0.name) }
            entity.declaredFetchedProperties.removeAll { inherited.contains($0.name) }
            return entity
        }
    }

    mutating func model(_ entities: [EntityDescription]) throws -> ManagedObjectModel {
        let entities = Self.withoutRedeclarations(entities)
        let names = entities.map(\.name)
        var requests: [FetchRequestTemplate] = []
        if !names.isEmpty, flag() { requests.append(request("one", of: names)) }
        return try ManagedObjectModel(
            versionIdentifier: pick(["", "", "1"]),
            entities: entities,
            fetchRequestTemplates: requests,
            configurations: flag() ? [.init(name: "Cloud", entityNames: names.filter { _ in flag() })] : []
        )
    }

    // MARK: Edits

    /// Makes one random edit, of an order, a value, a name, a type or the hierarchy.
    mutating func edit(_ entities: inout [EntityDescription]) {
        guard !entities.isEmpty else { return }
        let index = below(entities.count)
        let names = entities.map(\.name)
        switch below(11) {
        case 0: entities.shuffle(&self)
        case 1: entities[index].declaredAttributes.shuffle(&self)
        case 2: entities[index].isAbstract.toggle()
        case 3: entities[index].userInfo["k"] = pick(["1", "2"])
        case 4:
            // A new name, with a renaming identifier.
            let free = Self.entityNames.filter { !names.contains($0) } + ["F\(below(9))"]
            rename(names[index], to: pick(free), in: &entities)
        case 5:
            guard !entities[index].declaredAttributes.isEmpty else { return }
            let place = below(entities[index].declaredAttributes.count)
            let used = Set(
                entities[index].declaredAttributes.map(\.name) + entities[index].declaredRelationships.map(\.name)
            )
            guard let name = Self.propertyNames.first(where: { !used.contains($0) }) else { return }
            entities[index].declaredAttributes[place].name = name
        case 6:
            // Two attributes swap names.
            guard entities[index].declaredAttributes.count > 1 else { return }
            let (first, second) = (entities[index].declaredAttributes[0], entities[index].declaredAttributes[1])
            entities[index].declaredAttributes[0].name = second.name
            entities[index].declaredAttributes[1].name = first.name
        case 7:
            guard let attribute = entities[index].declaredAttributes.popLast() else { return }
            // Moved up, or removed.
            guard let parent = entities[index].superentityName.flatMap({ names.firstIndex(of: $0) }) else { return }
            let used =
                entities[parent].declaredAttributes.map(\.name) + entities[parent].declaredRelationships.map(\.name)
            if !used.contains(attribute.name) { entities[parent].declaredAttributes.append(attribute) }
        case 8: entities[index].superentityName = nil
        case 9:
            guard !entities[index].declaredAttributes.isEmpty else { return }
            let place = below(entities[index].declaredAttributes.count)
            entities[index].declaredAttributes[place].attributeType = pick([.integer16, .integer64, .string])
        default:
            guard !entities[index].declaredUniquenessConstraints.isEmpty else { return }
            let place = below(entities[index].declaredUniquenessConstraints.count)
            entities[index].declaredUniquenessConstraints[place].reverse()
        }
    }

    private func rename(_ name: String, to newName: String, in entities: inout [EntityDescription]) {
        guard !entities.contains(where: { $0.name == newName }) else { return }
        for index in entities.indices {
            if entities[index].name == name { entities[index].name = newName }
            if entities[index].superentityName == name { entities[index].superentityName = newName }
            for place in entities[index].declaredRelationships.indices
            where entities[index].declaredRelationships[place].destinationEntityName == name {
                entities[index].declaredRelationships[place].destinationEntityName = newName
            }
            for place in entities[index].declaredFetchedProperties.indices
            where entities[index].declaredFetchedProperties[place].fetchRequest.entityName == name {
                entities[index].declaredFetchedProperties[place].fetchRequest.entityName = newName
            }
        }
    }
}

extension Array {
    fileprivate mutating func shuffle(_ generator: inout RandomModel) {
        for index in indices.dropFirst() { swapAt(index, generator.below(index + 1)) }
    }
}

extension ManagedObjectModel {
    /// Returns the model with sorted declarations.
    ///
    /// For a store and for a comparison, it is the same model.
    func sorted() throws -> ManagedObjectModel {
        func sorted(_ attributes: [AttributeDescription]) -> [AttributeDescription] {
            attributes.sorted { $0.name < $1.name }.map { attribute in
                var attribute = attribute
                attribute.elements = sorted(attribute.elements)
                return attribute
            }
        }
        return try ManagedObjectModel(
            versionIdentifier: versionIdentifier,
            entities: entities.sorted { $0.name < $1.name }.map { entity in
                var entity = entity
                entity.declaredAttributes = sorted(entity.declaredAttributes)
                entity.declaredRelationships.sort { $0.name < $1.name }
                entity.declaredFetchedProperties.sort { $0.name < $1.name }
                entity.declaredIndexes.sort { $0.name < $1.name }
                entity.declaredUniquenessConstraints = entity.declaredUniquenessConstraints.map { $0.sorted() }
                    .sorted { $0.lexicographicallyPrecedes($1) }
                return entity
            },
            fetchRequestTemplates: fetchRequestTemplates.sorted { $0.name < $1.name },
            configurations: configurations.sorted { $0.name < $1.name }
                .map { Configuration(name: $0.name, entityNames: $0.entityNames.sorted()) }
        )
    }
}
