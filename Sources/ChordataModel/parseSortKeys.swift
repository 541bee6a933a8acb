/// A sort key that the user info of a model specifies.
package struct ModelSortKey: Sendable, Hashable {
    package var path: String
    package var isAscending: Bool
}

/// Returns the sort keys of a user info value: key paths separated by commas, each optionally followed by `ASC` or
/// `DESC`, such as `list.title, createdAt DESC`.
package func parseSortKeys(_ text: String) -> [ModelSortKey] {
    text.split(separator: ",").map { part in
        let words = part.split(separator: " ")
        return ModelSortKey(
            path: words.first.map(String.init) ?? "",
            isAscending: words.dropFirst().joined().uppercased() != "DESC"
        )
    }
}

extension FetchedPropertyDescription {
    /// The key of the user info for the sort keys of a fetched property.
    package static let sortKeysName = "sortKeys"

    /// The sort keys of the fetched property, from its user info; empty without a declaration.
    package var sortKeys: [ModelSortKey] { userInfo[Self.sortKeysName].map { parseSortKeys($0) } ?? [] }
}
