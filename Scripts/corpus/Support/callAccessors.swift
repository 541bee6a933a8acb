import Chordata
import Foundation

extension Row {
    /// Calls each generated function of a to-many, compares its effect with that of the same operation on a list, and
    /// then restores the previous state.
    public func call<Member: ManagedObject>(_ accessors: SetAccessors<Member>, declaredBy entityName: String) {
        let members = members(accessors.name, of: Member.self)
        let check = MembersCheck(accessors.name, of: accessors.owner, members, declaredBy: entityName, self)
        func step(_ function: String, _ expected: [Member]) {
            check.step(function, Array(accessors.get()), expected, count: accessors.count(), isOrdered: false)
        }
        guard let first = members.first else { return report.fail("\(entityName).\(accessors.name) has no members") }
        // The objects were read from the store, which does not have transient relationships.
        if isTransient(accessors.name) { accessors.set(Set(members)) }
        step("count", members)
        accessors.remove(first)
        step("removeFrom(_:)", Array(members.dropFirst()))
        accessors.add(first)
        step("addTo(_:)", members)
        accessors.removeAll(Set(members))
        step("removeFrom(_: Set)", [])
        accessors.addAll(Set(members))
        step("addTo(_: Set)", members)
        accessors.set(Set(members.dropLast()))
        step("set", members.dropLast())
        accessors.set(Set(members))
        step("set", members)
    }

    /// Calls each generated function of an ordered to-many, compares its effect with that of the same operation on a
    /// list, and then restores the previous state.
    public func call<Member: ManagedObject>(_ accessors: OrderedSetAccessors<Member>, declaredBy entityName: String) {
        let members = members(accessors.name, of: Member.self)
        let check = MembersCheck(accessors.name, of: accessors.owner, members, declaredBy: entityName, self)
        var list = members
        func step(_ function: String) {
            check.step(function, Array(accessors.get()), list, count: accessors.count(), isOrdered: true)
        }
        guard let first = members.first, let last = members.last else {
            return report.fail("\(entityName).\(accessors.name) has no members")
        }
        if isTransient(accessors.name) { accessors.set(OrderedSet(members)) }
        step("count")
        accessors.remove(first)
        list.removeFirst()
        step("removeFrom(_:)")
        accessors.add(first)
        list.append(first)
        step("addTo(_:)")
        accessors.removeAt(0)
        let removed = list.removeFirst()
        step("removeFrom(at:)")
        accessors.insert(removed, list.count / 2)
        list.insert(removed, at: list.count / 2)
        step("insertInto(_:at:)")
        accessors.removeAll([first, last])
        list.removeAll { $0 === first || $0 === last }
        step("removeFrom(_: Set)")
        let both: OrderedSet = [last, first]
        accessors.addAll(both)
        list += both
        step("addTo(_: Set)")
        accessors.removeAllAt(IndexSet(integersIn: 0..<list.count))
        list = []
        step("removeFrom(at: IndexSet)")
        accessors.insertAll(members, IndexSet(integersIn: 0..<members.count))
        list = members
        step("insertInto(_:at: IndexSet)")
        callReplacing(
            accessors,
            members,
            step: { function, expected in
                list = expected
                step(function)
            }
        )
        accessors.set(OrderedSet(members.reversed()))
        list = members.reversed()
        step("set")
        accessors.set(OrderedSet(members))
        list = members
        step("set")
    }

    private func callReplacing<Member: ManagedObject>(
        _ accessors: OrderedSetAccessors<Member>,
        _ members: [Member],
        step: (String, [Member]) -> Void
    ) {
        guard members.count > 1 else {
            accessors.replace(0, members[0])
            step("replace(at:with:)", members)
            accessors.replaceAll([0], members)
            return step("replace(at: IndexSet, with:)", members)
        }
        accessors.remove(members[0])
        accessors.replace(0, members[0])
        step("replace(at:with:)", [members[0]] + members.dropFirst(2))
        accessors.set(OrderedSet(members))
        let swapped = [members[1], members[0]]
        accessors.replaceAll([0, 1], swapped)
        step("replace(at: IndexSet, with:)", swapped + members.dropFirst(2))
    }
}

/// Compares a to-many and the inverses of its members after each step.
private struct MembersCheck<Member: ManagedObject> {
    let name: String
    let owner: ManagedObject
    let members: [Member]
    let entityName: String
    let row: Row
    let inverse: String?

    init(_ name: String, of owner: ManagedObject, _ members: [Member], declaredBy entityName: String, _ row: Row) {
        self.name = name
        self.owner = owner
        self.members = members
        self.entityName = entityName
        self.row = row
        inverse = row.entity.relationships.first { $0.name == name }?.inverse
    }

    func step(_ function: String, _ actual: [Member], _ expected: [Member], count: Int, isOrdered: Bool) {
        let label = "\(entityName).\(name).\(function)"
        if function != "count" && function != "set" { row.report.called(label) }
        let isSame = isOrdered ? actual == expected : actual.count == expected.count && Set(actual) == Set(expected)
        row.report.expect(isSame, "\(label): \(actual.map(\.objectID.key)) instead of \(expected.map(\.objectID.key))")
        row.report.expect(
            count == expected.count,
            "\(label): \(count) members are counted instead of \(expected.count)"
        )
        guard let inverse else { return }
        for member in members {
            let isRelated = expected.contains(member)
            let found: Bool =
                switch member.value(forKey: inverse) {
                case let objects as any Sequence: contains(objects)
                case let object as ManagedObject: object === owner
                default: false
                }
            row.report.expect(
                found == isRelated,
                "\(label): the inverse '\(inverse)' of \(member.objectID) is not in step"
            )
        }
    }

    private func contains(_ objects: some Sequence) -> Bool { objects.contains { $0 as? ManagedObject === owner } }
}
