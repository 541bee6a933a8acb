internal import ChordataModel

/// A sort that the model asks for.
struct GeneratedSortKey: Hashable {
    var path: String
    var isAscending: Bool
}

/// The sort of a fetch request: Xcode's editor has none, so it is in the user info of the entity.
///
/// Under `sortKeys.<name of the request>` there are key paths with commas between them, each with `ASC` or `DESC`
/// behind it: `list.title, createdAt DESC`.
func sortKeys(of template: FetchRequestTemplate, in model: ManagedObjectModel) -> [GeneratedSortKey] {
    guard let text = sortKeysText(of: template, in: model) else { return [] }
    return text.split(separator: ",").map { part in
        let words = part.split(separator: " ")
        return GeneratedSortKey(
            path: words.first.map(String.init) ?? "",
            isAscending: words.dropFirst().joined().uppercased() != "DESC"
        )
    }
}

/// The place of the sort of a fetch request.
func sortKeysName(of template: FetchRequestTemplate) -> String { "sortKeys.\(template.name)" }

func sortKeysText(of template: FetchRequestTemplate, in model: ManagedObjectModel) -> String? {
    model.entity(named: template.entityName)?.userInfo[sortKeysName(of: template)]
}
