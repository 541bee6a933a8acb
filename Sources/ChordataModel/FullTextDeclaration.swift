/// The attributes of an entity that a full-text index contains.
///
/// A model declares the index in the user info of an entity: `fullText = "title, notes"`. The index belongs to the
/// entity's table, so it serves subentities as well.
package struct FullTextDeclaration: Sendable, Hashable {
    /// The key in the user info of an entity.
    package static let userInfoKey = "fullText"

    /// The entity whose user info declares the index.
    package var entityName: String
    /// The names of the attributes, in the order of the user info.
    package var attributeNames: [String]

    package init(entityName: String, attributeNames: [String]) {
        self.entityName = entityName
        self.attributeNames = attributeNames
    }
}

/// The reason why a full-text index that a model declares cannot be created.
package struct FullTextProblem: Error, Sendable, Hashable {
    /// A description of the problem and its remedy.
    package var message: String
}

extension ManagedObjectModel {
    /// Returns the full-text index that an entity's own user info declares.
    /// - Returns: The index; `nil` if the user info does not declare one.
    package func declaredFullText(of entity: EntityDescription) throws(FullTextProblem) -> FullTextDeclaration? {
        guard let text = entity.userInfo[FullTextDeclaration.userInfoKey] else { return nil }
        let names = text.split(separator: ",", omittingEmptySubsequences: false).map { part in
            String(part.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
        }
        var seen: Set<String> = []
        for name in names {
            if let problem = problem(of: name, in: entity, isDuplicate: !seen.insert(name).inserted) {
                throw FullTextProblem(message: problem)
            }
        }
        var ancestor = superentity(of: entity.name)
        while let candidate = ancestor {
            if isFullTextEntity(candidate) {
                throw FullTextProblem(
                    message: "its superentity '\(candidate.name)' has this key too, and the index of a superentity "
                        + "contains the objects of its subentities; remove one of the two keys"
                )
            }
            ancestor = superentity(of: candidate.name)
        }
        return FullTextDeclaration(entityName: entity.name, attributeNames: names)
    }

    /// Returns a Boolean value that indicates whether an entity has a valid index, not only a key for one.
    private func isFullTextEntity(_ entity: EntityDescription) -> Bool {
        do throws(FullTextProblem) {
            return try declaredFullText(of: entity) != nil
        } catch {
            return false
        }
    }

    private func problem(of name: String, in entity: EntityDescription, isDuplicate: Bool) -> String? {
        let remedy = "write the names of String attributes, separated by commas"
        if name.isEmpty { return "a name is missing; \(remedy)" }
        if isDuplicate { return "'\(name)' is duplicated; remove one of them" }
        guard let attribute = entity.attribute(named: name) else {
            return "'\(name)' is not an attribute; \(remedy)"
        }
        guard attribute.attributeType == .string else {
            return "'\(name)' is a '\(attribute.attributeType.rawValue)'; \(remedy)"
        }
        if attribute.isTransient { return "'\(name)' is transient, so the store does not have it; \(remedy)" }
        // SQLite has columns with these names in each full-text index.
        if ["rank", "rowid"].contains(name.lowercased()) {
            return "SQLite reserves the name '\(name)' in full-text indexes; rename the attribute or leave it out"
        }
        return nil
    }
}
