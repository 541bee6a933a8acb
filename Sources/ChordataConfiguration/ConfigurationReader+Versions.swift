internal import ChordataDiagnostics

// The settings of a configuration for the versions of a model.

extension ConfigurationReader {
    mutating func readVersions(_ value: JSONSyntax) -> [VersionSetting]? {
        guard case .array(let items) = value.value else {
            typeMismatch(
                "'versions' must be an array of the model's versions, oldest first, not \(value.kind)",
                at: value
            )
            return nil
        }
        var versions: [VersionSetting] = []
        for item in items {
            guard let version = readVersion(item) else { continue }
            guard !versions.contains(where: { $0.name == version.name }) else {
                typeMismatch("version '\(shortened(version.name))' is listed twice; remove one", at: item)
                continue
            }
            versions.append(version)
        }
        return versions
    }

    private mutating func readVersion(_ value: JSONSyntax) -> VersionSetting? {
        guard case .string(let name) = value.value else {
            typeMismatch("a version must be a string, its name, not \(value.kind)", at: value)
            return nil
        }
        guard !name.hasSuffix(".xcdatamodel") else {
            typeMismatch("the name of a version must not end with '.xcdatamodel'; remove the ending", at: value)
            return nil
        }
        return VersionSetting(name: name, location: value.location)
    }

    private static let migrationKeys = ["gaps"]
    private static let gapKeys = ["from", "to"]

    mutating func readMigrations(_ value: JSONSyntax) {
        for member in members(of: value, "'migrations' must be an object such as '{\"gaps\": []}'") {
            switch member.key {
            case "gaps":
                configuration.migrationGapsLocation = member.keyLocation
                readGaps(member.value)
            default: unknownKey(member, among: Self.migrationKeys)
            }
        }
    }

    private mutating func readGaps(_ value: JSONSyntax) {
        guard case .array(let items) = value.value else {
            typeMismatch(
                "'gaps' must be an array of steps, such as '{\"from\": \"A\", \"to\": \"B\"}', not \(value.kind)",
                at: value
            )
            return
        }
        for item in items {
            var source: VersionSetting?
            var destination: VersionSetting?
            let expectation = "a gap must be an object with the names of two versions, 'from' and 'to'"
            let members = members(of: item, expectation)
            for member in members {
                switch member.key {
                case "from": source = readVersion(member.value)
                case "to": destination = readVersion(member.value)
                default: unknownKey(member, among: Self.gapKeys)
                }
            }
            if let source, let destination {
                configuration.migrationGaps.append(MigrationGapSetting(source: source, destination: destination))
            } else if case .object = item.value,
                Self.gapKeys.contains(where: { key in !members.contains { $0.key == key } })
            {
                typeMismatch("\(expectation); write both", at: item)
            }
        }
    }
}
