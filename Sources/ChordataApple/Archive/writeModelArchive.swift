internal import ChordataModel

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Writes the archive of a model, in the format in which stores of Core Data contain it.
///
/// The archive contains everything that version hashes and tables depend on, and class names, delete rules, renaming
/// identifiers and user info. Validation rules, default values that are not numbers or strings, and fetched properties
/// are left out.
func writeModelArchive(_ model: ManagedObjectModel) -> [UInt8] {
    var writer = ModelArchiveWriter(model)
    return writer.write()
}

/// Wraps bytes in the DEFLATE format without compressing them.
func deflateStored(_ bytes: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    var start = 0
    repeat {
        let end = min(start + 0xFFFF, bytes.count)
        let length = end - start
        output.append(end == bytes.count ? 1 : 0)
        output += [UInt8(length & 0xFF), UInt8(length >> 8), UInt8(~length & 0xFF), UInt8(~length >> 8 & 0xFF)]
        output += bytes[start..<end]
        start = end
    } while start < bytes.count
    return output
}

private struct ModelArchiveWriter {
    private let model: ManagedObjectModel
    private var objects: [PropertyListValue] = [.string("$null")]
    private var classes: [String: Int] = [:]
    private var strings: [String: Int] = [:]
    private var entityNumbers: [String: Int] = [:]
    private var relationshipNumbers: [String: Int] = [:]
    private let null = PropertyListValue.uid(0)

    typealias Fields = [(key: String, value: PropertyListValue)]

    init(_ model: ManagedObjectModel) { self.model = model }

    mutating func write() -> [UInt8] {
        let root = reserve()
        for entity in model.entities { entityNumbers[entity.name] = reserve() }
        for entity in model.entities {
            for relationship in entity.declaredRelationships {
                relationshipNumbers[key(entity.name, relationship.name)] = reserve()
            }
        }
        for entity in model.entities { add(entity, root: root) }
        let names = model.entities.map(\.name).sorted()
        let strategy = add(
            "NSKnownKeysMappingStrategy1",
            [
                ("length", .integer(Int64(names.count))), ("keys", array(names.map { string($0) })),
                ("version", .integer(1)),
            ]
        )
        let entities = add(
            "NSKnownKeysDictionary1",
            [
                ("values", array(names.map { entity($0) })), ("searchMapping", strategy), ("emptyToken", null),
                ("version", .integer(1)),
            ]
        )
        let identifiers = model.versionIdentifier.isEmpty ? [] : [string(model.versionIdentifier)]
        var fields: Fields = [
            ("NSEntities", entities), ("NSFetchRequestTemplates", null),
            ("NSVersionIdentifiers", collection("NSSet", identifiers)),
        ]
        if !model.configurations.isEmpty {
            let members = model.configurations.map { configuration in
                (configuration.name, collection("NSSet", configuration.entityNames.map { entity($0) }))
            }
            fields.append(("NSConfigurations", dictionary(members)))
        }
        set(root, "NSManagedObjectModel", fields)
        return writePropertyList(
            .dictionary([
                ("$version", .integer(100_000)), ("$archiver", .string("NSKeyedArchiver")),
                ("$top", .dictionary([("root", .uid(root))])), ("$objects", .array(objects)),
            ])
        )
    }

    // MARK: Objects

    private mutating func reserve() -> Int {
        objects.append(.boolean(false))
        return objects.count - 1
    }

    private mutating func classReference(_ name: String) -> PropertyListValue {
        if let number = classes[name] { return .uid(number) }
        let number = reserve()
        var superclasses = [name]
        switch name {
        case "NSMutableArray": superclasses.append("NSArray")
        case "NSMutableDictionary": superclasses.append("NSDictionary")
        case "NSKnownKeysDictionary1": superclasses += ["NSKnownKeysDictionary", "NSMutableDictionary", "NSDictionary"]
        case "NSAttributeDescription", "NSRelationshipDescription": superclasses.append("NSPropertyDescription")
        default: break
        }
        superclasses.append("NSObject")
        objects[number] = .dictionary([
            ("$classname", .string(name)), ("$classes", .array(superclasses.map { .string($0) })),
        ])
        classes[name] = number
        return .uid(number)
    }

    private mutating func set(_ number: Int, _ className: String, _ fields: Fields) {
        objects[number] = .dictionary(fields + [("$class", classReference(className))])
    }

