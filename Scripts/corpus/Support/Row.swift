import Chordata
import Foundation

/// A planned object, with the values that generated code sets and that are compared afterwards.
public final class Row {
    let number: Int
    let plan: Plan.Object
    let entity: Plan.Entity
    /// The number of the object in its store.
    public internal(set) var key: Int64 = 0
    private unowned let world: World

    init(_ number: Int, _ world: World) {
        self.number = number
        self.world = world
        plan = world.plan.objects[number]
        entity = world.plan.entities[plan.entity]
    }

    /// The report of the round trip.
    public var report: Report { world.report }
    /// A Boolean value that indicates whether the object has only its required properties.
    public var isSparse: Bool { plan.isSparse }

    private func name(_ property: String) -> String { "\(entity.name).\(property)" }

    // MARK: To set

    /// Returns whether an attribute is set now, instead of keeping its default.
    public func sets(_ name: String) -> Bool {
        plan.given.contains(name) && (world.onlyAttribute == nil || world.onlyAttribute == name)
    }

    /// The value of an attribute that has one.
    public func value<Value: PlanValue>(_ name: String) -> Value {
        guard let value: Value = optional(name) else {
            fatalError("the plan has no \(Value.self) for '\(self.name(name))': \(plan.values[name] ?? "nil")")
        }
        return value
    }

    /// The value of an attribute.
    public func optional<Value: PlanValue>(_ name: String) -> Value? {
        report.didSet(self.name(name))
        guard let text = plan.values[name] else { return nil }
        guard let value = Value(planText: text) else {
            fatalError("'\(text)' is no \(Value.self) for '\(self.name(name))'")
        }
        return value
    }

    /// The value of a Transformable attribute that has one.
    public func valueCoded<Value: Codable>(_ name: String) -> Value {
        guard let value: Value = optionalCoded(name) else {
            fatalError("the plan has no value for '\(self.name(name))'")
        }
        return value
    }

    /// The value of a Transformable attribute.
    public func optionalCoded<Value: Codable>(_ name: String) -> Value? {
        report.didSet(self.name(name))
        return plan.values[name].map { codedValue($0) }
    }

    /// Returns the bytes of a Transformable value, as a snapshot has them if they are stored in a side table.
    public func optionalCodedBytes(_ name: String) -> ExternalData? {
        plan.values[name].map { ExternalData(Data($0.utf8)) }
    }

    /// Returns the bytes of a Transformable value that is not missing.
    public func valueCodedBytes(_ name: String) -> ExternalData { optionalCodedBytes(name) ?? ExternalData() }

    /// Sets an attribute whose setter is available only to the class.
    public func setByKey(_ object: ManagedObject, _ name: String) {
        report.didSet(self.name(name))
        guard let attribute = entity.attributes.first(where: { $0.name == name }) else { return }
        object.setValue(plan.values[name].flatMap { keyedValue($0, kind: attribute.kind) }, forKey: name)
    }

    /// Sets a relationship whose setter is available only to the class.
    public func linkByKey(_ object: ManagedObject, _ name: String) {
        let members = members(name, of: ManagedObject.self)
        let isToMany = relationship(name)?.isToMany == true
        object.setValue(isToMany ? members : members.first, forKey: name)
    }

    private func relationship(_ name: String) -> Plan.Relationship? { entity.relationships.first { $0.name == name } }

    /// Returns whether a relationship has no members in the current comparison, because it is not stored.
    func isForgotten(_ name: String) -> Bool { isTransient(name) && !world.keepsTransients }

    /// Returns whether a relationship is kept in memory only.
    func isTransient(_ name: String) -> Bool { relationship(name)?.isTransient == true }

    /// The value of an attribute without a type.
    public func any(_ name: String) -> Any? {
        report.didSet(self.name(name))
        return plan.values[name]
    }

    /// Returns whether any leaf of a composite has a value.
    public func has(_ path: String) -> Bool { plan.values.keys.contains { $0.hasPrefix(path + ".") } }

    /// Returns whether a relationship is set from this end.
    public func links(_ name: String) -> Bool {
        guard let relationship = relationship(name) else { return false }
        return relationship.passes.contains(world.pass) && relationship.isOrdered == world.setsOrdered
    }

