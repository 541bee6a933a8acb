import Chordata
import Foundation

/// A planned object: what generated code sets and is compared with.
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

    /// What the round trip found.
    public var report: Report { world.report }
    /// Whether the object has only what it must have.
    public var isSparse: Bool { plan.isSparse }

    private func name(_ property: String) -> String { "\(entity.name).\(property)" }

    // MARK: To set

    /// Whether an attribute is set now, and has not its default.
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

    /// The value of an attribute without a type.
    public func any(_ name: String) -> Any? {
        report.didSet(self.name(name))
        return plan.values[name]
    }

    /// Whether any leaf of a composite has a value.
    public func has(_ path: String) -> Bool { plan.values.keys.contains { $0.hasPrefix(path + ".") } }

    /// Whether a relationship is set from this end.
    public func links(_ name: String) -> Bool {
        guard let relationship = entity.relationships.first(where: { $0.name == name }) else { return false }
        return relationship.passes.contains(world.pass) && relationship.isOrdered == world.setsOrdered
    }

    /// The object at the other end of a to-one, or any other that is there already.
    public func destination<Object: ManagedObject>(_ name: String, of objectClass: Object.Type) -> Object {
        let planned = plan.links[name]?.first.flatMap { world.object($0) } as? Object
        guard let object = planned ?? world.rows.lazy.compactMap({ self.world.object($0.number) as? Object }).first
        else {
            fatalError("there is no object yet for '\(self.name(name))'")
        }
        return object
    }

    /// The objects that a relationship leads to, in their order.
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

    /// Compares a derived attribute, which nobody sets.
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

    /// Compares the identity that a snapshot has of a to-one.
    public func check(_ name: String, key: Int64?) { checkKeys(name, key.map { [$0] } ?? [], isOrdered: true) }

    private func checkKeys(_ name: String, _ actual: [Int64], isOrdered: Bool) {
        let expected = (plan.links[name] ?? []).map { world.rows[$0].key }
        let isSame = isOrdered ? actual == expected : actual.count == expected.count && Set(actual) == Set(expected)
        // From whichever end.
        if !expected.isEmpty { report.didSet(self.name(name)) }
        report.compare(self.name(name), isSame, "\(actual) instead of \(expected)")
    }

    /// Compares what a fetched property gives with planned objects, where those are known.
    public func checkFetched(_ function: String, _ found: [ManagedObject], are numbers: [Int]?) {
        FetchCheck(world).check(function, found.map(\.objectID.key), are: numbers)
    }

    /// The key of the object at the other end of a to-one.
    public func linkedKey(_ name: String) -> Int64? { plan.links[name]?.first.map { world.rows[$0].key } }
}
