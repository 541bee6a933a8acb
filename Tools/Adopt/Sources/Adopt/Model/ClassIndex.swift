/// The classes of all models, by name.
struct ClassIndex {
    private(set) var classes: [String: ModelClass] = [:]
    /// The models in which a class occurs, for classes of several models.
    private(set) var duplicates: [(name: String, models: [String])] = []
    private var classNames: [Location: String] = [:]

    private struct Location: Hashable {
        let model: String
        let entity: String
    }

    init(_ models: [DataModel]) {
        var owners: [String: [String]] = [:]
        for model in models {
            let names = Self.classNames(of: model)
            for entity in model.entities {
                guard let name = names[entity.name] else { continue }
                classNames[Location(model: model.path, entity: entity.name)] = name
                owners[name, default: []].append(model.path)
                guard classes[name] == nil else { continue }
                classes[name] = ModelClass(
                    name: name,
                    entity: entity,
                    model: model.path,
                    generation: Self.generation(of: entity, model.configuration),
                    parent: entity.parent.flatMap { names[$0] }
                )
            }
        }
        duplicates = owners.filter { $0.value.count > 1 }.map { ($0.key, $0.value) }.sorted { $0.name < $1.name }
    }

    /// The class names by entity.
    ///
    /// If two entities name the same class, each class has the name of its entity, as in generated code.
    private static func classNames(of model: DataModel) -> [String: String] {
        func wanted(_ entity: ModelEntity) -> String {
            if let name = model.configuration.entities[entity.name]?.className { return name }
            let text = entity.representedClassName?.trimmingWhitespace() ?? ""
            let last = text.hasSuffix(".") ? "" : text.split(separator: ".").last.map(String.init) ?? ""
            return last.isEmpty || last == "NSManagedObject" || !isIdentifier(last) ? entity.name : last
        }
        var claims: [String: Int] = [:]
        for entity in model.entities { claims[wanted(entity), default: 0] += 1 }
        return Dictionary(
            model.entities.map { ($0.name, claims[wanted($0)] == 1 ? wanted($0) : $0.name) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    private static func isIdentifier(_ text: String) -> Bool {
        guard let first = text.first, first == "_" || first.isLetter else { return false }
        return text.allSatisfy { $0 == "_" || $0.isLetter || $0.isNumber }
    }

    private static func generation(
        of entity: ModelEntity,
        _ configuration: ModelConfiguration
    ) -> ModelClass.Generation {
        let own = configuration.entities[entity.name]
        if own?.module != nil { return .none }
        let isConfigurable = own?.codegen == nil && entity.codegen == .manual
        switch own?.codegen ?? (isConfigurable ? configuration.codegen : nil) {
        case "category": return .category
        case "none": return .none
        case "class": return .classDefinition
        case _: break
        }
        switch entity.codegen {
        case .category: return .category
        case .classDefinition: return .classDefinition
        case .manual: return .categoryToConfigure
        }
    }

    /// Returns a property of a class, even if it is inherited.
    func property(_ name: String, ofClass className: String) -> ModelProperty? {
        declaration(of: name, ofClass: className)?.property
    }

    /// Returns a property of a class and the class whose entity declares it.
    func declaration(of name: String, ofClass className: String) -> (owner: ModelClass, property: ModelProperty)? {
        for owner in lineage(ofClass: className) {
            if let property = owner.entity.properties[name], !property.isIgnored { return (owner, property) }
        }
        return nil
    }

    /// Returns all relationships of a class to several objects, including inherited ones.
    func toManyRelationships(ofClass className: String) -> [ModelProperty] {
        lineage(ofClass: className).flatMap(\.entity.properties.values).filter { property in
            if case .relationship(_, isToMany: true, _) = property.kind { !property.isIgnored } else { false }
        }
    }

    /// Returns the class at the other end of a relationship.
    func destination(of property: ModelProperty, ofClass className: String) -> String? {
        guard case .relationship(let destination, _, _) = property.kind, let start = classes[className] else {
            return nil
        }
        return classNames[Location(model: start.model, entity: destination)]
    }

    /// A class and its superclasses in the model; malformed models can have cycles.
    private func lineage(ofClass name: String) -> [ModelClass] {
        var found: [ModelClass] = []
        var next: String? = name
        while let name = next, let current = classes[name], !found.contains(where: { $0.name == name }) {
            found.append(current)
            next = current.parent
        }
        return found
    }
}

extension String {
    fileprivate func trimmingWhitespace() -> String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
