import Chordata

extension MigrationStage {
    /// A stage that computes `givenName` and `familyName` of 'Contacts 3' from `name` of 'Contacts 2'.
    static let splitNames = MigrationStage.custom(
        from: "Contacts 2",
        to: "Contacts 3",
        didMigrate: { migration in
            // The objects are those of 'Contacts 3', where `name` is not a property any more.
            for person in try migration.objects.fetch(FetchRequest<ManagedObject>(entityName: "Person")) {
                let name = try migration.previousValue(forKey: "name", of: person) as? String ?? ""
                let (givenName, familyName) = splitName(name)
                person.setValue(givenName, forKey: "givenName")
                person.setValue(familyName, forKey: "familyName")
            }
        }
    )
}

/// Splits a name before its last word; a single word is the given name.
private func splitName(_ name: String) -> (givenName: String, familyName: String) {
    let words = name.split(separator: " ")
    guard words.count > 1, let last = words.last else { return (name, "") }
    return (words.dropLast().joined(separator: " "), String(last))
}
