internal import ChordataModel
internal import ChordataPredicate

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// What makes the sections of a list.
struct ResultsSectionKey {
    /// The key path as it was written.
    let text: String
    private let names: [String]
    /// What reads an attribute of the objects themselves, which most keys are.
    private let attribute: ((ManagedObject) -> AttributeValue?)?
    /// The to-one relationships on the way.
    let relationshipNames: [String]
    /// What the sections depend on beside the objects themselves.
    let dependencies: Set<FetchDependency>

    /// - Throws: ``FetchError`` when the key path does not lead over to-one relationships to a property.
    init(_ text: String, of type: EntityType, in schema: StoreSchema) throws(FetchError) {
        self.text = text
        names = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        var dependencies: Set<FetchDependency> = []
        var path: [RelationshipDescription] = []
        var current = type
        for name in names {
            guard let field = current.field(named: name), field.kind.base != .toMany else {
                throw .unknownKeyPath(text, entityName: type.entity.name)
            }
            if !path.isEmpty { dependencies.insert(FetchDependency(path: path, propertyName: name)) }
            if let relationship = current.relationships[field.index] {
                path.append(relationship.description)
                current = schema.entityTypes[relationship.destination]
            }
        }
        self.dependencies = dependencies
        relationshipNames = path.map(\.name)
        if path.isEmpty, let field = type.field(named: text), field.relationship == nil {
            attribute = { object in
                object.readRowOfFault()
                guard let field = object.entityType === type ? field : object.entityType.field(named: text) else {
                    return nil
                }
                return attributeValue(field.kind, at: object.address(of: field))
            }
        } else {
            attribute = nil
        }
    }

    /// The value of an object as text: numbers in decimal, no value as the empty text (F10).
    /// - Parameter last: What was read last and its text: neighbours mostly have one.
    func name(of object: ManagedObject, _ last: inout (value: AttributeValue, name: String)?) -> String {
        guard let attribute else { return name(of: object) }
        guard let value = attribute(object) else { return "" }
        if let last, last.value == value { return last.name }
        let name = value.sectionName
        last = (value, name)
        return name
    }

    private func name(of object: ManagedObject) -> String {
        var current = object
        for name in names {
            current.readRowOfFault()
            guard let field = current.entityType.field(named: name) else { return "" }
            if field.relationship != nil {
                guard let next = current.managedObjectContext?.realizeToOne(of: current, field: field.index) else {
                    return ""
                }
                current = next
                continue
            }
            guard let value = attributeValue(field.kind, at: current.address(of: field)) else { return "" }
            return value.sectionName
        }
        return current.objectID.uriRepresentation
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
