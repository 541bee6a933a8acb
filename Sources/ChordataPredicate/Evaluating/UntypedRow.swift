package import ChordataModel

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// An object without a class of its own: the values of an entity's properties in the order of an ``UntypedLayout``.
package final class UntypedRow {
    package let key: Int64
    package let layout: UntypedLayout
    /// The values, indexed by ``UntypedLayout/attributeIndexes``.
    package var values: [AttributeValue?]
    /// The related objects, indexed by ``UntypedLayout/relationshipIndexes``; at most one object for a to-one
    /// relationship.
    package var related: [[UntypedRow]]

    package init(key: Int64, layout: UntypedLayout) {
        self.key = key
        self.layout = layout
        values = Array(repeating: nil, count: layout.attributeIndexes.count)
        related = Array(repeating: [], count: layout.relationshipIndexes.count)
    }
}

/// The layout of an entity's values; inherited properties have the same index as in the superentity.
package struct UntypedLayout: Sendable {
    package let entityName: String
    /// The indexes of attributes and of elements of composites, keyed by path.
    package private(set) var attributeIndexes: [[String]: Int] = [:]
    package private(set) var relationshipIndexes: [String: Int] = [:]

    /// Lays out an entity of a model, from its topmost superentity down.
    package init(entityName: String, in model: ManagedObjectModel) {
        self.entityName = entityName
        var lineage: [EntityDescription] = []
        var next = model.entity(named: entityName)
        while let entity = next {
            lineage.append(entity)
            next = entity.superentityName.flatMap { model.entity(named: $0) }
        }
        for entity in lineage.reversed() {
            for attribute in entity.declaredAttributes { add(attribute, path: []) }
            for relationship in entity.declaredRelationships {
                relationshipIndexes[relationship.name] = relationshipIndexes.count
            }
        }
    }

    private mutating func add(_ attribute: AttributeDescription, path: [String]) {
        let path = path + [attribute.name]
        guard attribute.elements.isEmpty else {
            for element in attribute.elements { add(element, path: path) }
            return
        }
        attributeIndexes[path] = attributeIndexes.count
    }
}

/// Reads ``UntypedRow``s.
package struct UntypedAccess: PredicateAccess {
    private let layouts: [String: UntypedLayout]

    package init(model: ManagedObjectModel) {
        layouts = Dictionary(
            uniqueKeysWithValues: model.entities.map { ($0.name, UntypedLayout(entityName: $0.name, in: model)) }
        )
    }

    /// Returns the layout of an entity's rows.
    package func layout(of entityName: String) -> UntypedLayout {
        guard let layout = layouts[entityName] else { preconditionFailure("the model has no entity '\(entityName)'") }
        return layout
    }

    package func attribute(of path: BoundKeyPath) -> (AnyObject) -> AttributeValue? {
        guard let index = layout(of: path.targetEntityName).attributeIndexes[path.attributePath] else {
            preconditionFailure("'\(path.keyPath)' of '\(path.entityName)' is not an attribute")
        }
        return { row($0).values[index] }
    }

    package func integer(of path: BoundKeyPath) -> ((AnyObject) -> Int64?)? {
        let read = attribute(of: path)
        switch path.attribute?.attributeType {
        case .integer16, .integer32, .integer64, .boolean:
            return { object in
                switch read(object) {
                case .integer(let number): number
                case .boolean(let flag): flag ? 1 : 0
                default: nil
                }
            }
        default: return nil
        }
    }

    package func double(of path: BoundKeyPath) -> ((AnyObject) -> Double?)? {
        let read = attribute(of: path)
        switch path.attribute?.attributeType {
        case .double, .float, .date:
            return { object in
                switch read(object) {
                case .double(let number): number
                case .date(let date): date.timeIntervalSinceReferenceDate
                default: nil
                }
            }
        default: return nil
        }
    }

    package func string(of path: BoundKeyPath) -> ((AnyObject) -> String?)? {
        guard path.attribute?.attributeType == .string else { return nil }
        let read = attribute(of: path)
        return { object in
            guard case .string(let string) = read(object) else { return nil }
            return string
        }
    }

    package func toOne(_ relationship: RelationshipDescription, of entityName: String) -> (AnyObject) -> AnyObject? {
        let index = index(of: relationship, in: entityName)
        return { row($0).related[index].first }
    }

    package func toOneKey(_ relationship: RelationshipDescription, of entityName: String) -> (AnyObject) -> Int64? {
        let index = index(of: relationship, in: entityName)
        return { row($0).related[index].first?.key }
    }

    package func toMany(_ relationship: RelationshipDescription, of entityName: String) -> (AnyObject) -> [AnyObject] {
        let index = index(of: relationship, in: entityName)
        return { row($0).related[index] }
    }

    package func fullText(_: BoundFullText) -> (AnyObject) throws(FetchPredicateError) -> Bool {
        preconditionFailure("an untyped row cannot be searched by a full-text index")
    }

    package func entityName(of object: AnyObject) -> String { row(object).layout.entityName }

    package func key(of object: AnyObject) -> Int64 { row(object).key }

    private func index(of relationship: RelationshipDescription, in entityName: String) -> Int {
        guard let index = layout(of: entityName).relationshipIndexes[relationship.name] else {
            preconditionFailure("'\(entityName)' has no relationship '\(relationship.name)'")
        }
        return index
    }
}

/// Returns an object as a row.
private func row(_ object: AnyObject) -> UntypedRow { unsafeDowncast(object, to: UntypedRow.self) }