    /// Returns the object at the other end of a to-one, or any other object that already exists.
    public func destination<Object: ManagedObject>(_ name: String, of objectClass: Object.Type) -> Object {
        let planned = plan.links[name]?.first.flatMap { world.object($0) } as? Object
        guard let object = planned ?? world.rows.lazy.compactMap({ self.world.object($0.number) as? Object }).first
        else {
            fatalError("there is no object yet for '\(self.name(name))'")
        }
        return object
    }

    /// The objects of a relationship, in their order.
    public func members<Object: ManagedObject>(_ name: String, of objectClass: Object.Type) -> [Object] {
        (plan.links[name] ?? []).map { number in
            guard let object = world.object(number) as? Object else {
                fatalError("object \(number) of '\(self.name(name))' is missing or of another class")
            }
            return object
        }
    }

    // MARK: To compare

    /// Compares an attribute.
    public func check<Value: PlanValue>(_ name: String, _ actual: Value?) {
        let text = plan.values[name]
        if text == "now" {
            return report.compare(self.name(name), world.isNow(actual), "\(brief(actual)) is not now")
        }
        let expected = text.flatMap { Value(planText: $0) }
        let isSame =
            switch (actual, expected) {
            case (nil, nil): text == nil
            case (let actual?, let expected?): actual.isSame(as: expected)
            default: false
            }
        report.compare(self.name(name), isSame, "\(brief(actual)) instead of \(brief(text))")
    }

    /// Compares the value of a Transformable attribute.
    public func checkCoded<Value: Codable & Equatable>(_ name: String, _ actual: Value?) {
        let expected: Value? = plan.values[name].map { codedValue($0) }
        report.compare(self.name(name), actual == expected, "\(brief(actual)) instead of \(brief(expected))")
    }

    /// Compares a Transformable value that is not stored, as long as its object is in memory.
    public func checkCodedTransient<Value: Codable & Equatable>(_ name: String, _ actual: Value?) {
        if world.keepsTransients { checkCoded(name, actual) }
    }

    /// Compares the bytes of a Transformable value in a snapshot.
    public func checkCodedBytes(_ name: String, _ actual: ExternalData?) {
        let expected = plan.values[name].map { Data($0.utf8) }
        report.compare(self.name(name), actual?.data == expected, "\(brief(actual)) instead of \(brief(expected))")
    }

    /// Compares a derived attribute, which has no setter.
    public func checkDerived<Value: PlanValue>(_ name: String, _ actual: Value?) {
        report.didSet(self.name(name))
        check(name, actual)
    }

    /// Compares an attribute that is not stored, as long as its object is in memory.
    public func checkTransient<Value: PlanValue>(_ name: String, _ actual: Value?) {
        if world.keepsTransients { check(name, actual) }
    }

    /// Compares an attribute without a type.
    public func checkTransient(_ name: String, _ actual: Any?) {
        if world.keepsTransients { check(name, actual as? String) }
    }

    /// Compares a to-one.
    public func check(_ name: String, one: ManagedObject?) {
        checkKeys(name, one.map { [$0.objectID.key] } ?? [], isOrdered: true)
    }

    /// Compares a to-many.
    public func check<Member: ManagedObject>(_ name: String, many: some Sequence<Member>, isOrdered: Bool) {
        checkKeys(name, many.map(\.objectID.key), isOrdered: isOrdered)
    }

    /// Compares the row key of a to-one in a snapshot.
    public func check(_ name: String, key: Int64?) { checkKeys(name, key.map { [$0] } ?? [], isOrdered: true) }

    private func checkKeys(_ name: String, _ actual: [Int64], isOrdered: Bool) {
        if isForgotten(name) { return }
        let expected = (plan.links[name] ?? []).map { world.rows[$0].key }
        let isSame = isOrdered ? actual == expected : actual.count == expected.count && Set(actual) == Set(expected)
        // The relationship may have been set from either end.
        if !expected.isEmpty { report.didSet(self.name(name)) }
        report.compare(self.name(name), isSame, "\(actual) instead of \(expected)")
    }

    /// Compares the result of a fetched property with planned objects, if these are known.
    public func checkFetched(_ function: String, _ found: [ManagedObject], are numbers: [Int]?) {
        FetchCheck(world).check(function, found.map(\.objectID.key), are: numbers)
    }

    /// Returns the row key of the object at the other end of a to-one.
    public func linkedKey(_ name: String) -> Int64? { plan.links[name]?.first.map { world.rows[$0].key } }
}
