internal import ChordataModel
internal import ChordataPredicate

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The key path that determines the sections of a list.
struct ResultsSectionKey {
    /// A closure that returns the name of an object's section; it reuses the last value and its text, because
    /// consecutive objects mostly have the same value.
    private typealias Reader = (ManagedObject, inout Last?) -> SectionName
    typealias Last = (value: AttributeValue, name: SectionName)

    /// The key path as it was written.
    let text: String
    private let read: Reader
    /// The names of the to-one relationships whose destinations are read.
    let relationshipNames: [String]
    /// The dependencies of the sections, apart from the objects themselves.
    let dependencies: Set<FetchDependency>
    /// A Boolean value that indicates whether all data from which section names are computed are in the store.
    let isStored: Bool

    /// - Throws: ``FetchError`` when the key path is not a property at the end of to-one relationships.
    init(_ text: String, of type: RuntimeEntity, in schema: StoreSchema) throws(FetchError) {
        self.text = text
        let names = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        var dependencies: Set<FetchDependency> = []
        var path: [RelationshipDescription] = []
        var current = type
        var leaf = ""
        for index in names.indices {
            // An element of a composite has a name of several parts.
            let rest = names[index...].joined(separator: ".")
            if let field = current.field(named: rest), field.relationship == nil {
                leaf = rest
                break
            }
            guard let field = current.field(named: names[index]), let relationship = current.relationships[field.index],
                !relationship.description.isToMany
            else {
                let suggestion = nearestName(to: rest, among: current.fields.map(\.name).filter { $0 != rest })
                throw .unknownSectionKeyPath(text, entityName: type.entity.name, suggestion: suggestion)
            }
            if !path.isEmpty { dependencies.insert(FetchDependency(path: path, propertyName: names[index])) }
            path.append(relationship.description)
            current = schema.runtimeEntities[relationship.destination]
        }
        if !path.isEmpty, !leaf.isEmpty { dependencies.insert(FetchDependency(path: path, propertyName: leaf)) }
        self.dependencies = dependencies
        let steps = path.map(\.name)
        isStored =
            !path.contains(where: \.isTransient) && (leaf.isEmpty || current.field(named: leaf)?.isStored == true)
        // The section value of a to-one relationship is the object ID of its destination, which does not have to be
        // read.
        relationshipNames = leaf.isEmpty ? Array(steps.dropLast()) : steps
        read = { object, last in
            guard let end = Self.object(at: steps, from: object) else { return .empty }
            if leaf.isEmpty { return SectionName(end.objectID.uriRepresentation) }
            end.readRowOfFault()
            // A required property that was never set has no value, although its field contains one.
            guard let field = end.runtimeEntity.field(named: leaf), end.changes?.unset.contains(field.index) != true,
                let value = attributeValue(field.kind, at: end.address(of: field))
            else { return .empty }
            if case .string(let text) = value { return SectionName(text) }
            if let last, last.value == value { return last.name }
            let name = SectionName(value.sectionName)
            last = (value, name)
            return name
        }
    }

    /// Creates a section key whose names are computed by a closure.
    init(_ text: String, computedBy name: @escaping (ManagedObject) -> String) {
        self.text = text
        relationshipNames = []
        dependencies = []
        isStored = false
        read = { object, _ in
            object.readRowOfFault()
            return SectionName(name(object))
        }
    }

    /// Returns the section name of an object: its value as text, numbers in decimal, and the empty text if there is no
    /// value (F10).
    func name(of object: ManagedObject, _ last: inout Last?) -> SectionName { read(object, &last) }

    private static func object(at steps: [String], from object: ManagedObject) -> ManagedObject? {
        var current = object
        for step in steps {
            current.readRowOfFault()
            guard let field = current.runtimeEntity.field(named: step),
                let next = current.managedObjectContext?.editor.realizeToOne(of: current, field: field.index)
            else { return nil }
            current = next
        }
        return current
    }
}

extension AttributeValue {
    fileprivate var sectionName: String {
        switch self {
        case .string(let string): string
        case .integer(let integer): "\(integer)"
        case .double(let double): "\(double)"
        case .decimal(let decimal): "\(decimal)"
        case .boolean(let boolean): boolean ? "1" : "0"
        case .date(let date): "\(date.timeIntervalSinceReferenceDate)"
        case .uuid(let uuid): uuid.uuidString
        case .url(let url): url.absoluteString
        case .data: ""
        }
    }
}
