internal import ChordataModel

/// Returns the sort keys of a fetch request.
///
/// Xcode's editor does not have them, so they are in the user info of the entity, under
/// `sortKeys.<name of the request>`.
func sortKeys(of template: FetchRequestTemplate, in model: ManagedObjectModel) -> [ModelSortKey] {
    sortKeysText(of: template, in: model).map { parseSortKeys($0) } ?? []
}

/// Returns the user info key for the sort keys of a fetch request.
func sortKeysName(of template: FetchRequestTemplate) -> String { "sortKeys.\(template.name)" }

func sortKeysText(of template: FetchRequestTemplate, in model: ManagedObjectModel) -> String? {
    model.entity(named: template.entityName)?.userInfo[sortKeysName(of: template)]
}
