internal import ChordataModel

/// The sort of a fetch request: Xcode's editor has none, so it is in the user info of the entity, under
/// `sortKeys.<name of the request>`.
func sortKeys(of template: FetchRequestTemplate, in model: ManagedObjectModel) -> [ModelSortKey] {
    sortKeysText(of: template, in: model).map { parseSortKeys($0) } ?? []
}

/// The place of the sort of a fetch request.
func sortKeysName(of template: FetchRequestTemplate) -> String { "sortKeys.\(template.name)" }

func sortKeysText(of template: FetchRequestTemplate, in model: ManagedObjectModel) -> String? {
    model.entity(named: template.entityName)?.userInfo[sortKeysName(of: template)]
}
