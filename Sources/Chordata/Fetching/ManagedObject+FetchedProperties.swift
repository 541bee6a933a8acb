internal import ChordataModel
internal import ChordataPredicate

extension ManagedObject {
    /// Returns the objects of a fetched property; each call runs the fetch.
    ///
    /// In the predicate, `$FETCH_SOURCE` is this object, `$FETCH_SOURCE.name` is the value of its property `name`, and
    /// `$FETCHED_PROPERTY` is the description of the fetched property.
    @_spi(Generated)
    public final func fetchedObjects<Object: ManagedObject>(of property: String) -> [Object] {
        guard let context = managedObjectContext else { return [] }
        guard let description = runtimeEntity.entity.fetchedPropertiesByName[property] else {
            preconditionFailure(
                "'\(runtimeEntity.entity.name)' has no fetched property '\(property)'; generate the code again"
            )
        }
        let template = description.fetchRequest
        return context.reader.readOrRecord([]) {
            var request = FetchRequest<Object>(entityName: template.entityName)
            request.fetchLimit = template.fetchLimit
            request.includesSubentities = template.includesSubentities
            request.includesPendingChanges = template.includesPendingChanges
            request.sortKeys = description.sortKeys.map { key in
                SortKey(key.path, order: key.isAscending ? .ascending : .descending)
            }
            if let format = template.predicateFormat {
                let predicate = try FetchPredicate(format: format).replacingFetchedProperty(with: description)
                request.predicate = predicate.replacing(
                    variable: "FETCH_SOURCE",
                    with: predicateArgumentValue.value,
                    paths: { self.predicateValue(at: $0) }
                )
            }
            return try context.fetch(request)
        }
    }

    /// Returns the value at the end of a path of to-one relationships and an attribute; `nil` without such a path.
    private func predicateValue(at keys: [String]) -> PredicateValue? {
        var object = self
        for (position, key) in keys.enumerated() {
            object.readRowOfFault()
            // The name of a composite's element contains the rest of the path.
            let name = keys[position...].joined(separator: ".")
            if let field = object.runtimeEntity.field(named: name), field.attribute != nil {
                object.loadExternalData(field.index)
                return attributeValue(field.kind, at: object.address(of: field)).map { .attribute($0) } ?? .null
            }
            guard let field = object.runtimeEntity.field(named: key), field.kind.base == .toOne else { return nil }
            guard let next = object.toOneObject(object.toOneReference(field).pointee, field.index) else { return .null }
            object = next
        }
        return object.predicateArgumentValue.value
    }
}
