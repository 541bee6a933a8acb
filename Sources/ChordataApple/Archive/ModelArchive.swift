internal import ChordataModel

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A model that was read from an archive of `NSManagedObjectModel`.
struct ArchivedModel: Sendable {
    var model: ManagedObjectModel
    /// The parts of the archive that the model does not have, such as the default value of a class of the app.
    var omissions: [String]
}

/// Reads the archive of a model.
/// - Parameter hashes: The version hashes of the entities, which decide what the archive does not say.
func readModel(archive bytes: [UInt8], hashes: [String: Data]) throws(BinaryPropertyList.Failure) -> ArchivedModel {
    var reader = try ModelArchiveReader(archive: try KeyedArchive(bytes))
    var entities = try reader.readEntities()
    let templates = try reader.readFetchRequestTemplates()
    let configurations = try reader.readConfigurations()
    let identifier = try reader.readVersionIdentifier()
    func makeModel(_ entities: [EntityDescription]) throws(BinaryPropertyList.Failure) -> ManagedObjectModel {
        do throws(ManagedObjectModelError) {
            return try ManagedObjectModel(
                versionIdentifier: identifier,
                entities: entities,
                fetchRequestTemplates: templates,
                configurations: configurations
            )
        } catch {
            throw .init("has an invalid model: \(error)")
        }
    }
    // An attribute with a flag of unknown meaning may be one whose value history keeps; the hash of its entity says
    // whether it is.
    let plain = entities
    let computed = VersionHashes(of: try makeModel(entities)).entityVersionHashesByName
    for index in entities.indices {
        let name = entities[index].name
        guard let flagged = reader.flaggedAttributes[name], let expected = hashes[name], computed[name] != expected
        else {
            continue
        }
        for place in entities[index].declaredAttributes.indices
        where flagged.contains(entities[index].declaredAttributes[place].name) {
            entities[index].declaredAttributes[place].preservesValueInHistoryOnDeletion = true
        }
    }
    let corrected = VersionHashes(of: try makeModel(entities)).entityVersionHashesByName
    for index in entities.indices where corrected[plain[index].name] != hashes[plain[index].name] {
        entities[index] = plain[index]
    }
    let omissions = reader.omissions + clearNegativeCounts(of: &entities)
    return ArchivedModel(model: try makeModel(entities), omissions: omissions)
}

/// Replaces the negative counts that a model made in code may have for no limit, which a model file cannot have.
/// - Returns: The replaced counts.
private func clearNegativeCounts(of entities: inout [EntityDescription]) -> [String] {
    var omissions: [String] = []
    for index in entities.indices {
        for place in entities[index].declaredRelationships.indices {
            let relationship = entities[index].declaredRelationships[place]
            guard relationship.maximumCount < 0 || relationship.minimumCount < 0 else { continue }
            entities[index].declaredRelationships[place].maximumCount = max(relationship.maximumCount, 0)
            entities[index].declaredRelationships[place].minimumCount = max(relationship.minimumCount, 0)
            omissions.append(
                "relationship '\(relationship.name)' of '\(entities[index].name)': its negative count, which is read as "
                    + "no limit; the version hash of '\(entities[index].name)' differs from the store's"
            )
        }
    }
    return omissions
}

private struct ModelArchiveReader {
    typealias Failure = KeyedArchive.Failure
    typealias Index = KeyedArchive.Index
    typealias Object = KeyedArchive.Object

    private let archive: KeyedArchive
    private let printer: ArchivedPredicatePrinter
    private let root: Object
    private(set) var omissions: [String] = []
    private static let maximumOmissionCount = 1_000
    /// The attributes with flags of unknown meaning, by the names of their entities.
    private(set) var flaggedAttributes: [String: Set<String>] = [:]
    /// The names of the properties of each entity, inherited ones included, by the entity's number.
    private var propertyNames: [Int: Set<String>] = [:]

    private var compositeNames: Set<String> = []
    private var userInfoCount = 0

    // The limits of model files.
    private static let maximumInheritanceDepth = 64
    private static let maximumPropertyCount = 200_000
    private static let maximumCompositeDepth = 16

    init(archive: KeyedArchive) throws(Failure) {
        self.archive = archive
        printer = ArchivedPredicatePrinter(archive)
        guard let root = try archive.rootObject, root.className == "NSManagedObjectModel" else {
            throw Failure("is not an archive of a model")
        }
        self.root = root
    }

