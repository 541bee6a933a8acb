internal import ChordataModel

extension ModelComparison {
    mutating func compareFetchRequests() {
        let (old, new) = (old.fetchRequestTemplates, new.fetchRequestTemplates)
        let pairs = IdentityPairs(old: old.map { .init($0.name, $0.name) }, new: new.map { .init($0.name, $0.name) })
        for (index, request) in new.enumerated() {
            if let oldIndex = pairs.oldIndexes[index] {
                let template = ModelChange(.fetchRequest, .changed, name: request.name, oldName: old[oldIndex].name)
                add(compareFields(old[oldIndex], request), to: template)
            } else {
                add(ModelChange(.fetchRequest, .added, name: request.name, newValue: declaration(request)))
            }
        }
        for (index, request) in old.enumerated() where pairs.newIndexes[index] == nil {
            add(ModelChange(.fetchRequest, .removed, name: request.name, oldValue: declaration(request)))
        }
    }

    mutating func compareConfigurations() {
        let (old, new) = (old.configurations, new.configurations)
        let pairs = IdentityPairs(old: old.map { .init($0.name, $0.name) }, new: new.map { .init($0.name, $0.name) })
        for (index, configuration) in new.enumerated() {
            guard let oldIndex = pairs.oldIndexes[index] else {
                let names = configuration.entityNames.sorted().joined(separator: ", ")
                add(ModelChange(.configuration, .added, name: configuration.name, newValue: names))
                continue
            }
            compareEntityNames(old[oldIndex], configuration)
        }
        for (index, configuration) in old.enumerated() where pairs.newIndexes[index] == nil {
            let names = configuration.entityNames.sorted().joined(separator: ", ")
            add(ModelChange(.configuration, .removed, name: configuration.name, oldValue: names))
        }
    }

    /// Adds one change for each added or removed entity; a renamed entity is not a change.
    private mutating func compareEntityNames(
        _ old: ManagedObjectModel.Configuration,
        _ new: ManagedObjectModel.Configuration
    ) {
        var fields = FieldComparison()
        var rest: [String: Int] = [:]
        for name in new.entityNames { rest[name, default: 0] += 1 }
        for name in old.entityNames {
            let key = entities.new(of: name)?.name ?? name
            if let count = rest[key], count > 0 {
                rest[key] = count - 1
            } else {
                fields.compare(.entityNames, name, nil)
            }
        }
        for (name, count) in rest {
            for _ in 0..<count { fields.compare(.entityNames, nil, name) }
        }
        add(fields.changes, to: ModelChange(.configuration, .changed, name: new.name, oldName: old.name))
    }
}
