import ChordataModel
import ChordataSQL
import ChordataTestSupport
import ChordataVerification
import Foundation

/// A random model that new Core Data stores can have, with random objects.
///
/// The same seed gives the same result.
struct RandomGraph {
    private(set) var model: ManagedObjectModel
    private(set) var contents = StoreContents()
    private var generator: SeededGenerator
    private var nextID: Int64 = 1

    private static let types: [AttributeType] = [
        .integer16, .integer32, .integer64, .decimal, .double, .float, .string, .boolean, .date, .binaryData, .uuid,
        .uri,
        .transformable,
    ]

    init(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        model = try Self.makeModel(&generator)
        self.generator = generator
        for _ in 0..<(3 + self.generator.below(12)) { addObject() }
        link()
    }

    // MARK: The model

    private static func makeModel(_ generator: inout SeededGenerator) throws -> ManagedObjectModel {
        // Names in lower and upper case, because Core Data ignores case when it numbers entities and names columns.
        let names = ["Author", "book", "Cover", "Zone", "order", "Ästhet"].prefix(2 + generator.below(5))
        var entities = names.map { EntityDescription(name: $0, isAbstract: generator.chance(6)) }
        for index in entities.indices where index > 0 && generator.chance(2) {
            entities[index].superentityName = entities[generator.below(index)].name
        }
        // At least one entity must be concrete, so that there can be objects.
        entities[0].isAbstract = false
        var used: [String: Set<String>] = [:]
        func root(_ name: String) -> String {
            var name = name
            while let parent = entities.first(where: { $0.name == name })?.superentityName { name = parent }
            return name
        }
        /// Returns a name that no other property in the entity's hierarchy has. Another property may have a name that
        /// differs only in case.
        func take(_ entity: String, _ candidates: [String]) -> String? {
            guard let name = candidates.first(where: { !used[root(entity), default: []].contains($0) }) else {
                return nil
            }
            used[root(entity), default: []].insert(name)
            return name
        }
        for index in entities.indices {
            for _ in 0..<(1 + generator.below(5)) {
                let candidates = ["title", "Title", "tags", "order", "größe", "x1", "a_b", "n", "photo"].shuffled(
                    using: &generator
                )
                guard let name = take(entities[index].name, candidates) else { continue }
                let type = generator.pick(types)
                entities[index].declaredAttributes.append(
                    AttributeDescription(
                        name: name,
                        attributeType: type,
                        isOptional: true,
                        allowsExternalBinaryDataStorage: [.binaryData, .transformable].contains(type)
                            && generator.chance(2),
                        preservesValueInHistoryOnDeletion: generator.chance(5),
                        versionHashModifier: generator.chance(6) ? "2" : nil
                    )
                )
            }
        }
        for number in 0..<(1 + generator.below(6)) {
            let (first, second) = (generator.below(entities.count), generator.below(entities.count))
            let isOneWay = generator.chance(4)
            let (isToMany, isInverseToMany) = (generator.chance(2), generator.chance(2))
            // The layout of the table for a many-to-many relationship of an entity with itself is unknown.
            if first == second, isToMany, isInverseToMany || isOneWay, !isOneWay { continue }
            let name = "r\(number)"
            entities[first].declaredRelationships.append(
                RelationshipDescription(
                    name: name,
                    destinationEntityName: entities[second].name,
                    inverseName: isOneWay ? nil : "inverse\(number)",
                    isToMany: isToMany,
                    isOrdered: isToMany && generator.chance(2)
                )
            )
            guard !isOneWay else { continue }
            entities[second].declaredRelationships.append(
                RelationshipDescription(
                    name: "inverse\(number)",
                    destinationEntityName: entities[first].name,
                    inverseName: name,
                    isToMany: isInverseToMany,
                    isOrdered: isInverseToMany && generator.chance(2)
                )
            )
        }
        return try ManagedObjectModel(versionIdentifier: "v1", entities: entities)
    }

    // MARK: Objects

    private var concreteNames: [String] { model.entities.filter { !$0.isAbstract }.map(\.name) }

    private mutating func addObject() {
        let entity = generator.pick(concreteNames)
        var object = StoreContents.Object(id: nextID, entityName: entity)
        nextID += 1 + Int64(generator.below(2))
        for attribute in model.entity(named: entity)?.attributes ?? [] {
            object.values[attribute.name] = generator.chance(4) ? .null : value(of: attribute)
        }
        contents.objects[object.id] = object
    }