    private mutating func omit(_ omission: String) {
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
            } else {
                omit("\(place): its predicate has no form in a model file")
            }
        }
        return templates.sorted { $0.name < $1.name }
    }

    // MARK: Entities

    private mutating func readEntity(_ name: String, _ object: Object) throws(Failure) -> EntityDescription {
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
            // The name that an index of an old model file has.
            let name = "by_" + names.joined(separator: "_")
            entity.declaredIndexes.append(.init(name: name, elements: names.map { .init(propertyName: $0) }))
        }
        return entity
    }

    /// Removes what Core Data adds to an index of one property: the flag of the property, and an index with its name.
    private func removeRepeatedIndexes(of entity: inout EntityDescription) {
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

    private func inheritedNames(below superentity: Object?) throws(Failure) -> Set<String> {
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

    /// A property, or the one that it stands for in another entity or configuration.
    private func readProperty(_ index: Index) throws(Failure) -> Object? {
        var property = try archive.object(index)
        var depth = 0
        while let current = property, let underlying = current.fields["NSUnderlyingProperty"] {
            depth += 1
            guard depth <= Self.maximumInheritanceDepth else { throw Failure("has a property without an end") }
            property = try archive.object(underlying)
        }
        return property
    }

    private mutating func add(_ property: Object, named name: String, to entity: inout EntityDescription)
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
            guard let object = try archive.object(property.fields["NSFetchRequest"]),
                let request = try readFetchRequest(
                    object,
                    name: "fetchedPropertyFetchRequest",
                    entityName: destination,
                    place: "fetched property \(place)",
                    userInfo: try readUserInfo(property)
                )
            else {
                omit("fetched property \(place): its predicate has no form in a model file")
                return
            }
            entity.declaredFetchedProperties.append(
                FetchedPropertyDescription(
                    name: name,
                    fetchRequest: request,
                    isOptional: try archive.boolean(property.fields["NSIsOptional"]),
                    userInfo: try readUserInfo(property)
                )
            )
        default: omit("property \(place): its class is \(property.className)")
        }
    }

    private mutating func readUserInfo(_ object: Object) throws(Failure) -> [String: String] {
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

    private mutating func readIndexes(_ object: Object, of entityName: String) throws(Failure)
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
                    omit("\(place): an element that is an expression")
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
                    omit("\(place): its predicate has no form in a model file")
                }
            }
            if !index.elements.isEmpty { indexes.append(index) }
        }
        return indexes
    }

    /// The names of properties in a list of lists, whose elements are names or properties.
    private func readTuples(_ index: Index?) throws(Failure) -> [[String]] {
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

    // MARK: Attributes

    /// - Parameters:
    ///   - name: The name of the attribute.
    ///   - path: The entity, and for an element of a composite the names from the attribute down.
    private mutating func readAttribute(_ property: Object, name: String, path: [String]) throws(Failure)
        -> AttributeDescription
    {
        let entityName = path[0]
        let place = "attribute '\((path.dropFirst() + [name]).joined(separator: "."))' of '\(entityName)'"
        guard path.count <= Self.maximumCompositeDepth else { throw Failure("has a composite without an end") }
        let number = try archive.integer(property.fields["NSAttributeType"]) ?? 0
        guard let type = AttributeType.allCases.first(where: { Int64($0.coreDataNumber) == number }) else {
            throw Failure("has an attribute of the unknown type \(number)")
        }
        var attribute = AttributeDescription(
            name: name,
            attributeType: type,
            isOptional: try archive.boolean(property.fields["NSIsOptional"]),
            isTransient: try archive.boolean(property.fields["NSIsTransient"]),
            isIndexed: try archive.boolean(property.fields["NSIsIndexed"]),
            renamingIdentifier: try archive.string(property.fields["NSRenamingIdentifier"]),
            versionHashModifier: try archive.string(property.fields["NSVersionHashModifier"]),
            userInfo: try readUserInfo(property)
        )
        let flags = try archive.integer(property.fields["NSFlagsKey"]) ?? 0
        attribute.allowsExternalBinaryDataStorage = flags & 4 != 0
        if flags & ~4 != 0 { flaggedAttributes[entityName, default: []].insert(name) }
        if type == .transformable {
            attribute.valueTransformerName = try archive.string(property.fields["NSValueTransformerName"])
            attribute.attributeValueClassName = try archive.string(property.fields["NSAttributeValueClassName"])
        }
        if try archive.node(property.fields["NSDefaultValue"]) != nil {
            attribute.defaultValue = try readValue(property.fields["NSDefaultValue"], type)
            if attribute.defaultValue == nil {
                omit("\(place): its default value is not of a type of model files")
            }
        }
        if property.className == "NSDerivedAttributeDescription" {
            attribute.derivationExpression = try printer.expression(property.fields["NSDerivationExpression"])
            if attribute.derivationExpression == nil {
                omit("\(place): its derivation has no form in a model file; the attribute is not derived")
            }
        }
        if type == .composite {
            attribute.compositeName = uniqueCompositeName((path + [name]).joined(separator: "_"))
            for element in try archive.elements(property.fields["NSElements"] ?? property.fields["NSCompositeElements"])
            {
                guard let object = try archive.object(element),
                    let elementName = try archive.string(object.fields["NSPropertyName"])
                else { continue }
                guard ["NSAttributeDescription", "NSCompositeAttributeDescription"].contains(object.className) else {
                    omit("\(place): element '\(elementName)', whose class is \(object.className)")
                    continue
                }
                attribute.elements.append(try readAttribute(object, name: elementName, path: path + [name]))
            }
        }
        for element in try archive.elements(property.fields["NSValidationPredicates"]) {
            guard try readValidation(element, into: &attribute) else {
                omit("\(place): a validation rule without a form in a model file")
                continue
            }
        }
        return attribute
    }

    /// A name of a composite, which archives do not have.
    private mutating func uniqueCompositeName(_ name: String) -> String {
        var unique = name
        while !compositeNames.insert(unique).inserted { unique += "_2" }
        return unique
    }

    /// Reads a validation rule; `false` if an attribute of a model file cannot have it.
    private func readValidation(_ index: Index, into attribute: inout AttributeDescription, depth: Int = 0)
        throws(Failure) -> Bool
    {
        guard depth < Self.maximumInheritanceDepth, let object = try archive.object(index) else { return false }
        if object.className == "NSCompoundPredicate", try archive.integer(object.fields["NSCompoundPredicateType"]) == 1
        {
            var isRead = true
            for element in try archive.elements(object.fields["NSSubpredicates"]) {
                let isPartRead = try readValidation(element, into: &attribute, depth: depth + 1)
                isRead = isRead && isPartRead
            }
            return isRead
        }
        guard object.className == "NSComparisonPredicate",
            let comparison = try archive.object(object.fields["NSPredicateOperator"]),
            let left = try printer.expression(object.fields["NSLeftExpression"]),
            let right = try archive.object(object.fields["NSRightExpression"]),
            right.className == "NSConstantValueExpression"
        else { return false }
        let isLength = attribute.attributeType == .string && left == "length"
        guard isLength || left == "SELF" else { return false }
        let type = isLength ? AttributeType.integer64 : attribute.attributeType
        let value = try readValue(right.fields["NSConstantValue"], type)
        switch try archive.integer(comparison.fields["NSOperatorType"]) {
        case 1:
            guard let value, attribute.attributeType != .string || isLength else { return false }
            attribute.maximumValue = value
        case 3:
            guard let value, attribute.attributeType != .string || isLength else { return false }
            attribute.minimumValue = value
        case 6:
            guard attribute.attributeType == .string, !isLength, case .string(let pattern)? = value else {
                return false
            }
            attribute.regularExpression = pattern
        default: return false
        }
        return true
    }

    private func readValue(_ index: Index?, _ type: AttributeType) throws(Failure) -> AttributeValue? {
        let node = try archive.node(index)
        let object = try archive.object(index)
        switch type {
        case .integer16, .integer32, .integer64:
            switch node {
            case .integer(let value)?: return .integer(value)
            case .boolean(let value)?: return .integer(value ? 1 : 0)
            case .real(let value)?: return Int64(exactly: value).map { .integer($0) }
            default: return nil
            }
        case .double, .float:
            switch node {
            case .integer(let value)?: return .double(Double(value))
            case .real(let value)?: return value.isFinite ? .double(value) : nil
            default: return nil
            }
        case .decimal:
            switch node {
            case .integer(let value)?: return .decimal(Decimal(value))
            case .real(let value)?: return Decimal(string: "\(value)").map { .decimal($0) }
            default:
                return try object.flatMap { object throws(Failure) in try readDecimal(object) }.map { .decimal($0) }
            }
        case .boolean: return try archive.integer(index).map { .boolean($0 != 0) }
        case .string: return try archive.string(index).map { .string($0) }
        case .date:
            switch node {
            case .date(let seconds)?: return .date(Date(timeIntervalSinceReferenceDate: seconds))
            default:
                guard case .real(let seconds)? = try archive.node(object?.fields["NS.time"]), seconds.isFinite else {
                    return nil
                }
                return .date(Date(timeIntervalSinceReferenceDate: seconds))
            }
        case .uuid:
            guard case .data(let range)? = try archive.node(object?.fields["NS.uuidbytes"]), range.count == 16 else {
                return nil
            }
            return archive.data(range).withUnsafeBytes { .uuid(UUID(uuid: $0.loadUnaligned(as: uuid_t.self))) }
        case .uri:
            guard try archive.string(object?.fields["NS.base"]) == nil,
                let text = try archive.string(object?.fields["NS.relative"])
            else { return nil }
            return URL(string: text).map { .url($0) }
        // Model files have no defaults of these types.
        case .binaryData, .transformable, .composite, .undefined, .objectID: return nil
        }
    }

    /// A decimal as `NSDecimalNumber` archives it: up to eight 16-bit digits, the lowest first.
    private func readDecimal(_ object: Object) throws(Failure) -> Decimal? {
        guard case .data(let range)? = try archive.node(object.fields["NS.mantissa"]), range.count <= 16,
            range.count.isMultiple(of: 2), let exponent = try archive.integer(object.fields["NS.exponent"]),
            (-128...127).contains(exponent)
        else { return nil }
        // 1 is the byte order of the hosts that write archives, little-endian; 2 is big-endian.
        let isBigEndian = try archive.integer(object.fields["NS.mantissa.bo"]) == 2
        let length = try archive.integer(object.fields["NS.length"]) ?? Int64(range.count / 2)
        let bytes = archive.data(range)
        var value = Decimal()
        for place in stride(from: min(Int(clamping: length), bytes.count / 2) - 1, through: 0, by: -1) {
            let (first, second) = (Int(bytes[place * 2]), Int(bytes[place * 2 + 1]))
            value = value * 65_536 + Decimal(isBigEndian ? first << 8 | second : second << 8 | first)
        }
        value = Decimal(sign: .plus, exponent: Int(exponent), significand: value)
        if value.isNaN { return nil }
        return try archive.boolean(object.fields["NS.negative"]) ? -value : value
    }

    // MARK: Relationships and fetch requests

    private mutating func readRelationship(_ property: Object, name: String, place: String) throws(Failure)
        -> RelationshipDescription
    {
        let destination = try archive.object(property.fields["NSDestinationEntity"])
        guard
            let destinationName = try archive.string(
                firstOf: property.fields["_NSDestinationEntityName"],
                destination?.fields["NSEntityName"]
            )
        else { throw Failure("has relationship \(place) without a destination") }
        let inverse = try archive.object(property.fields["NSInverseRelationship"])
        let maximum = try archive.integer(property.fields["NSMaxCount"]) ?? 1
        let rules: [Int64: DeleteRule] = [0: .noAction, 1: .nullify, 2: .cascade, 3: .deny]
        let rule = rules[try archive.integer(property.fields["NSDeleteRule"]) ?? 1]
        if rule == nil { omit("relationship \(place): its delete rule is unknown") }
        return RelationshipDescription(
            name: name,
            destinationEntityName: destinationName,
            inverseName: try archive.string(
                firstOf: property.fields["_NSInverseRelationshipName"],
                inverse?.fields["NSPropertyName"]
            ),
            isToMany: maximum != 1,
            isOrdered: try archive.boolean(property.fields["NSIsOrdered"]),
            isOptional: try archive.boolean(property.fields["NSIsOptional"]),
            isTransient: try archive.boolean(property.fields["NSIsTransient"]),
            minimumCount: Int(clamping: try archive.integer(property.fields["NSMinCount"]) ?? 0),
            maximumCount: Int(clamping: maximum),
            deleteRule: rule ?? .nullify,
            renamingIdentifier: try archive.string(property.fields["NSRenamingIdentifier"]),
            versionHashModifier: try archive.string(property.fields["NSVersionHashModifier"]),
            userInfo: try readUserInfo(property)
        )
    }

    /// Reads a fetch request; `nil` if its predicate has no form in a model file.
    private mutating func readFetchRequest(
        _ object: Object,
        name: String,
        entityName: String?,
        place: String,
        userInfo: [String: String] = [:]
    ) throws(Failure) -> FetchRequestTemplate? {
        let entity = try archive.object(object.fields["NSEntity"])
        let ownName = try archive.string(firstOf: entity?.fields["NSEntityName"], object.fields["NSEntityName"])
        guard let entityName = entityName ?? ownName else { return nil }
        var request = FetchRequestTemplate(name: name, entityName: entityName)
        if try archive.node(object.fields["NSPredicate"]) != nil {
            let printer = ArchivedPredicatePrinter(archive, userInfo: userInfo)
            guard let format = try printer.predicate(object.fields["NSPredicate"]) else { return nil }
            request.predicateFormat = format
        }
        if let type = try archive.integer(object.fields["NSResultType"]) {
            request.resultType = FetchRequestTemplate.ResultType(rawValue: Int(clamping: type)) ?? .managedObjects
        }
        request.fetchLimit = Int(clamping: try archive.integer(object.fields["NSFetchLimit"]) ?? 0)
        request.fetchBatchSize = Int(clamping: try archive.integer(object.fields["NSBatchSize"]) ?? 0)
        // Model files cannot have sort descriptors. The flags of a request as the model editor creates it are 30.
        if try !archive.elements(object.fields["NSSortDescriptors"]).isEmpty {
            omit("\(place): its sort descriptors")
        }
        if try archive.boolean(object.fields["NSHasFetchRequestFlags"]),
            try archive.integer(object.fields["NSFetchRequestFlags"]) != 30
        {
            omit("\(place): its options, which are not those of a new request")
        }
        return request
    }
}
