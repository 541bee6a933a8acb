internal import ChordataModel
internal import ChordataSQL

/// The memory layout of a generated `Values` type: the object ID, stored attributes and to-one row keys, in this order.
public struct ValuesLayout: Sendable {
    struct ValuesField: Sendable {
        /// The name of the property; for a leaf of a composite, the names from the attribute to the leaf.
        var path: [String]
        var kind: FieldKind
        /// Bytes from the start of the value.
        var offset: Int
    }

    /// A property, as it is named in key paths.
    struct Property: Sendable {
        /// The keys: one, or more for an element of a composite.
        var keys: [String]
        /// The class at the other end of a to-one.
        var destination: ManagedObject.Type?
        /// A Boolean value that indicates whether the property is a Date attribute.
        var isDate = false
    }

    let entityName: String
    /// The names of all properties, including fetched properties, in the order of the model.
    let propertyNames: [String]
    /// The attributes, each followed by the elements of its composite, and the relationships, from the root entity
    /// down.
    let properties: [Property]
    /// The fields; the first one is the object ID.
    let fields: [ValuesField]
    /// The data for reading the fields: values without references, so that a loop over them retains nothing.
    private let rowFields: [(kind: FieldKind, offset: Int)]
    /// The attributes whose bytes are in a side table.
    let externalFields: [ValuesField]

    /// Computes the layout of the values of an entity.
    ///
    /// Called by generated code.
    @_spi(Generated)
    public init<Values: ManagedObjectValues>(of values: Values.Type, entityName: String, in definition: ModelDefinition)
    {
        guard let entity = definition.model.entity(named: entityName) else {
            preconditionFailure("the model '\(definition.name)' has no entity '\(entityName)'; generate the code again")
        }
        self.entityName = entityName
        propertyNames = entity.propertyNames
        properties = Self.properties(of: entity, in: definition)
        var layout = StructLayout()
        var fields: [ValuesField] = []
        func add(_ path: [String], _ kind: FieldKind) {
            fields.append(ValuesField(path: path, kind: kind, offset: layout.place(kind)))
        }
        add(["objectID"], FieldKind(.objectID))
        for leaf in entity.attributes.flatMap(\.leaves) where leaf.attribute.isInValues {
            if let kind = FieldKind(leaf.attribute) { add(leaf.path, kind) }
        }
        for relationship in entity.relationships where relationship.isInValues {
            add([relationship.name], FieldKind(.objectID, isOptional: true))
        }
        self.fields = fields
        rowFields = fields.map { ($0.kind, $0.offset) }
        externalFields = fields.filter { $0.kind.base == .external }
        precondition(
            layout.size == MemoryLayout<Values>.size,
            "type 'Values' of entity '\(entityName)' has \(MemoryLayout<Values>.size) bytes instead of \(layout.size); "
                + "generate the code again from the current model"
        )
    }

    private static func properties(of entity: EntityDescription, in definition: ModelDefinition) -> [Property] {
        var properties: [Property] = []
        func add(_ attribute: AttributeDescription, below keys: [String]) {
            let keys = keys + [attribute.name]
            properties.append(Property(keys: keys, destination: nil, isDate: attribute.attributeType == .date))
            for element in attribute.elements { add(element, below: keys) }
        }
        for level in definition.model.lineage(of: entity.name) {
            for attribute in level.declaredAttributes { add(attribute, below: []) }
            for relationship in level.declaredRelationships {
                let name = relationship.destinationEntityName
                let destination = relationship.isToMany ? nil : definition.classes.first { $0.entityName == name }
                properties.append(Property(keys: [relationship.name], destination: destination))
            }
        }
        return properties
    }

    // MARK: Comparing

    func areEqual(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer) -> Bool {
        fields.allSatisfy { field in
            if field.kind.base == .objectID {
                return key(of: field, at: left) == key(of: field, at: right)
            }
            return fieldsAreEqual(field.kind, left + field.offset, right + field.offset)
        }
    }

    func hash(_ memory: UnsafeRawPointer, into hasher: inout Hasher) {
        for field in fields {
            if field.kind.base == .objectID {
                hasher.combine(key(of: field, at: memory))
            } else {
                hashField(field.kind, at: memory + field.offset, into: &hasher)
            }
        }
    }

    /// Returns the key of an object ID; `nil` if there is none.
    private func key(of field: ValuesField, at memory: UnsafeRawPointer) -> Int64? {
        let address = memory + field.offset
        return field.kind.isOptional
            ? address.assumingMemoryBound(to: ObjectID<ManagedObject>?.self).pointee?.key
            : address.assumingMemoryBound(to: ObjectID<ManagedObject>.self).pointee.key
    }