    private mutating func value(of attribute: AttributeDescription) -> SQLValue {
        switch attribute.attributeType {
        case .integer16: return .integer(Int64(Int16(truncatingIfNeeded: generator.next())))
        case .integer32: return .integer(Int64(Int32(truncatingIfNeeded: generator.next())))
        case .integer64: return .integer(Int64(bitPattern: generator.next()))
        case .boolean: return .integer(generator.chance(2) ? 1 : 0)
        case .double: return .real(Double(generator.below(1 << 40)) / 1_024)
        case .float: return .real(Double(Float(generator.below(1 << 20)) / 16))
        // Whole seconds are stored as integers.
        case .date: return .real(Double(generator.below(1 << 30)) / (generator.chance(2) ? 1 : 64))
        case .decimal:
            return .text(generator.pick(["0", "12.5", "-0.001", "123456789012345", "0.123456789012345", "99"]))
        case .string: return .text(generator.pick(["", "it's", "Zoë \"x\"", "line\nbreak", "7", "日本"]))
        case .uri: return .text("https://example.org/\(generator.below(100))?q=a")
        case .uuid: return .blob(Data((0..<16).map { _ in UInt8(generator.below(256)) }))
        case .binaryData, .transformable:
            return .blob(Data((0..<generator.below(40)).map { _ in UInt8(generator.below(256)) }))
        case .undefined, .objectID, .composite: return .null
        }
    }

    private func ids(of entityName: String) -> [Int64] {
        let names = Set(model.subentityClosure(of: entityName))
        return contents.objects.values.filter { names.contains($0.entityName) }.map(\.id).sorted()
    }

    /// Sets random links of all relationships, at both ends.
    private mutating func link() {
        for id in contents.objects.keys {
            let entity = model.entity(named: contents.objects[id]?.entityName ?? "")
            contents.objects[id]?.links = Dictionary(
                uniqueKeysWithValues: (entity?.relationships ?? []).map { ($0.name, []) }
            )
        }
        for entity in model.entities {
            for relationship in entity.declaredRelationships where !relationship.name.hasPrefix("inverse") {
                link(relationship, of: entity)
            }
        }
    }

    private mutating func link(_ relationship: RelationshipDescription, of entity: EntityDescription) {
        let owners = ids(of: entity.name)
        var inverse: RelationshipDescription?
        if let name = relationship.inverseName {
            inverse = model.entity(named: relationship.destinationEntityName)?.relationship(named: name)
        }
        // Core Data stores a to-many relationship without an inverse in the rows of its members.
        let isShared = inverse?.isToMany ?? !relationship.isToMany
        var members = ids(of: relationship.destinationEntityName)
        for owner in owners {
            let count = relationship.isToMany ? generator.below(4) : generator.below(2)
            let chosen = Array(members.shuffled(using: &generator).prefix(count))
            if !isShared { members.removeAll { chosen.contains($0) } }
            contents.objects[owner]?.links[relationship.name] =
                relationship.isToMany && relationship.isOrdered ? chosen : chosen.sorted()
            guard let inverse else { continue }
            for member in chosen {
                contents.objects[member]?.links[inverse.name, default: []].append(owner)
                if !inverse.isOrdered { contents.objects[member]?.links[inverse.name]?.sort() }
            }
        }
    }

    // MARK: Changes

    /// Changes, deletes and inserts objects, and sets new links.
    /// - Returns: The row keys of the objects whose attributes were changed.
    mutating func change() -> Set<Int64> {
        var changed: Set<Int64> = []
        for id in contents.objects.keys.sorted() {
            guard let object = contents.objects[id], generator.chance(3) else { continue }
            if generator.chance(3), contents.objects.count > 1 {
                contents.objects[id] = nil
                continue
            }
            for attribute in model.entity(named: object.entityName)?.attributes ?? [] where generator.chance(2) {
                let value = generator.chance(4) ? SQLValue.null : value(of: attribute)
                if contents.objects[id]?.values[attribute.name] != value { changed.insert(id) }
                contents.objects[id]?.values[attribute.name] = value
            }
        }
        for _ in 0..<generator.below(5) { addObject() }
        link()
        return changed
    }
}