    private mutating func add(_ className: String, _ fields: Fields) -> PropertyListValue {
        let number = reserve()
        set(number, className, fields)
        return .uid(number)
    }

    private mutating func string(_ text: String?) -> PropertyListValue {
        guard let text else { return null }
        if let number = strings[text] { return .uid(number) }
        let number = reserve()
        objects[number] = .string(text)
        strings[text] = number
        return .uid(number)
    }

    private mutating func collection(_ className: String, _ elements: [PropertyListValue]) -> PropertyListValue {
        add(className, [("NS.objects", .array(elements))])
    }

    private mutating func array(_ elements: [PropertyListValue]) -> PropertyListValue {
        collection("NSArray", elements)
    }

    private mutating func dictionary(_ entries: [(String, PropertyListValue)], isMutable: Bool = true)
        -> PropertyListValue
    {
        add(
            isMutable ? "NSMutableDictionary" : "NSDictionary",
            [("NS.keys", .array(entries.map { string($0.0) })), ("NS.objects", .array(entries.map(\.1)))]
        )
    }

    private func entity(_ name: String) -> PropertyListValue { .uid(entityNumbers[name] ?? 0) }

    private func key(_ entityName: String, _ name: String) -> String { entityName + "\0" + name }

    private mutating func userInfo(_ userInfo: [String: String]) -> PropertyListValue {
        dictionary(userInfo.sorted { $0.key < $1.key }.map { ($0.key, string($0.value)) }, isMutable: false)
    }

    // MARK: Descriptions

    private mutating func add(_ entity: EntityDescription, root: Int) {
        var properties: [(String, PropertyListValue)] = []
        for attribute in entity.declaredAttributes { properties.append((attribute.name, add(attribute, of: entity))) }
        for relationship in entity.declaredRelationships {
            properties.append((relationship.name, add(relationship, of: entity)))
        }
        var fields: Fields = [
            ("NSEntityName", string(entity.name)),
            ("NSClassNameForEntity", string(entity.managedObjectClassName ?? "NSManagedObject")),
            ("NSUserInfo", userInfo(entity.userInfo)),
            ("NSVersionHashModifier", string(entity.versionHashModifier)), ("NSManagedObjectModel", .uid(root)),
            ("NSRenamingIdentifier", string(entity.renamingIdentifier)),
            ("NSSuperentity", entity.superentityName.map { self.entity($0) } ?? null),
            ("NSSubentities", dictionary(entity.subentityNames.map { ($0, self.entity($0)) })),
            ("NSProperties", dictionary(properties)),
        ]
        if entity.isAbstract { fields.append(("NSIsAbstract", .boolean(true))) }
        if !entity.declaredUniquenessConstraints.isEmpty {
            let tuples = entity.declaredUniquenessConstraints.map { names in array(names.map { string($0) }) }
            fields.append(("NSUniqueTuples", collection("NSMutableArray", tuples)))
        }
        let indexes = entity.declaredIndexes.map { add($0, of: entity) }
        if !indexes.isEmpty { fields.append(("NSFetchIndexDescriptions", collection("NSMutableArray", indexes))) }
        set(entityNumbers[entity.name] ?? 0, "NSEntityDescription", fields)
    }

    private mutating func add(_ index: FetchIndexDescription, of entity: EntityDescription) -> PropertyListValue {
        let number = reserve()
        let elements = index.elements.map { element in
            add(
                "NSFetchIndexElementDescription",
                [
                    ("NSPropertyName", string(element.propertyName)),
                    ("NSFetchIndexElementType", .integer(element.collationType == .rTree ? 1 : 0)),
                    ("NSFetchIndexDescription", .uid(number)), ("NSAscending", .boolean(element.isAscending)),
                ]
            )
        }
        set(
            number,
            "NSFetchIndexDescription",
            [
                ("NSIndexName", string(index.name)), ("NSPartialIndexPredicate", null),
                ("NSIndexElements", array(elements)), ("NSEntity", self.entity(entity.name)),
            ]
        )
        return .uid(number)
    }

