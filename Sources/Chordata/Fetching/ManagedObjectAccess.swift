internal import ChordataModel
internal import ChordataPredicate
internal import ChordataSQL

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Reads managed objects for predicates; the position of a field in memory is looked up once per predicate.
struct ManagedObjectAccess: PredicateAccess {
    let schema: StoreSchema
    /// A Boolean value that indicates whether bytes of side tables are read; otherwise only their existence is known,
    /// which is sufficient for conditions.
    var loadsExternalData = false

    private func field(named name: String, of entityName: String) -> Field {
        guard let field = schema.runtimeEntity(named: entityName)?.field(named: name) else {
            preconditionFailure("'\(entityName)' has no field '\(name)'")
        }
        return field
    }

    /// The field of an attribute, or of a leaf of a composite.
    private func field(of path: BoundKeyPath) -> Field? {
        let name = path.attributePath.joined(separator: ".")
        return name.isEmpty ? nil : schema.runtimeEntity(named: path.targetEntityName)?.field(named: name)
    }

    func attribute(of path: BoundKeyPath) -> (AnyObject) -> AttributeValue? {
        guard let field = field(of: path) else { return { _ in nil } }
        let kind = field.kind
        let place = FieldPlace(field)
        let loadsExternalData = loadsExternalData && kind.base == .external
        return { object in
            guard let address = place.address(in: object) else { return nil }
            if loadsExternalData { managed(object).loadExternalData(place.index) }
            let value = attributeValue(kind, at: address)
            return value?.isNotANumber == true ? nil : value
        }
    }

    func integer(of path: BoundKeyPath) -> ((AnyObject) -> Int64?)? {
        guard let field = field(of: path) else { return nil }
        let place = FieldPlace(field)
        switch (field.kind.base, field.kind.isOptional) {
        case (.int16, false): return { object in place.load(Int16.self, of: object).map { Int64($0) } }
        case (.int16, true): return { object in place.load(Int16?.self, of: object).flatMap { $0.map { Int64($0) } } }
        case (.int32, false): return { object in place.load(Int32.self, of: object).map { Int64($0) } }
        case (.int32, true): return { object in place.load(Int32?.self, of: object).flatMap { $0.map { Int64($0) } } }
        case (.int64, false): return { object in place.load(Int64.self, of: object) }
        case (.int64, true): return { object in place.load(Int64?.self, of: object) ?? nil }
        case (.bool, false): return { object in place.load(Bool.self, of: object).map { $0 ? 1 : 0 } }
        case (.bool, true): return { object in place.load(Bool?.self, of: object).flatMap { $0.map { $0 ? 1 : 0 } } }
        case (.double, _), (.float, _), (.string, _), (.date, _), (.uuid, _), (.url, _), (.data, _), (.decimal, _),
            (.encoded, _), (.external, _), (.any, _), (.toOne, _), (.toMany, _), (.objectID, _):
            return nil
        }
    }

    func double(of path: BoundKeyPath) -> ((AnyObject) -> Double?)? {
        guard let field = field(of: path) else { return nil }
        let place = FieldPlace(field)
        switch (field.kind.base, field.kind.isOptional) {
        case (.double, false): return { object in present(place.load(Double.self, of: object)) }
        case (.double, true): return { object in present(place.load(Double?.self, of: object) ?? nil) }
        case (.float, false): return { object in present(place.load(Float.self, of: object).map { Double($0) }) }
        case (.float, true):
            return { object in present(place.load(Float?.self, of: object).flatMap { $0.map { Double($0) } }) }
        case (.date, false):
            return { object in present(place.load(Date.self, of: object)?.timeIntervalSinceReferenceDate) }
        case (.date, true):
            return { object in
                present((place.load(Date?.self, of: object) ?? nil)?.timeIntervalSinceReferenceDate)
            }
        case (.int16, _), (.int32, _), (.int64, _), (.bool, _), (.string, _), (.uuid, _), (.url, _), (.data, _),
            (.decimal, _), (.encoded, _), (.external, _), (.any, _), (.toOne, _), (.toMany, _), (.objectID, _):
            return nil
        }
    }

