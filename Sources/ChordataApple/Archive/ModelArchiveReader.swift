internal import ChordataModel

/// Reads the objects of an archive of a model.
struct ModelArchiveReader {
    typealias Failure = KeyedArchive.Failure
    typealias Index = KeyedArchive.Index
    typealias Object = KeyedArchive.Object

    let archive: KeyedArchive
    let printer: ArchivedPredicatePrinter
    let root: Object
    private(set) var omissions: [String] = []
    static let maximumOmissionCount = 1_000
    /// The attributes with flags of unknown meaning, by the names of their entities.
    var flaggedAttributes: [String: Set<String>] = [:]
    /// The names of the properties of each entity, inherited ones included, by the entity's number.
    var propertyNames: [Int: Set<String>] = [:]

    var compositeNames: Set<String> = []
    var userInfoCount = 0

    // The limits of model files.
    static let maximumInheritanceDepth = 64
    static let maximumPropertyCount = 200_000
    static let maximumCompositeDepth = 16

    init(archive: KeyedArchive) throws(Failure) {
        self.archive = archive
        printer = ArchivedPredicatePrinter(archive)
        guard let root = try archive.rootObject, root.className == "NSManagedObjectModel" else {
            throw Failure("is not an archive of a model")
        }
        self.root = root
    }

    mutating func omit(_ omission: String) {
        if omissions.count < Self.maximumOmissionCount { omissions.append(omission) }
    }

    // MARK: The model

    func readVersionIdentifier() throws(Failure) -> String {
        var identifiers: [String] = []
        for element in try archive.elements(root.fields["NSVersionIdentifiers"]) {
            if let identifier = try archive.string(element) { identifiers.append(identifier) }
        }
        return identifiers.sorted().joined(separator: ", ")
    }

    mutating func readEntities() throws(Failure) -> [EntityDescription] {
        var objects: [(name: String, object: Object)] = []
        var count = 0
        for (name, value) in try archive.entries(root.fields["NSEntities"]) {
            guard let object = try archive.object(value) else { continue }
            guard propertyNames[object.number] == nil else { throw Failure("has an entity with two names") }
            objects.append((name, object))
            let names = Set(try archive.entries(object.fields["NSProperties"]).map(\.key))
            count += names.count
            guard count <= Self.maximumPropertyCount else {
                throw Failure("has more than \(Self.maximumPropertyCount) properties")
            }
            propertyNames[object.number] = names
        }
        var entities: [EntityDescription] = []
        for (name, object) in objects.sorted(by: { $0.name < $1.name }) {
            entities.append(try readEntity(name, object))
        }
        return entities
    }

    func readConfigurations() throws(Failure) -> [ManagedObjectModel.Configuration] {
        var configurations: [ManagedObjectModel.Configuration] = []
        for (name, value) in try archive.entries(root.fields["NSConfigurations"])
        where name != "PF_DEFAULT_CONFIGURATION_NAME" {
            var names: [String] = []
            for element in try archive.elements(value) {
                if let entity = try archive.string(archive.object(element)?.fields["NSEntityName"]) {
                    names.append(entity)
                }
            }
            configurations.append(.init(name: name, entityNames: names.sorted()))
        }
        return configurations.sorted { $0.name < $1.name }
    }

    mutating func readFetchRequestTemplates() throws(Failure) -> [FetchRequestTemplate] {
        var templates: [FetchRequestTemplate] = []
        for (name, value) in try archive.entries(root.fields["NSFetchRequestTemplates"]) {
            guard let object = try archive.object(value) else { continue }
            let place = "fetch request '\(name)'"
            if let template = try readFetchRequest(object, name: name, entityName: nil, place: place) {
                templates.append(template)
            }
        }
        return templates.sorted { $0.name < $1.name }
    }

    // MARK: Entities

    mutating func readEntity(_ name: String, _ object: Object) throws(Failure) -> EntityDescription {
        let superentity = try archive.object(object.fields["NSSuperentity"])
        let inherited = try inheritedNames(below: superentity)
        var entity = EntityDescription(
            name: name,
            managedObjectClassName: try archive.string(object.fields["NSClassNameForEntity"])
                .flatMap { $0 == "NSManagedObject" ? nil : $0 },
            isAbstract: try archive.boolean(object.fields["NSIsAbstract"]),
            superentityName: try archive.string(superentity?.fields["NSEntityName"]),
            renamingIdentifier: try archive.string(object.fields["NSRenamingIdentifier"]),
            versionHashModifier: try archive.string(object.fields["NSVersionHashModifier"]),
            userInfo: try readUserInfo(object)
        )
        let properties = try archive.entries(object.fields["NSProperties"]).sorted { $0.key < $1.key }
        for (key, value) in properties where !inherited.contains(key) {
            guard let property = try readProperty(value) else { continue }
            let owner = try archive.string(archive.object(property.fields["NSEntity"])?.fields["NSEntityName"])
            guard owner == nil || owner == name else { continue }
            try add(property, named: key, to: &entity)
        }
        entity.declaredIndexes = try readIndexes(object, of: name)
        removeRepeatedIndexes(of: &entity)
        entity.declaredUniquenessConstraints = try readTuples(object.fields["NSUniqueTuples"])
        // Newer versions of Core Data archive an index in both forms.
        for names in try readTuples(object.fields["NSCompoundIndexes"])
        where !entity.declaredIndexes.contains(where: { $0.elements.map(\.propertyName) == names }) {
            // This is the name that such an index has in an old model file.
            let name = "by_" + names.joined(separator: "_")
            entity.declaredIndexes.append(.init(name: name, elements: names.map { .init(propertyName: $0) }))
        }
        return entity
    }