    /// The fields that attributes and relationships have in common.
    private mutating func propertyFields(
        _ name: String,
        _ renamingIdentifier: String,
        _ modifier: String?,
        _ userInfo: [String: String],
        isOptional: Bool,
        isTransient: Bool,
        of entity: EntityDescription
    ) -> Fields {
        var fields: Fields = [
            ("NSPropertyName", string(name)), ("NSEntity", self.entity(entity.name)),
            ("NSRenamingIdentifier", string(renamingIdentifier)),
        ]
        if isOptional { fields.append(("NSIsOptional", .boolean(true))) }
        if isTransient { fields.append(("NSIsTransient", .boolean(true))) }
        if let modifier { fields.append(("NSVersionHashModifier", string(modifier))) }
        if !userInfo.isEmpty { fields.append(("NSUserInfo", self.userInfo(userInfo))) }
        return fields
    }

    private mutating func add(_ attribute: AttributeDescription, of entity: EntityDescription) -> PropertyListValue {
        var fields = propertyFields(
            attribute.name,
            attribute.renamingIdentifier,
            attribute.versionHashModifier,
            attribute.userInfo,
            isOptional: attribute.isOptional,
            isTransient: attribute.isTransient,
            of: entity
        )
        // In archives that Chordata writes, bit 3 marks attributes whose values the history keeps; a reader uses the
        // hash to decide this.
        let flags =
            (attribute.allowsExternalBinaryDataStorage ? 4 : 0) | (attribute.preservesValueInHistoryOnDeletion ? 8 : 0)
        fields += [
            ("NSAttributeType", .integer(Int64(attribute.attributeType.coreDataNumber))),
            ("NSFlagsKey", .integer(Int64(flags))), ("NSValueTransformerName", string(attribute.valueTransformerName)),
            (
                "NSAttributeValueClassName",
                string(attribute.attributeValueClassName ?? className(attribute.attributeType))
            ),
            ("NSDefaultValue", defaultValue(attribute)),
        ]
        if attribute.isIndexed { fields.append(("NSIsIndexed", .boolean(true))) }
        return add("NSAttributeDescription", fields)
    }

    private func className(_ type: AttributeType) -> String? {
        switch type {
        case .integer16, .integer32, .integer64, .double, .float, .boolean: "NSNumber"
        case .decimal: "NSDecimalNumber"
        case .string: "NSString"
        case .date: "NSDate"
        case .binaryData: "NSData"
        case .uuid: "NSUUID"
        case .uri: "NSURL"
        case .undefined, .transformable, .composite, .objectID: nil
        }
    }

    private mutating func defaultValue(_ attribute: AttributeDescription) -> PropertyListValue {
        let number: PropertyListValue
        switch attribute.defaultValue {
        case .integer(let value)?: number = .integer(value)
        case .double(let value)?: number = .real(value)
        case .boolean(let value)?: number = .boolean(value)
        case .string(let text)?: return string(text)
        case .decimal?, .date?, .data?, .uuid?, .url?, nil: return null
        }
        let place = reserve()
        objects[place] = number
        return .uid(place)
    }

    private mutating func add(_ relationship: RelationshipDescription, of entity: EntityDescription)
        -> PropertyListValue
    {
        var fields = propertyFields(
            relationship.name,
            relationship.renamingIdentifier,
            relationship.versionHashModifier,
            relationship.userInfo,
            isOptional: relationship.isOptional,
            isTransient: relationship.isTransient,
            of: entity
        )
        let rule: Int64 =
            switch relationship.deleteRule {
            case .noAction: 0
            case .nullify: 1
            case .cascade: 2
            case .deny: 3
            }
        var inverse = null
        if let name = relationship.inverseName {
            var owner = model.entity(named: relationship.destinationEntityName)
            while let current = owner, relationshipNumbers[key(current.name, name)] == nil {
                owner = current.superentityName.flatMap { model.entity(named: $0) }
            }
            if let owner, let number = relationshipNumbers[key(owner.name, name)] { inverse = .uid(number) }
        }
        fields += [
            ("NSDestinationEntity", self.entity(relationship.destinationEntityName)),
            ("_NSDestinationEntityName", string(relationship.destinationEntityName)),
            ("NSInverseRelationship", inverse), ("_NSInverseRelationshipName", string(relationship.inverseName)),
            ("NSDeleteRule", .integer(rule)), ("NSMaxCount", .integer(Int64(relationship.maximumCount))),
            ("NSMinCount", .integer(Int64(relationship.minimumCount))),
        ]
        if relationship.isOrdered { fields.append(("NSIsOrdered", .boolean(true))) }
        let number = relationshipNumbers[key(entity.name, relationship.name)] ?? reserve()
        set(number, "NSRelationshipDescription", fields)
        return .uid(number)
    }
}
