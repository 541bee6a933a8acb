internal import ChordataModel

/// Declares the property of a relationship and the functions that Core Data's generated code has beside it.
func declareRelationship(
    _ relationship: RelationshipDescription,
    _ field: Int,
    _ modifiers: String,
    _ context: GenerationContext
) -> [SwiftDeclaration] {
    guard UserInfoKey.ignore.flag(in: relationship.userInfo) != true else { return [] }
    let namer = context.namer
    let name = namer.propertyName(relationship.name)
    let destination = namer.className(of: relationship.destinationEntityName)
    let isReadOnly = UserInfoKey.readOnly.flag(in: relationship.userInfo) == true
    let introducer = modifiers + (isReadOnly ? "private(set) " : "") + "var"
    let documentation = documentation(of: relationship.userInfo)
    guard relationship.isToMany else {
        return [
            .separated(
                .variable(
                    SwiftVariable(
                        documentation: documentation,
                        introducer: introducer,
                        name: name,
                        type: destination + "?",
                        getter: "willAccess(\(field)); return toOne(_level.\(name), \(field))",
                        setter: "setToOne(newValue, \(field))"
                    )
                )
            )
        ]
    }
    let isOrdered = relationship.isOrdered
    let collection = "\(isOrdered ? "Chordata.OrderedSet" : "Swift.Set")<\(destination)>"
    let property = SwiftDeclaration.separated(
        .variable(
            SwiftVariable(
                documentation: documentation,
                introducer: introducer,
                name: name,
                type: collection,
                getter: "\(isOrdered ? "orderedToMany" : "toMany")(_level.\(name), \(field))",
                setter: "\(isOrdered ? "setOrderedToMany" : "setToMany")(newValue, \(field))"
            )
        )
    )
    guard !isReadOnly else { return [property] }
    var functions = [
        ("addTo", "_ value: \(destination)", "add(value, toMany: \(field))"),
        ("removeFrom", "_ value: \(destination)", "remove(value, fromMany: \(field))"),
        ("addTo", "_ values: \(collection)", "add(values, toMany: \(field))"),
        ("removeFrom", "_ values: \(collection)", "remove(values, fromMany: \(field))"),
    ]
    if isOrdered {
        let one = "Swift.CollectionOfOne(index)"
        functions += [
            (
                "insertInto", "_ value: \(destination), at index: Swift.Int",
                "insert([value], at: \(one), toMany: \(field))"
            ),
            ("removeFrom", "at index: Swift.Int", "remove(at: \(one), fromMany: \(field))"),
            (
                "insertInto", "_ values: [\(destination)], at indexes: Foundation.IndexSet",
                "insert(values, at: indexes, toMany: \(field))"
            ),
            ("removeFrom", "at indexes: Foundation.IndexSet", "remove(at: indexes, fromMany: \(field))"),
            (
                "replace", "at index: Swift.Int, with value: \(destination)",
                "replace(at: \(one), with: [value], inMany: \(field))"
            ),
            (
                "replace", "at indexes: Foundation.IndexSet, with values: [\(destination)]",
                "replace(at: indexes, with: values, inMany: \(field))"
            ),
        ]
    }
    return [property]
        + functions.map { prefix, parameters, body in
            .separated(
                .function(
                    SwiftFunction(
                        introducer: "\(modifiers)func \(namer.accessorName(prefix, relationship.name))",
                        parameters: [parameters],
                        body: [body]
                    )
                )
            )
        }
}

/// The doc comment that user info asks for.
func documentation(of userInfo: [String: String]) -> [String] {
    func lines(_ key: UserInfoKey) -> [String] {
        key.value(in: userInfo)?.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
            ?? []
    }
    let summary = lines(.documentation)
    let discussion = lines(.discussion)
    return summary + (summary.isEmpty || discussion.isEmpty ? [] : [""]) + discussion
}
