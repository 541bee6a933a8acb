import ChordataModel
import ChordataPredicate
import ChordataSQL
import ChordataVerification
import Foundation

/// Edits of attributes; each tells whether it could be made.
extension World {
    private func anyAttribute(where isWanted: (AttributeDescription) -> Bool = { _ in true }) -> [(String, Int)] {
        entities.flatMap { entity in
            entity.declaredAttributes.indices.filter { index in
                let attribute = entity.declaredAttributes[index]
                return !touched.contains(attribute.name) && isWanted(attribute)
            }.map { (entity.name, $0) }
        }
    }

    private mutating func set(_ attribute: AttributeDescription, _ index: Int, of name: String) {
        var attributes = entity(name).declaredAttributes
        attributes[index] = attribute
        change(name, attributes: attributes)
    }

    /// Takes the values of an attribute from objects, its elements' too.
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
        var attribute = entity(name).declaredAttributes[index]
        let old = attribute
        attribute.name = fresh("a")
        set(attribute, index, of: name)
        touched.insert(attribute.name)
        rename(old, to: attribute, in: name)
        story.append("rename attribute \(old.name) of \(name) to \(attribute.name)")
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

    /// Two attributes of an entity change names, which their identifiers tell.
    mutating func swapAttributes() -> Bool {
        let candidates = entities.filter { $0.declaredAttributes.count > 1 }.map(\.name)
        guard let name = candidates.randomElement(using: &random) else { return false }
        var attributes = entity(name).declaredAttributes
        attributes.shuffle(using: &random)
        guard touched.isDisjoint(with: [attributes[0].name, attributes[1].name]) else { return false }
        touched.formUnion([attributes[0].name, attributes[1].name])
        let (first, second) = (attributes[0], attributes[1])
        var (newFirst, newSecond) = (first, second)
        (newFirst.name, newSecond.name) = (second.name, first.name)
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

    /// Other types: numbers become numbers, everything else needs a stage.
    mutating func retypeAttribute() -> Bool {
        let candidates = anyAttribute { $0.attributeType != .composite && !$0.isTransient }
        guard let (name, index) = candidates.randomElement(using: &random) else { return false }
        var attribute = entity(name).declaredAttributes[index]
        let old = attribute.attributeType
        let integers: [AttributeType] = [.integer16, .integer32, .integer64]
        let numbers = integers + [.double, .float]
        attribute.attributeType = random.pick(numbers.contains(old) && !random.chance(6) ? numbers : Self.types)
        guard attribute.attributeType != old else { return false }
        attribute.allowsExternalBinaryDataStorage = false
        attribute.defaultValue = attribute.defaultValue.map { _ in random.value(of: attribute.attributeType) }
        set(attribute, index, of: name)
        touched.insert(attribute.name)
        let new = attribute.attributeType
        if numbers.contains(old), numbers.contains(new) || integers.contains(old) && new == .decimal {
            forEachObject(of: name) { object in
                object.values[attribute.name] =
                    switch (object.values[attribute.name], new) {
                    case (.integer(let integer), .double), (.integer(let integer), .float): .real(Double(integer))
                    case (.integer(let integer), .decimal): .text("\(integer)")
                    case (.real(let real), .integer16), (.real(let real), .integer32), (.real(let real), .integer64):
                        .integer(Int64(real))
                    case (let value, _): value
                    }
            }
        }
        story.append("change \(attribute.name) of \(name) from \(old) to \(new)")
        return true
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

    // MARK: Along the hierarchy

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
        give(attribute, to: above, butNotTo: name)
        for index in objects.indices where isKind(objects[index].entityName, of: name) {
            objects[index].values = had[index].values
        }
        story.append("move \(attribute.name) from \(name) up to \(above)")
        return true
    }

    /// As ``give(_:to:)``, where some have it already.
    private mutating func give(_ attribute: AttributeDescription, to name: String, butNotTo other: String) {
        for leaf in attribute.leaves where !leaf.attribute.isTransient {
            let path = leaf.path.joined(separator: ".")
            let standard =
                leaf.attribute.isOptional
                ? SQLValue.null : leaf.attribute.defaultValue.map { SQLValue(.attribute($0)) } ?? .null
            forEachObject(of: name) { $0.values[path] = standard }
        }
    }

    mutating func moveAttributeDown() -> Bool {
        let candidates = anyAttribute().filter { family($0.0).count > 1 }
        guard let (name, index) = candidates.randomElement(using: &random),
            let below = family(name).dropFirst().filter({ $0 != name }).randomElement(using: &random)
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
