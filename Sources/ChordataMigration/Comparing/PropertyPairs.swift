internal import ChordataModel

/// A property and the entity that declares it.
struct PropertyPlace {
    var entity: EntityDescription
    var property: DeclaredProperty
}

/// The matching properties of two models: first those that one entity declares in both, then those that moved along the
/// hierarchy.
struct PropertyPairs {
    struct Pair {
        var old: PropertyPlace
        var new: PropertyPlace
        /// A Boolean value that indicates whether a superentity or subentity of the old entity declares it now.
        var isMoved: Bool
        /// A Boolean value that indicates whether a migration also matches the two properties.
        var isCarried: Bool
    }

    private let entities: EntityPairs
    /// A property that moved up from two entities is in two pairs, and so is one that moved down to two.
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
