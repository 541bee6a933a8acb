import ChordataModel
import ChordataPredicate
import ChordataSQL
import ChordataTestSupport
import ChordataVerification
import Foundation

/// Edits of attributes; each returns whether it could be made.
extension RandomStore {
    private func anyAttribute(where isWanted: (AttributeDescription) -> Bool = { _ in true }) -> [(String, Int)] {
        entities.flatMap { entity in
            entity.declaredAttributes.indices.filter { index in
                let attribute = entity.declaredAttributes[index]
                return !touched.contains(attribute.name) && isWanted(attribute)
            }.map { (entity.name, $0) }
        }
    }

    /// Returns whether no other entity declares an attribute with this name, as an entity that left the hierarchy may
    /// do.
    private func isDeclaredOnce(_ attribute: AttributeDescription) -> Bool {
        entities.count { $0.declaredAttributes.contains { $0.name == attribute.name } } == 1
    }

    private mutating func set(_ attribute: AttributeDescription, _ index: Int, of name: String) {
        var attributes = entity(name).declaredAttributes
        attributes[index] = attribute
        change(name, attributes: attributes)
    }

    /// Removes the values of an attribute and its elements from objects.
    private mutating func drop(_ attribute: AttributeDescription, from name: String) {
        forEachObject(of: name) { object in
            for leaf in attribute.leaves { object.values[leaf.path.joined(separator: ".")] = nil }
        }
    }

    mutating func removeAttribute() -> Bool {
        guard let (name, index) = anyAttribute().randomElement(using: &random) else { return false }
        var attributes = entity(name).declaredAttributes
        let attribute = attributes.remove(at: index)
        change(name, attributes: attributes)
        drop(attribute, from: name)
        story.append("remove attribute \(attribute.name) of \(name)")
        return true
    }

    mutating func renameAttribute() -> Bool {
        guard let (name, index) = anyAttribute().randomElement(using: &random) else { return false }
        let old = entity(name).declaredAttributes[index]
        let new = rename(index, of: name)
        story.append("rename attribute \(old.name) of \(name) to \(new)")
        return true
    }

    /// Renames an attribute and gives its old name to a new attribute.
    ///
    /// The renamed attribute has its renaming identifier, and the new attribute has none or a different one.
    mutating func renameAttributeAndReuseName() -> Bool {
        guard let (name, index) = anyAttribute(where: isDeclaredOnce).randomElement(using: &random) else {
            return false
        }
        let old = entity(name).declaredAttributes[index]
        let new = rename(index, of: name)
        touched.insert(old.name)
        firstPropertyNames[old.name] = nil
        let other = AttributeDescription(
            name: old.name,
            attributeType: old.attributeType == .composite || random.chance(2)
                ? random.pick(Self.types) : old.attributeType,
            isOptional: true,
            renamingIdentifier: random.chance(2) ? fresh("a") : nil
        )
        change(name, attributes: entity(name).declaredAttributes + [other])
        give(other, to: name)
        story.append(
            "rename attribute \(old.name) of \(name) to \(new), and another one is \(other.name) (\(other.renamingIdentifier))"
        )
        return true
    }

    /// Gives an attribute a new name.
    /// - Returns: The new name.
    private mutating func rename(_ index: Int, of name: String) -> String {
        let old = entity(name).declaredAttributes[index]
        var attribute = old
        attribute.name = fresh("a")
        set(attribute, index, of: name)
        touched.insert(attribute.name)
        // An entity that left the hierarchy may still have an attribute with the old name.
        firstPropertyNames[attribute.name] = firstPropertyNames[old.name]
        rename(old, to: attribute, in: name)
        return attribute.name
    }

    /// Clears a renaming identifier that an earlier step has used, so that it is no longer needed.
    mutating func clearAttributeIdentifier() -> Bool {
        let candidates = anyAttribute { $0.renamingIdentifier != $0.name }
        guard let (name, index) = candidates.randomElement(using: &random) else { return false }
        var attribute = entity(name).declaredAttributes[index]
        attribute.renamingIdentifier = attribute.name
        set(attribute, index, of: name)
        touched.insert(attribute.name)
        story.append("clear the identifier of \(attribute.name) of \(name)")
        return true
    }

    /// Adds a uniqueness constraint for an attribute whose values are already unique.
    mutating func addUniqueness() -> Bool {
        let candidates = anyAttribute {
            !$0.isTransient && $0.attributeType != .composite && !$0.allowsExternalBinaryDataStorage
        }.filter { name, index in
            let attribute = entity(name).declaredAttributes[index].name
            let values = objects.filter { isKind($0.entityName, of: name) }.compactMap { $0.values[attribute] }
            return Set(values).subtracting([.null]).count == values.count { $0 != .null }
        }
        guard let (name, index) = candidates.randomElement(using: &random) else { return false }
        let attribute = entity(name).declaredAttributes[index].name
        change(name, constraints: entity(name).declaredUniquenessConstraints + [[attribute]])
        touched.insert(attribute)
        story.append("\(attribute) of \(name) is unique")
        return true
    }

