/// Returns the Swift code for the name of a property: the case of the generated `PropertyKey`, and its `name`.
func propertyKey(_ property: String, ofClass className: String) -> String {
    "\(className).PropertyKey.\(membersOfEveryObject.contains(property) ? property + "_" : property).name"
}

/// Names to which generated code appends an underscore, because every object has such a member.
///
/// A test compares the set with that of the generator.
let membersOfEveryObject: Set<String> = [
    "objectID", "managedObjectContext", "isFault", "isInserted", "isUpdated", "isDeleted", "hasChanges",
    "entityName", "describe", "willAccess", "willAccessExternal", "willChange", "toOne", "toMany", "orderedToMany",
    "toManySet", "toManyOrderedSet", "setMembers", "attributeIsUnset", "unsetAttribute",
    "init", "fetchRequest", "predicateArgumentValue", "self", "Type", "hashValue", "Values", "PropertyKey",
    "lastPropertyKey", "Chordata", "Foundation", "Swift", "Self", "Protocol", "_level", "_Level", "unsafeDowncast",
    "hasPersistentChangedValues", "changedValues", "awakeFromInsert", "awakeFromFetch", "willSave", "didSave",
    "prepareForDeletion", "willTurnIntoFault", "didTurnIntoFault", "validateForInsert", "validateForUpdate",
    "validateForDelete", "validateInsert", "validateUpdate", "validateDelete", "entity", "description",
]
