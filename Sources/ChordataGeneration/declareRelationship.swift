internal import ChordataConfiguration
internal import ChordataModel

/// Declares the property of a relationship, and the functions that Core Data's generated code has in addition to it.
func declareRelationship(
    _ relationship: RelationshipDescription,
    _ field: Int,
    _ modifiers: Set<SwiftModifier>,
    _ context: GenerationContext
) -> [SwiftDeclaration] {
    guard UserInfoKey.ignore.flag(in: relationship.userInfo) != true else { return [] }
    let namer = context.namer
    let name = namer.propertyName(relationship.name)
    let destination = namer.classType(of: relationship.destinationEntityName)
    let isReadOnly = UserInfoKey.readOnly.flag(in: relationship.userInfo) == true
    let isCoreData = context.configuration.optionality == .coreData
    let isOverridable = isCoreData && modifiers.contains(.final)
    func property(_ type: SwiftType, getter: String, setter: String) -> SwiftDeclaration {
        .separated(
            .variable(
                SwiftVariable(
                    documentation: documentation(of: relationship.userInfo),
                    access: isOverridable ? context.overridableAccess : context.access,
                    modifiers: isOverridable ? modifiers.subtracting([.final]) : modifiers,
                    setterAccess: isReadOnly ? .private : nil,
                    kind: .var,
                    name: name,
                    type: type,
                    getter: getter,
                    setter: setter
                )
            )
        )
    }
    guard relationship.isToMany else {
        return [
            property(
                .optional(destination),
                getter: "willAccess(\(field)); return toOne(_level.\(name), \(field))",
                setter: "setToOne(newValue, \(field))"
            )
        ]
    }
    let isOrdered = relationship.isOrdered
    let collection: SwiftType
    let toMany: SwiftDeclaration
    if isCoreData {
        collection = .foundation(isOrdered ? "NSOrderedSet" : "NSSet")
        toMany = property(
            .optional(collection),
            getter: "\(isOrdered ? "toManyOrderedSet" : "toManySet")(_level.\(name), \(field))",
            setter: "setMembers(newValue, ofMany: \(field))"
        )
    } else {
        collection = isOrdered ? .chordata("OrderedSet", destination) : .swift("Set", destination)
        toMany = property(
            collection,
            getter: "\(isOrdered ? "orderedToMany" : "toMany")(_level.\(name), \(field))",
            setter: "\(isOrdered ? "setOrderedToMany" : "setToMany")(newValue, \(field))"
        )
    }
    guard !isReadOnly else { return [toMany] }
    let value = SwiftParameter(label: "_", name: "value", type: destination)
    let values = SwiftParameter(label: "_", name: "values", type: collection)
    var functions = [
        ("addTo", [value], "add(value, toMany: \(field))"),
        ("removeFrom", [value], "remove(value, fromMany: \(field))"),
        ("addTo", [values], "add(\(isCoreData ? "members: " : "")values, toMany: \(field))"),
        ("removeFrom", [values], "remove(\(isCoreData ? "members: " : "")values, fromMany: \(field))"),
    ]
    if isOrdered {
        let one = "Swift.CollectionOfOne(index)"
        let array = SwiftType.array(destination)
        let index = SwiftParameter(label: "at", name: "index", type: .swift("Int"))
        let indexes = SwiftParameter(
            label: "at",
            name: "indexes",
            type: .foundation(isCoreData ? "NSIndexSet" : "IndexSet")
        )
        let several = isCoreData ? "Swift.Array(indexes)" : "indexes"
        functions += [
            ("insertInto", [value, index], "insert([value], at: \(one), toMany: \(field))"),
            ("removeFrom", [index], "remove(at: \(one), fromMany: \(field))"),
            (
                "insertInto", [SwiftParameter(label: "_", name: "values", type: array), indexes],
                "insert(values, at: \(several), toMany: \(field))"
            ),
            ("removeFrom", [indexes], "remove(at: \(several), fromMany: \(field))"),
            (
                "replace", [index, SwiftParameter(label: "with", name: "value", type: destination)],
                "replace(at: \(one), with: [value], inMany: \(field))"
            ),
            (
                "replace", [indexes, SwiftParameter(label: "with", name: "values", type: array)],
                "replace(at: \(several), with: values, inMany: \(field))"
            ),
        ]
    }
    return [toMany]
        + functions.map { prefix, parameters, body in
            .separated(
                .function(
                    SwiftFunction(
                        access: context.access,
                        modifiers: modifiers,
                        kind: .function(namer.accessorName(prefix, relationship.name)),
                        parameters: parameters,
                        body: [body]
                    )
                )
            )
        }
}

/// Returns the doc comment that user info specifies.
func documentation(of userInfo: [String: String]) -> [String] {
    func lines(_ key: UserInfoKey) -> [String] {
        key.value(in: userInfo)?.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
            ?? []
    }
    let summary = lines(.documentation)
    let discussion = lines(.discussion)
    return summary + (summary.isEmpty || discussion.isEmpty ? [] : [""]) + discussion
}
