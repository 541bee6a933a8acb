package import ChordataModel
package import ChordataModelFile

/// Returns descriptions of the mappings that cannot be inferred, which are the work of a stage.
///
/// - Parameter match: The matching elements of the two versions, without the mapping model.
package func tasksOfStage(of mapping: MappingModel, _ match: ModelMatch) -> [String] {
    mapping.entities.flatMap { entity -> [String] in
        let name = entity.destinationName ?? entity.sourceName ?? entity.name
        var tasks: [String] = []
        if let source = entity.sourceName, let destination = entity.destinationName,
            match.destinationEntity(of: source)?.name != destination
        {
            tasks.append("objects of '\(destination)' are created from objects of '\(source)'")
        }
        if let predicate = entity.predicate {
            tasks.append("of the source objects of '\(name)', only those with \(predicate) are migrated")
        }
        if let policy = entity.policyClassName {
            tasks.append(
                "the migration policy '\(policy)' of entity '\(name)' runs code that is not in the mapping model; write the same code in this stage"
            )
        }
        let properties = (entity.attributes + entity.relationships).filter { property in
            guard property.isCustom else { return false }
            // The mapping is inferred if a renaming identifier names the same old property.
            guard case .keyPath(let path) = property.expression, let destination = entity.destinationName else {
                return true
            }
            let old =
                match.sourcePath(of: [property.name], in: destination)?.joined(separator: ".")
                ?? match.sourceRelationship(named: property.name, of: destination)?.name
            return old != path
        }
        return tasks + properties.map { "'\($0.name)' of '\(name)' is \($0.words)" }
    }
}