    func string(of path: BoundKeyPath) -> ((AnyObject) -> String?)? {
        guard let field = field(of: path), field.kind.base == .string else { return nil }
        let place = FieldPlace(field)
        if field.kind.isOptional { return { object in place.load(String?.self, of: object) ?? nil } }
        return { object in place.load(String.self, of: object) }
    }

    func toOne(_ relationship: RelationshipDescription, of entityName: String) -> (AnyObject) -> AnyObject? {
        let field = field(named: relationship.name, of: entityName)
        let place = FieldPlace(field)
        return { object in
            let object = managed(object)
            object.willAccess(place.index)
            let reference = place.pointer(ToOneSlot.self, in: object)
            if reference.pointee.object != nil || reference.pointee.key == 0 { return reference.pointee.object }
            return object.managedObjectContext?.editor.realizeToOne(of: object, field: place.index)
        }
    }

    func toOneKey(_ relationship: RelationshipDescription, of entityName: String) -> (AnyObject) -> Int64? {
        let place = FieldPlace(field(named: relationship.name, of: entityName))
        return { object in
            let object = managed(object)
            object.willAccess(place.index)
            let key = place.pointer(ToOneSlot.self, in: object).pointee.key
            return key == 0 ? nil : key
        }
    }

    func toMany(_ relationship: RelationshipDescription, of entityName: String) -> (AnyObject) -> [AnyObject] {
        let place = FieldPlace(field(named: relationship.name, of: entityName))
        return { object in
            let object = managed(object)
            let storage =
                place.pointer(ToManySlot.self, in: object).pointee.storage
                ?? object.managedObjectContext?.editor.realizeToMany(of: object, field: place.index)
            return storage?.array ?? []
        }
    }

    func fullText(_ search: BoundFullText) -> (AnyObject) throws(FetchPredicateError) -> Bool {
        let readers = search.attributes.map { string(of: $0) ?? { _ in nil } }
        guard let index = schema.mapping.fullTextIndex(of: search.entityName) else {
            preconditionFailure("'\(search.entityName)' has no full-text index")
        }
        let matcher = FullTextMatcher(index, search.query)
        return { object throws(FetchPredicateError) in try matcher.matches(readers.map { $0(object) }) }
    }

    func entityName(of object: AnyObject) -> String { managed(object).runtimeEntity.entity.name }

    func key(of object: AnyObject) -> Int64 { managed(object).key }
}

/// The location of a field in the memory of objects.
private struct FieldPlace {
    let index: Int
    private let offset: Int
    private let isOptional: Bool

    init(_ field: Field) {
        index = field.index
        offset = field.offset
        isOptional = field.kind.isOptional
    }

    /// Returns the address of the field; `nil` if a required attribute was never set, whatever its getter returns.
    @inline(__always)
    func address(in object: AnyObject) -> UnsafeRawPointer? {
        let object = managed(object)
        object.willAccess(index)
        if !isOptional, let changes = object.changes, changes.unset.contains(index) { return nil }
        return UnsafeRawPointer(object.fieldBase + offset)
    }

    /// Returns the value of a field of the given type.
    @inline(__always)
    func load<Value>(_ type: Value.Type, of object: AnyObject) -> Value? {
        address(in: object)?.assumingMemoryBound(to: Value.self).pointee
    }

    @inline(__always)
    func pointer<Value>(_ type: Value.Type, in object: ManagedObject) -> UnsafePointer<Value> {
        UnsafePointer((object.fieldBase + offset).assumingMemoryBound(to: Value.self))
    }
}

/// Returns an object as a managed object: the evaluators of this module are passed only managed objects.
@inline(__always)
private func managed(_ object: AnyObject) -> ManagedObject { unsafeDowncast(object, to: ManagedObject.self) }

/// Returns a number, or `nil` for NaN: the store has a missing value instead of NaN, so memory has one, too.
@inline(__always)
private func present(_ number: Double?) -> Double? { number.flatMap { $0.isNaN ? nil : $0 } }

extension AttributeValue {
    /// A Boolean value that indicates whether the value is NaN, or a date whose number of seconds is NaN.
    var isNotANumber: Bool { PredicateValue.attribute(self).isNotANumber }
}
