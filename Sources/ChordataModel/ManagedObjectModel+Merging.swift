extension ManagedObjectModel {
    /// Creates a model with the contents of other models.
    ///
    /// Entities and fetch request templates keep their order, the first model's first. Entities or templates with the
    /// same name in two models must be equal in every detail, including user info and the order of properties, and are
    /// included once. Inherited properties and subentities are not compared, so a model may declare subentities of an
    /// entity of another model. Configurations with the same name become one configuration, which contains the entities
    /// of all of them, those of the first model first.
    ///
    /// The version identifier consists of the version identifiers of the models, joined by a comma and a space, without
    /// empty identifiers and duplicates. Without models the result is an empty model.
    /// - Throws: ``ManagedObjectModelError/conflictingEntity(_:)`` or
    ///   ``ManagedObjectModelError/conflictingFetchRequestTemplate(_:)`` when two models declare different entities or
    ///   templates with the same name.
    /// - Complexity: O(n) in the number of entities and properties of all models.
    public init(merging models: [ManagedObjectModel]) throws(ManagedObjectModelError) {
        var identifiers: [String] = []
        var entities = UniqueList<EntityDescription>()
        var templates = UniqueList<FetchRequestTemplate>()
        var configurations = UniqueList<Configuration>()
        var members: [String: Set<String>] = [:]
        for model in models {
            if !model.versionIdentifier.isEmpty, !identifiers.contains(model.versionIdentifier) {
                identifiers.append(model.versionIdentifier)
            }
            for entity in model.entities {
                let declaration = entity.declaration
                if let earlier = entities[entity.name], earlier != declaration { throw .conflictingEntity(entity.name) }
                entities[entity.name] = declaration
            }
            for template in model.fetchRequestTemplates {
                if let earlier = templates[template.name], earlier != template {
                    throw .conflictingFetchRequestTemplate(template.name)
                }
                templates[template.name] = template
            }
            for configuration in model.configurations {
                var united =
                    configurations[configuration.name] ?? Configuration(name: configuration.name, entityNames: [])
                for name in configuration.entityNames
                where members[configuration.name, default: []].insert(name).inserted {
                    united.entityNames.append(name)
                }
                configurations[configuration.name] = united
            }
        }
        try self.init(
            versionIdentifier: identifiers.joined(separator: ", "),
            entities: entities.elements,
            fetchRequestTemplates: templates.elements,
            configurations: configurations.elements
        )
    }
}

/// Values in the order in which their names were first added.
private struct UniqueList<Element> {
    private(set) var elements: [Element] = []
    private var positions: [String: Int] = [:]

    subscript(name: String) -> Element? {
        get { positions[name].map { elements[$0] } }
        set {
            guard let newValue else { return }
            if let position = positions[name] {
                elements[position] = newValue
            } else {
                positions[name] = elements.endIndex
                elements.append(newValue)
            }
        }
    }
}
