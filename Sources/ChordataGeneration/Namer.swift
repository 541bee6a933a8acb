internal import ChordataConfiguration
internal import ChordataModel

/// Converts a model's names to Swift names.
///
/// Every name in generated code comes from here.
struct Namer {
    private let classNames: [String: String]
    private let configuration: Configuration

    init(_ model: ManagedObjectModel, _ configuration: Configuration) {
        self.configuration = configuration
        // Core Data allows two entities to name the same class, but Swift does not, so both classes get the names of
        // their entities.
        var claims: [String: Int] = [:]
        for entity in model.entities { claims[Self.wantedClassName(of: entity, configuration), default: 0] += 1 }
        classNames = Dictionary(
            uniqueKeysWithValues: model.entities.map { entity in
                let wanted = Self.wantedClassName(of: entity, configuration)
                return (entity.name, claims[wanted] == 1 ? wanted : entity.name)
            }
        )
    }

    /// `Foo`, `.Foo` and `Module.Foo` all name class `Foo`; the module is always the one that the code is generated
    /// into.
    private static func wantedClassName(of entity: EntityDescription, _ configuration: Configuration) -> String {
        if let name = configuration.entities[entity.name]?.className { return name }
        let last = classText(entity.managedObjectClassName)?.name.split(separator: ".").last.map(String.init) ?? ""
        return last.isEmpty || last == "NSManagedObject" || !isSwiftIdentifier(last) ? entity.name : last
    }

    /// Returns the class of an entity as users write it, without its module.
    func plainClassName(of entityName: String) -> String { Self.escaped(classNames[entityName] ?? entityName) }

    /// Returns the class of an entity as generated code writes it.
    func classType(of entityName: String) -> SwiftType { .named(classPath(of: entityName)) }

    /// The snapshot of an entity's objects.
    func valuesType(of entityName: String) -> SwiftType { .named(classPath(of: entityName) + ["Values"]) }

    private func classPath(of entityName: String) -> [String] {
        let name = plainClassName(of: entityName)
        return configuration.entities[entityName]?.module.map { [$0, name] } ?? [name]
    }

    /// Returns the class that is generated: for codegen `category`, the superclass of the class that the user writes.
    func generatedClassName(of entity: EntityDescription) -> String {
        let name = plainClassName(of: entity.name)
        return codeGeneration(of: entity) == .category ? "_" + name.filter { $0 != "`" } : name
    }

    /// Returns the code generation of an entity: the configuration's setting for the entity, or else the model's
    /// setting, or else the configuration's setting for all other entities, or else a class.
    func codeGeneration(of entity: EntityDescription) -> CodeGenerationMode {
        let own = configuration.entities[entity.name]
        // A class that another module contains is not generated again.
        if own?.module != nil { return .none }
        if let mode = own?.codeGeneration { return mode }
        switch entity.codeGeneration {
        case .class: return .class
        case .category: return .category
        case .unspecified: return configuration.codeGeneration ?? .class
        }
    }

    /// The struct of a composite.
    func compositeName(_ name: String) -> String { Self.escaped(name) }

    /// The member of a composite's struct.
    func elementName(_ name: String) -> String {
        Self.commonMembers.contains(name) ? name + "_" : Self.escaped(name)
    }

    /// The property of an attribute or relationship.
    func propertyName(_ name: String) -> String {
        Self.runtimeMembers.contains(name) ? name + "_" : Self.escaped(name)
    }

    /// Returns a name as a parameter, where Swift accepts most keywords and warns about backticks.
    static func parameterName(_ name: String) -> String {
        let plain = name.filter { $0 != "`" }
        return ["inout", "let", "var"].contains(plain) ? name : plain
    }

    /// Returns a name as the label of an argument.
    static func argumentLabel(_ name: String) -> String {
        let plain = name.filter { $0 != "`" }
        return plain == "inout" ? name : plain
    }

    /// Returns a name such as `addTo<Items>` or `removeFrom<Items>`.
    func accessorName(_ prefix: String, _ name: String) -> String {
        prefix + name.prefix(1).uppercased() + name.dropFirst()
    }

