extension StoreContents {
    /// Returns the differences from the inferred migration, in words.
    ///
    /// They are not errors, because a user wrote them, but they should be reviewed.
    ///
    /// - Parameter inferred: The contents that the store would have if the step were inferred.
    func remarks(onInferred inferred: StoreContents) -> [String] {
        let kept = inferred.objects.keys.count { objects[$0] != nil }
        let new = objects.keys.count { inferred.objects[$0] == nil }
        var values = Tally()
        var links = Tally()
        for old in inferred.inOrder {
            guard let object = objects[old.id], object.entityName == old.entityName else { continue }
            for (name, value) in old.values {
                values.add(old.entityName, name, isOther: object.values[name] != value)
            }
            for (name, ids) in old.links { links.add(old.entityName, name, isOther: object.links[name] != ids) }
        }
        return ["the file keeps \(kept) of the \(inferred.objects.count) objects that the inferred migration keeps"]
            + (new > 0 ? ["objects that only the edited file creates: \(new)"] : []) + values.remarks("values")
            + links.remarks("references")
    }
}

/// The number of objects that have a property, and of those that differ from the inferred value.
private struct Tally {
    private struct Key: Hashable {
        var entity: String
        var property: String
    }

    private var counts: [Key: (all: Int, others: Int)] = [:]

    mutating func add(_ entity: String, _ property: String, isOther: Bool) {
        let count = counts[Key(entity: entity, property: property)] ?? (0, 0)
        counts[Key(entity: entity, property: property)] = (count.all + 1, count.others + (isOther ? 1 : 0))
    }

    func remarks(_ what: String) -> [String] {
        counts.filter { $0.value.others > 0 }.sorted {
            ($0.key.entity, $0.key.property) < ($1.key.entity, $1.key.property)
        }
        .map { key, count in
            "\(what) of '\(key.property)' of '\(key.entity)' differ from those after the inferred migration in \(count.others) of "
                + "\(count.all) objects"
        }
    }
}