    private mutating func rename(_ old: AttributeDescription, to new: AttributeDescription, in name: String) {
        forEachObject(of: name) { object in
            for (before, after) in zip(old.leaves, new.leaves) {
                let value = object.values.removeValue(forKey: before.path.joined(separator: "."))
                object.values[after.path.joined(separator: ".")] = value
            }
        }
    }

    /// Two attributes of an entity swap names, which their identifiers show.
    mutating func swapAttributes() -> Bool {
        let candidates = entities.filter { $0.declaredAttributes.count > 1 }.map(\.name)
        guard let name = candidates.randomElement(using: &random) else { return false }
        var attributes = entity(name).declaredAttributes
        attributes.shuffle(using: &random)
        guard touched.isDisjoint(with: [attributes[0].name, attributes[1].name]),
            isDeclaredOnce(attributes[0]), isDeclaredOnce(attributes[1])
        else { return false }
        touched.formUnion([attributes[0].name, attributes[1].name])
        let (first, second) = (attributes[0], attributes[1])
        var (newFirst, newSecond) = (first, second)
        (newFirst.name, newSecond.name) = (second.name, first.name)
        let firstNames = (firstPropertyNames[first.name], firstPropertyNames[second.name])
        (firstPropertyNames[second.name], firstPropertyNames[first.name]) = firstNames
        attributes[0] = newFirst
        attributes[1] = newSecond
        change(name, attributes: attributes)
        let between = AttributeDescription(
            name: "between",
            attributeType: first.attributeType,
            isTransient: first.isTransient,
            elements: first.elements
        )
        rename(first, to: between, in: name)
        rename(second, to: newSecond, in: name)
        rename(between, to: newFirst, in: name)
        story.append("swap attributes \(first.name) and \(second.name) of \(name)")
        return true
    }

    mutating func requireAttribute() -> Bool {
        let candidates = anyAttribute { $0.isOptional && $0.attributeType != .composite && !$0.isTransient }
        guard let (name, index) = candidates.randomElement(using: &random) else { return false }
        var attribute = entity(name).declaredAttributes[index]
        attribute.isOptional = false
        attribute.defaultValue = random.chance(10) ? nil : random.value(of: attribute.attributeType)
        set(attribute, index, of: name)
        touched.insert(attribute.name)
        if let value = attribute.defaultValue.map({ SQLValue(.attribute($0)) }) {
            forEachObject(of: name) { if $0.values[attribute.name] == .null { $0.values[attribute.name] = value } }
        }
        story.append("require \(attribute.name) of \(name), default \(String(describing: attribute.defaultValue))")
        return true
    }

    mutating func freeAttribute() -> Bool {
        let candidates = anyAttribute { !$0.isOptional }
        guard let (name, index) = candidates.randomElement(using: &random) else { return false }
        var attribute = entity(name).declaredAttributes[index]
        attribute.isOptional = true
        set(attribute, index, of: name)
        touched.insert(attribute.name)
        story.append("make \(attribute.name) of \(name) optional")
        return true
    }

    /// Changes the type of an attribute.
    ///
    /// Changes between numbers can be inferred; all others need a stage.
    mutating func retypeAttribute() -> Bool {
        retype(anyAttribute { $0.attributeType != .composite && !$0.isTransient })
    }

    mutating func retypeNumber() -> Bool {
        let numbers: [AttributeType] = [.boolean, .integer16, .integer32, .integer64, .double, .float]
        let candidates = anyAttribute { numbers.contains($0.attributeType) && !$0.isTransient }
        // Attributes with values that some types cannot represent are more interesting.
        let extreme = candidates.filter { name, index in
            let attribute = entity(name).declaredAttributes[index].name
            return objects.contains { object in
                isKind(object.entityName, of: name)
                    && object.values[attribute].map { Self.convert($0, to: .integer16) == nil } == true
            }
        }
        let types = [.integer16, .integer16, .float] + numbers
        return retype(extreme.isEmpty ? candidates : extreme, to: random.pick(types))
    }

