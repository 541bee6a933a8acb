internal import ChordataConfiguration
internal import ChordataModel
internal import ChordataSQL

/// The context of the passes that declare code.
struct GenerationContext {
    let model: ManagedObjectModel
    let namer: Namer
    let configuration: Configuration
    /// The access level of declarations that users see.
    let access: SwiftAccess
    /// The enumeration that represents the model.
    let modelType: String

    /// Returns the number of the first field that an entity declares itself: fields are numbered level by level from
    /// the root.
    func firstField(of entity: EntityDescription) -> Int {
        model.lineage(of: entity.name).dropLast().reduce(0) { count, level in
            level.declaredAttributes.reduce(count + level.declaredRelationships.count) { $0 + $1.leaves.count }
        }
    }

    /// The attributes that an entity declares, with the numbers of their fields.
    func attributes(of entity: EntityDescription) -> [GeneratedAttribute] {
        var field = firstField(of: entity)
        return entity.declaredAttributes.map { attribute in
            let generated = GeneratedAttribute(attribute, firstField: field, self)
            field += generated.leaves.count
            return generated
        }
    }

    /// Returns the attributes of an entity and of its superentities.
    func allAttributes(of entity: EntityDescription) -> [GeneratedAttribute] {
        model.lineage(of: entity.name).flatMap { attributes(of: $0) }
    }

    /// The class that an entity's class inherits from.
    func superclass(of entity: EntityDescription) -> SwiftType {
        if let parent = entity.superentityName { return namer.classType(of: parent) }
        // Methods that a subclass overrides must be declared in the root class.
        let isOverridden = model.subentityClosure(of: entity.name).contains { name in
            model.entity(named: name).map { namer.codeGeneration(of: $0) == .category } ?? false
        }
        return .chordata(isOverridden ? "OverridableManagedObject" : "ManagedObject")
    }

    /// Returns a Boolean value that indicates whether other classes may inherit from an entity's class.
    func hasSubclasses(_ entity: EntityDescription) -> Bool {
        !entity.subentityNames.isEmpty || namer.codeGeneration(of: entity) == .category
    }

    /// The access level of an entity's class and of its members that subclasses override.
    func classAccess(of entity: EntityDescription) -> SwiftAccess {
        access == .public && hasSubclasses(entity) ? .open : access
    }

    /// The access level of members that classes of other modules may override.
    var overridableAccess: SwiftAccess { access == .public ? .open : access }

    /// Returns a Boolean value that indicates whether the author writes a class that may override the properties of an
    /// entity's generated class.
    func hasOverridableProperties(_ entity: EntityDescription) -> Bool {
        configuration.optionality == .coreData && namer.codeGeneration(of: entity) == .category
    }

    /// The attributes of a member that only generated code and the runtime call.
    var attributesOfGeneratedMembers: [SwiftAttribute] { access == .public ? [.generatedSPI] : [] }
}