    private func initializeKey(_ key: Int64?, isOptional: Bool, at address: UnsafeMutableRawPointer) {
        if isOptional {
            address.initializeMemory(as: ObjectID<ManagedObject>?.self, to: key.map { ObjectID(key: $0) })
        } else {
            address.initializeMemory(as: ObjectID<ManagedObject>.self, to: ObjectID(key: key ?? 0))
        }
    }

    // MARK: Reading rows

    /// Fills the memory of one value from the current row, which has a column for each field.
    func initialize<Row: RowValues>(_ memory: UnsafeMutableRawPointer, from row: Row) {
        var column: Int32 = 0
        for (kind, offset) in rowFields {
            if kind.base == .objectID {
                let key = row.integer(at: column)
                initializeKey(key == 0 ? nil : key, isOptional: kind.isOptional, at: memory + offset)
            } else {
                initializeField(kind, at: memory + offset, from: row, column)
            }
            column += 1
        }
    }

    // MARK: Reading objects

    /// Fills the memory of one value from an object, as an access to each of its properties would.
    func initialize(_ memory: UnsafeMutableRawPointer, from object: ManagedObject) {
        let type = object.runtimeEntity
        initializeKey(object.objectID.key, isOptional: false, at: memory)
        for field in fields.dropFirst() {
            guard let source = type.field(named: field.path.joined(separator: ".")) else {
                preconditionFailure(
                    "'\(field.path.joined(separator: "."))' is not a property of '\(type.entity.name)'; generate the code again"
                )
            }
            object.willAccess(source.index)
            let target = memory + field.offset
            if field.kind.base == .objectID {
                let key = object.toOneReference(source).pointee.key
                initializeKey(key == 0 ? nil : key, isOptional: field.kind.isOptional, at: target)
            } else {
                copyField(field.kind, from: object.address(of: source), to: target, isInitialized: false)
                guard let external = object.externalField(source.index), var value = external.value(at: target),
                    value.data == nil
                else { continue }
                value.version = object.version
                external.setValue(value, at: target)
            }
        }
    }

    // MARK: Coding

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    func encode(_ memory: UnsafeRawPointer, to encoder: any Encoder) throws {
        let root = encoder.container(keyedBy: Name.self)
        // An encoder supports only one container for each composite.
        var containers: [[String]: KeyedEncodingContainer<Name>] = [[]: root]
        func container(at path: [String]) -> KeyedEncodingContainer<Name> {
            if let known = containers[path] { return known }
            var outer = container(at: path.dropLast())
            let inner = outer.nestedContainer(keyedBy: Name.self, forKey: Name(stringValue: path[path.count - 1]))
            containers[path] = inner
            return inner
        }
        for field in fields {
            guard let last = field.path.last else { continue }
            let name = Name(stringValue: last)
            if field.kind.base == .objectID {
                var container = container(at: [])
                try container.encodeIfPresent(key(of: field, at: memory), forKey: name)
            } else if hasValue(field.kind, at: memory + field.offset) {
                var container = container(at: field.path.dropLast())
                try encodeField(field.kind, at: memory + field.offset) { try container.encode($0, forKey: name) }
            }
        }
    }

    func decode(_ memory: UnsafeMutableRawPointer, from decoder: any Decoder) throws {
        let root = try decoder.container(keyedBy: Name.self)
        var initialized: [ValuesField] = []
        do {
            for field in fields {
                try decode(field, memory, root)
                initialized.append(field)
            }
        } catch {
            for field in initialized where field.kind.base != .objectID {
                destroyField(field.kind, at: memory + field.offset)
            }
            throw error
        }
    }

    private func decode(
        _ field: ValuesField,
        _ memory: UnsafeMutableRawPointer,
        _ root: KeyedDecodingContainer<Name>
    ) throws {
        var container: KeyedDecodingContainer<Name>? = root
        for step in field.path.dropLast() {
            let name = Name(stringValue: step)
            guard let outer = container, outer.contains(name) else {
                container = nil
                continue
            }
            container = try outer.nestedContainer(keyedBy: Name.self, forKey: name)
        }
        let name = Name(stringValue: field.path.last ?? "")
        if field.kind.base == .objectID {
            let key =
                field.kind.isOptional
                ? try root.decodeIfPresent(Int64.self, forKey: name) : try root.decode(Int64.self, forKey: name)
            initializeKey(key, isOptional: field.kind.isOptional, at: memory + field.offset)
            return
        }
        try initializeField(field.kind, at: memory + field.offset) { type in
            if field.kind.isOptional { return try container?.decodeIfPresent(type, forKey: name) }
            guard let container else {
                throw DecodingError.keyNotFound(
                    name,
                    DecodingError.Context(
                        codingPath: root.codingPath,
                        debugDescription: "'\(field.path.dropLast().joined(separator: "."))' is missing"
                    )
                )
            }
            return try container.decode(type, forKey: name)
        }
    }
}