    /// Returns the name of the enumeration that represents a model: `DoneModel` for `Done`, `A_B_V1Model` for `A.B.V1`,
    /// and `DataModel` for `DataModel`.
    static func modelTypeName(_ modelName: String) -> String {
        var name = String(modelName.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") ? $0 : "_" })
        if name.first?.isNumber ?? true { name = "_" + name }
        return name.hasSuffix("Model") ? name : name + "Model"
    }

    /// Returns the function of a fetch request: its name with a lowercase first letter, without characters that are
    /// invalid in a name.
    static func functionName(_ template: String) -> String {
        var name = String(template.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") ? $0 : "_" })
        // A single underscore is not a valid name.
        if name == "_" || name.first?.isNumber ?? true { name = "_" + name }
        let function = name.prefix(1).lowercased() + name.dropFirst()
        return runtimeMembers.contains(function) ? function + "_" : escaped(function)
    }

    static func isModuleName(_ name: String) -> Bool { isSwiftIdentifier(name) && !swiftKeywords.contains(name) }

    /// Returns a name, in backticks if it is a keyword of Swift.
    static func escaped(_ name: String) -> String { swiftKeywords.contains(name) ? "`\(name)`" : name }

    static func isKeyword(_ name: String) -> Bool { swiftKeywords.contains(name.filter { $0 != "`" }) }

    /// Types of Swift and Foundation that users write without a module's name.
    ///
    /// A class with the same name would hide the type in its module.
    static let shadowedTypes: [String: String] = {
        let swift = [
            "Array", "Bool", "Character", "Collection", "Comparable", "Decodable", "Dictionary", "Double", "Encodable",
            "Equatable", "Error", "Float", "Hashable", "Identifiable", "Int", "Int16", "Int32", "Int64", "Int8",
            "KeyPath",
            "Mirror", "Never", "Optional", "Range", "Result", "Sendable", "Sequence", "Set", "String", "Substring",
            "UInt",
            "Unicode", "Void",
        ]
        let concurrency = [
            "Actor", "AsyncSequence", "AsyncStream", "Clock", "Duration", "MainActor", "Task", "TaskGroup",
        ]
        let foundation = [
            "Bundle", "Calendar", "Data", "Date", "DateComponents", "DateFormatter", "DateInterval", "Decimal",
            "FileHandle",
            "FileManager", "Formatter", "Host", "IndexPath", "IndexSet", "JSONDecoder", "JSONEncoder", "Locale",
            "Measurement", "Notification", "NotificationCenter", "NumberFormatter", "Operation", "OperationQueue",
            "Pipe",
            "Port", "Predicate", "Process", "ProcessInfo", "Progress", "Scanner", "SortDescriptor", "Stream", "Thread",
            "TimeInterval", "TimeZone", "Timer", "URL", "URLComponents", "URLRequest", "URLSession", "UUID", "Unit",
            "UserDefaults",
        ]
        var owners: [String: String] = [:]
        for name in swift { owners[name] = "Swift" }
        for name in concurrency { owners[name] = "_Concurrency" }
        for name in foundation { owners[name] = "Foundation" }
        return owners
    }()

    /// The members that every hashable type and its values have in Swift.
    private static let commonMembers: Set<String> = ["self", "Self", "Type", "Protocol", "hashValue"]

    /// Names that a class cannot have: Swift's own, those of the model's enumeration, and names that generated code
    /// uses inside a class.
    static let namesOfNoClass: Set<String> =
        runtimeMembers.union(commonMembers).union([
            "any", "each", "some", "nonisolated", "sending", "definition", "container", "schema", "_GeneratedCode",
            "_Level", "_level", "hash", "layout",
            "object", "paths", "propertyKeyPaths", "add", "remove", "insert", "replace", "setToOne", "setToMany",
            "setOrderedToMany", "fetchedObjects", "count", "value", "setValue", "primitiveValue", "setPrimitiveValue",
            "committedValues",
            "mutableSetValue", "objectIDs", "values", "willChangeValue", "validateValue", "validateProperty",
        ])

    /// Names that a composite's struct cannot have inside the model's enumeration.
    static let namesOfNoComposite: Set<String> =
        commonMembers.union([
            "definition", "container", "schema", "_GeneratedCode", "Chordata", "Foundation", "Swift", "any", "each",
            "some",
        ])

    /// Members of `ManagedObject` that a property would hide or clash with.
    static let runtimeMembers: Set<String> = [
        "objectID", "managedObjectContext", "isFault", "isInserted", "isUpdated", "isDeleted", "hasChanges",
        "entityName", "describe", "willAccess", "willAccessExternal", "willChange", "toOne", "toMany", "orderedToMany",
        "init", "toManySet", "toManyOrderedSet", "attributeIsUnset", "unsetAttribute", "setMembers",
        "fetchRequest",
        "predicateArgumentValue", "self", "Type", "hashValue", "Values",
        "PropertyKey", "lastPropertyKey", "Chordata", "Foundation", "Swift", "Self", "Protocol", "_level", "_Level",
        "unsafeDowncast", "hasPersistentChangedValues",
        "changedValues",
        "awakeFromInsert", "awakeFromFetch", "willSave", "didSave", "prepareForDeletion", "willTurnIntoFault",
        "didTurnIntoFault", "validateForInsert", "validateForUpdate", "validateForDelete", "validateInsert",
        "validateUpdate", "validateDelete", "entity", "description",
    ]
}
