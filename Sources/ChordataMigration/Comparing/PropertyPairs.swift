internal import ChordataModel

/// A property and the entity that declares it.
struct PropertyPlace {
    var entity: EntityDescription
    var property: DeclaredProperty
}

/// Which properties of two models are the same: first those that one entity declares in both, then those that moved
/// along the hierarchy.
struct PropertyPairs {
    struct Pair {
        var old: PropertyPlace
        var new: PropertyPlace
        /// Whether an entity above or below the old one declares it now.
        var isMoved: Bool
        /// Whether a migration takes the two for the same too.
        var isCarried: Bool
    }

    private let entities: EntityPairs
    /// A property that moved up from two entities stands in two pairs, and so does one that moved down to two.
    private(set) var pairs: [Pair] = []
    private(set) var removed: [PropertyPlace] = []
    private(set) var added: [PropertyPlace] = []

    init(_ entities: EntityPairs) {
        self.entities = entities
        for subject in [ModelChange.Subject.attribute, .relationship, .fetchedProperty] { pair(subject) }
    }

    private mutating func pair(_ subject: ModelChange.Subject) {
        var (oldRest, newRest): ([PropertyPlace], [PropertyPlace]) = ([], [])
        func places(_ entity: EntityDescription) -> [PropertyPlace] {
            DeclaredProperty.all(of: entity).filter { $0.subject == subject }
                .map { PropertyPlace(entity: entity, property: $0) }
        }
        for new in entities.new.entities {
            let newPlaces = places(new)
            guard let old = entities.old(of: new.name) else {
                newRest += newPlaces
                continue
            }
            let oldPlaces = places(old)
            let matched = IdentityPairs(
                old: oldPlaces.map(\.property.identity),
                new: newPlaces.map(\.property.identity)
            )
            for (index, place) in newPlaces.enumerated() {
                guard let oldIndex = matched.oldIndexes[index] else {
                    newRest.append(place)
                    continue
                }
                pairs.append(
                    Pair(old: oldPlaces[oldIndex], new: place, isMoved: false, isCarried: matched.areCarried[index])
                )
            }
            oldRest += oldPlaces.enumerated().filter { matched.newIndexes[$0.offset] == nil }.map(\.element)
        }
        for old in entities.old.entities where entities.new(of: old.name) == nil { oldRest += places(old) }
        pairMoved(oldRest, newRest)
    }

    private mutating func pairMoved(_ oldRest: [PropertyPlace], _ newRest: [PropertyPlace]) {
        var newIndexes: [String: [Int]] = [:]
        for (index, place) in newRest.enumerated() {
            let identity = place.property.identity
            for text in Set([identity.name, identity.identifier]) { newIndexes[text, default: []].append(index) }
        }
        var isTaken = Array(repeating: false, count: newRest.count)
        for old in oldRest {
            let identity = old.property.identity
            let candidates = Set([identity.name, identity.identifier]).flatMap { newIndexes[$0] ?? [] }
            let targets = Set(candidates).sorted().filter { entities.areRelated(old.entity, newRest[$0].entity) }
            if targets.isEmpty { removed.append(old) }
            for index in targets {
                isTaken[index] = true
                let identifier = newRest[index].property.identity.identifier
                pairs.append(
                    Pair(
                        old: old,
                        new: newRest[index],
                        isMoved: true,
                        isCarried: identifier == identity.identifier || identifier == identity.name
                    )
                )
            }
        }
        for (index, place) in newRest.enumerated() where !isTaken[index] { added.append(place) }
    }
}

/// Which entities of two models are the same.
struct EntityPairs {
    let old: ManagedObjectModel
    let new: ManagedObjectModel
    private var oldNames: [String: String] = [:]
    private var newNames: [String: String] = [:]
    private var carried: Set<String> = []

    init(old: ManagedObjectModel, new: ManagedObjectModel) {
        self.old = old
        self.new = new
        let pairs = IdentityPairs(
            old: old.entities.map { .init($0.name, $0.renamingIdentifier) },
            new: new.entities.map { .init($0.name, $0.renamingIdentifier) }
        )
        for (index, entity) in new.entities.enumerated() {
            guard let oldIndex = pairs.oldIndexes[index] else { continue }
            oldNames[entity.name] = old.entities[oldIndex].name
            newNames[old.entities[oldIndex].name] = entity.name
            if pairs.areCarried[index] { carried.insert(entity.name) }
        }
    }

    /// The old form of a new entity.
    func old(of name: String) -> EntityDescription? { oldNames[name].flatMap { old.entity(named: $0) } }
    /// The new form of an old entity.
    func new(of name: String) -> EntityDescription? { newNames[name].flatMap { new.entity(named: $0) } }
    /// Whether a migration takes a new entity for its old form too.
    func isCarried(_ name: String) -> Bool { carried.contains(name) }

    /// Whether an old and a new entity are different ones on one line of inheritance, in either model.
    func areRelated(_ oldEntity: EntityDescription, _ newEntity: EntityDescription) -> Bool {
        if let later = newNames[oldEntity.name], later != newEntity.name,
            new.entity(later, isKindOf: newEntity.name) || new.entity(newEntity.name, isKindOf: later)
        {
            return true
        }
        if let earlier = oldNames[newEntity.name], earlier != oldEntity.name,
            old.entity(earlier, isKindOf: oldEntity.name) || old.entity(oldEntity.name, isKindOf: earlier)
        {
            return true
        }
        return false
    }
}