    /// Removes what Core Data adds to an index of one property: the flag of the property, and an index with its name.
    func removeRepeatedIndexes(of entity: inout EntityDescription) {
        func isOf(_ name: String, _ index: FetchIndexDescription) -> Bool {
            index.elements.map(\.propertyName) == [name] && index.partialIndexPredicate == nil
        }
        let indexes = entity.declaredIndexes
        for place in entity.declaredAttributes.indices {
            let name = entity.declaredAttributes[place].name
            guard entity.declaredAttributes[place].isIndexed,
                indexes.contains(where: { $0.name != name && isOf(name, $0) })
            else { continue }
            entity.declaredAttributes[place].isIndexed = false
            entity.declaredIndexes.removeAll { $0.name == name && isOf(name, $0) }
        }
    }

    func inheritedNames(below superentity: Object?) throws(Failure) -> Set<String> {
        var names: Set<String> = []
        var depth = 0
        var ancestor = superentity
        while let current = ancestor {
            depth += 1
            guard depth <= Self.maximumInheritanceDepth else {
                throw Failure("has an entity with more than \(Self.maximumInheritanceDepth) superentities")
            }
            names.formUnion(propertyNames[current.number] ?? [])
            ancestor = try archive.object(current.fields["NSSuperentity"])
        }
        return names
    }

    /// A property, or the underlying one if it is a copy for another entity or configuration.
    func readProperty(_ index: Index) throws(Failure) -> Object? {
        var property = try archive.object(index)
        var depth = 0
        while let current = property, let underlying = current.fields["NSUnderlyingProperty"] {
            depth += 1
            guard depth <= Self.maximumInheritanceDepth else {
                throw Failure("has a property with too many underlying properties")
            }
            property = try archive.object(underlying)
        }
        return property
    }

    mutating func add(_ property: Object, named name: String, to entity: inout EntityDescription)
        throws(Failure)
    {
        let place = "'\(name)' of '\(entity.name)'"
        switch property.className {
        case "NSAttributeDescription", "NSDerivedAttributeDescription", "NSCompositeAttributeDescription":
            entity.declaredAttributes.append(try readAttribute(property, name: name, path: [entity.name]))
        case "NSRelationshipDescription":
            entity.declaredRelationships.append(try readRelationship(property, name: name, place: place))
        case "NSFetchedPropertyDescription":
            let destination = try archive.string(property.fields["_NSFetchRequestEntityName"])
            guard let object = try archive.object(property.fields["NSFetchRequest"]) else {
                omit("fetched property \(place), because it has no fetch request")
                return
            }
            let request = try readFetchRequest(
                object,
                name: "fetchedPropertyFetchRequest",
                entityName: destination,
                place: "fetched property \(place)",
                userInfo: try readUserInfo(property)
            )
            guard let request else { return }
            entity.declaredFetchedProperties.append(
                FetchedPropertyDescription(
                    name: name,
                    fetchRequest: request,
                    isOptional: try archive.boolean(property.fields["NSIsOptional"]),
                    userInfo: try readUserInfo(property)
                )
            )
        default: omit("property \(place), whose class is \(property.className)")
        }
    }

    mutating func readUserInfo(_ object: Object) throws(Failure) -> [String: String] {
        var userInfo: [String: String] = [:]
        for (key, value) in try archive.entries(object.fields["NSUserInfo"]) {
            if let text = try archive.string(value) { userInfo[key] = text }
        }
        // Many objects may share one dictionary.
        userInfoCount += userInfo.count
        guard userInfoCount <= Self.maximumPropertyCount else {
            throw Failure("has more than \(Self.maximumPropertyCount) entries of user info")
        }
        return userInfo
    }

    mutating func readIndexes(_ object: Object, of entityName: String) throws(Failure)
        -> [FetchIndexDescription]
    {
        var indexes: [FetchIndexDescription] = []
        for element in try archive.elements(object.fields["NSFetchIndexDescriptions"]) {
            guard let description = try archive.object(element),
                let name = try archive.string(description.fields["NSIndexName"])
            else { continue }
            let place = "index '\(name)' of '\(entityName)'"
            var index = FetchIndexDescription(name: name, elements: [])
            for element in try archive.elements(description.fields["NSIndexElements"]) {
                guard let part = try archive.object(element) else { continue }
                guard let property = try archive.string(part.fields["NSPropertyName"]) else {
                    omit("an element of \(place), which is an expression")
                    continue
                }
                index.elements.append(
                    .init(
                        propertyName: property,
                        isAscending: try archive.integer(part.fields["NSAscending"]) != 0,
                        collationType: try archive.integer(part.fields["NSFetchIndexElementType"]) == 1
                            ? .rTree : .binary
                    )
                )
            }
            if try archive.node(description.fields["NSPartialIndexPredicate"]) != nil {
                index.partialIndexPredicate = try printer.predicate(description.fields["NSPartialIndexPredicate"])
                if index.partialIndexPredicate == nil {
                    omit("the predicate of \(place), so the index in the model file contains all objects")
                }
            }
            guard !index.elements.isEmpty else {
                omit("\(place), because none of its elements can be written in a model file")
                continue
            }
            indexes.append(index)
        }
        return indexes
    }

    /// The names of properties in a list of lists, whose elements are names or properties.
    func readTuples(_ index: Index?) throws(Failure) -> [[String]] {
        var tuples: [[String]] = []
        for tuple in try archive.elements(index) {
            var names: [String] = []
            for element in try archive.elements(tuple) {
                if let name = try archive.string(element) {
                    names.append(name)
                } else if let name = try archive.string(archive.object(element)?.fields["NSPropertyName"]) {
                    names.append(name)
                }
            }
            if !names.isEmpty { tuples.append(names) }
        }
        return tuples
    }
}