    private mutating func retype(_ candidates: [(String, Int)], to type: AttributeType? = nil) -> Bool {
        guard let (name, index) = candidates.randomElement(using: &random) else { return false }
        var attribute = entity(name).declaredAttributes[index]
        let old = attribute.attributeType
        let integers: [AttributeType] = [.boolean, .integer16, .integer32, .integer64]
        let numbers = integers + [.double, .float]
        attribute.attributeType =
            type ?? random.pick(numbers.contains(old) && !random.chance(6) ? numbers : Self.types)
        guard attribute.attributeType != old else { return false }
        attribute.allowsExternalBinaryDataStorage = false
        attribute.defaultValue = attribute.defaultValue.map { _ in random.value(of: attribute.attributeType) }
        set(attribute, index, of: name)
        touched.insert(attribute.name)
        let new = attribute.attributeType
        if numbers.contains(old), numbers.contains(new) || integers.contains(old) && new == .decimal {
            var misfits: [(id: Int64, attribute: String)] = []
            forEachObject(of: name) { object in
                guard let value = object.values[attribute.name] else { return }
                if let converted = Self.convert(value, to: new) {
                    object.values[attribute.name] = converted
                } else {
                    misfits.append((object.id, attribute.name))
                }
            }
            self.misfits += misfits
        }
        story.append("change \(attribute.name) of \(name) from \(old) to \(new)")
        return true
    }

    /// Returns a number converted to another type, or `nil` if it does not fit.
    private static func convert(_ value: SQLValue, to type: AttributeType) -> SQLValue? {
        switch (value, type) {
        case (.integer(let integer), .double): .real(Double(integer))
        case (.integer(let integer), .float): .real(Double(Float(integer)))
        case (.integer(let integer), .decimal): .text("\(integer)")
        case (.integer(let integer), .integer16): Int16(exactly: integer).map { .integer(Int64($0)) }
        case (.integer(let integer), .integer32): Int32(exactly: integer).map { .integer(Int64($0)) }
        case (.real(let real), .float): real.isFinite && Float(real).isInfinite ? nil : .real(Double(Float(real)))
        case (.real(let real), .integer16): Int16(exactly: real.rounded(.towardZero)).map { .integer(Int64($0)) }
        case (.real(let real), .integer32): Int32(exactly: real.rounded(.towardZero)).map { .integer(Int64($0)) }
        case (.real(let real), .integer64): Int64(exactly: real.rounded(.towardZero)).map { .integer($0) }
        case (.integer(let integer), .boolean): .integer(integer == 0 ? 0 : 1)
        case (.real(let real), .boolean): .integer(real == 0 ? 0 : 1)
        case (let value, _): value
        }
    }

    mutating func toggleTransience() -> Bool {
        guard let (name, index) = anyAttribute().randomElement(using: &random) else { return false }
        var attribute = entity(name).declaredAttributes[index]
        attribute.isTransient.toggle()
        set(attribute, index, of: name)
        touched.insert(attribute.name)
        if attribute.isTransient { drop(attribute, from: name) } else { give(attribute, to: name) }
        story.append("make \(attribute.name) of \(name) \(attribute.isTransient ? "transient" : "stored")")
        return true
    }

    mutating func toggleExternalStorage() -> Bool {
        guard let (name, index) = anyAttribute(where: { $0.attributeType == .binaryData }).randomElement(using: &random)
        else {
            return false
        }
        var attribute = entity(name).declaredAttributes[index]
        attribute.allowsExternalBinaryDataStorage.toggle()
        set(attribute, index, of: name)
        touched.insert(attribute.name)
        story.append("external storage of \(attribute.name) of \(name): \(attribute.allowsExternalBinaryDataStorage)")
        return true
    }

    // MARK: Moves in the hierarchy

    mutating func moveAttributeUp() -> Bool {
        let candidates = anyAttribute().filter { entity($0.0).superentityName != nil }
        guard let (name, index) = candidates.randomElement(using: &random),
            let above = line(name).dropFirst().randomElement(using: &random)
        else { return false }
        var attributes = entity(name).declaredAttributes
        let attribute = attributes.remove(at: index)
        change(name, attributes: attributes)
        change(above, attributes: entity(above).declaredAttributes + [attribute])
        touched.insert(attribute.name)
        let had = objects
        give(attribute, to: above)
        for index in objects.indices where isKind(objects[index].entityName, of: name) {
            objects[index].values = had[index].values
        }
        story.append("move \(attribute.name) from \(name) up to \(above)")
        return true
    }

    mutating func moveAttributeDown() -> Bool {
        let candidates = anyAttribute().filter { family($0.0).count > 1 }
        guard let (name, index) = candidates.randomElement(using: &random),
            let below = family(name).filter({ $0 != name }).randomElement(using: &random)
        else { return false }
        var attributes = entity(name).declaredAttributes
        let attribute = attributes.remove(at: index)
        change(name, attributes: attributes)
        change(below, attributes: entity(below).declaredAttributes + [attribute])
        touched.insert(attribute.name)
        let names = family(name).filter { !isKind($0, of: below) }
        for index in objects.indices where names.contains(objects[index].entityName) {
            for leaf in attribute.leaves { objects[index].values[leaf.path.joined(separator: ".")] = nil }
        }
        story.append("move \(attribute.name) from \(name) down to \(below)")
        return true
    }
}
