internal import ChordataModel
package import ChordataSQL

/// The objects of a store as plain values, regardless of the tables in which they are stored.
package struct StoreContents: Sendable, Equatable {
    package struct Object: Sendable, Equatable {
        package var id: Int64
        package var entityName: String
        /// Stored values by the names from the attribute down, separated by dots.
        package var values: [String: SQLValue]
        /// The names of values that are not compared: those of derived attributes, which a store computes whenever it
        /// is migrated, and those that were derived in an older version.
        package var derivedNames: Set<String> = []
        /// The objects that stored relationships reference: in their order, or in that of the keys.
        package var links: [String: [Int64]]

        package init(
            id: Int64,
            entityName: String,
            values: [String: SQLValue] = [:],
            links: [String: [Int64]] = [:]
        ) {
            self.id = id
            self.entityName = entityName
            self.values = values
            self.links = links
        }
    }

    package var objects: [Int64: Object]

    package init(_ objects: [Object] = []) {
        self.objects = Dictionary(uniqueKeysWithValues: objects.map { ($0.id, $0) })
    }

    /// The objects in the order of creation.
    var inOrder: [Object] { objects.values.sorted { $0.id < $1.id } }

    /// Returns the required attributes without a value, in words; objects without such a value cannot be saved.
    func missingValues(of model: ManagedObjectModel) -> [String] {
        let objects = Dictionary(grouping: inOrder, by: \.entityName)
        return model.entities.flatMap { entity in
            let objects = objects[entity.name] ?? []
            return entity.attributes.flatMap { $0.requiredNames() }.compactMap { name -> String? in
                let count = objects.count { ($0.values[name] ?? .null) == .null }
                guard count > 0 else { return nil }
                return "\(count) of \(objects.count) objects of '\(entity.name)' have no value for the required "
                    + "attribute '\(name)'; set a value in the SQL of the migration"
            }
        }
    }

    /// The differences from the expected state, in words.
    package func differences(from expected: StoreContents) -> [String] {
        var found: [String] = []
        for object in expected.inOrder {
            guard let own = objects[object.id] else {
                found.append("object \(object.id) of '\(object.entityName)' is missing")
                continue
            }
            if own.entityName != object.entityName {
                found.append("object \(object.id) is of '\(own.entityName)', not of '\(object.entityName)'")
            }
            let name = "object \(object.id) of '\(object.entityName)'"
            for key in Set(object.values.keys).union(own.values.keys).subtracting(object.derivedNames).sorted()
            where own.values[key] != object.values[key] {
                found.append("'\(key)' of \(name) is \(words(own.values[key])), not \(words(object.values[key]))")
            }
            for key in Set(object.links.keys).union(own.links.keys).sorted() where own.links[key] != object.links[key] {
                found.append(
                    "'\(key)' of \(name) references \(words(own.links[key])), not \(words(object.links[key]))"
                )
            }
        }
        for object in inOrder where expected.objects[object.id] == nil {
            found.append(
                "object \(object.id) of '\(object.entityName)' exists, but is not expected after the migration"
            )
        }
        return found
    }
}

extension AttributeDescription {
    /// The names of the stored values that the attribute requires: its own, or those of the elements of a composite.
    fileprivate func requiredNames(in composite: String = "") -> [String] {
        guard !isOptional, !isTransient, !isDerived else { return [] }
        let name = composite + self.name
        return elements.isEmpty ? [name] : elements.flatMap { $0.requiredNames(in: name + ".") }
    }
}

private func words(_ value: SQLValue?) -> String {
    switch value {
    case nil: "missing"
    case .null?: "NULL"
    case .integer(let integer)?: "\(integer)"
    case .real(let real)?: "\(real)"
    case .text(let text)?: sqlLiteral(text: text)
    case .blob(let bytes)? where bytes.count > 16: "\(bytes.count) bytes, \(words(.blob(bytes.prefix(16))))…"
    case .blob(let bytes)?: "x'" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "'"
    }
}

private func words(_ links: [Int64]?) -> String {
    links.map { $0.isEmpty ? "nothing" : $0.map(String.init).joined(separator: ", ") } ?? "missing"
}
