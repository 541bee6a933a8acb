import Chordata
import Foundation

/// The generated functions of an unordered to-many of an object.
public struct SetAccessors<Member: ManagedObject> {
    let name: String
    let owner: ManagedObject
    let get: () -> Set<Member>
    let set: (Set<Member>) -> Void
    let count: () -> Int
    let add: (Member) -> Void
    let remove: (Member) -> Void
    let addAll: (Set<Member>) -> Void
    let removeAll: (Set<Member>) -> Void

    /// Gathers them.
    public init(
        _ name: String,
        of owner: ManagedObject,
        get: @escaping () -> Set<Member>,
        set: @escaping (Set<Member>) -> Void,
        count: @escaping () -> Int,
        add: @escaping (Member) -> Void,
        remove: @escaping (Member) -> Void,
        addAll: @escaping (Set<Member>) -> Void,
        removeAll: @escaping (Set<Member>) -> Void
    ) {
        self.name = name
        self.owner = owner
        self.get = get
        self.set = set
        self.count = count
        self.add = add
        self.remove = remove
        self.addAll = addAll
        self.removeAll = removeAll
    }
}

/// The generated functions of an ordered to-many of an object.
public struct OrderedSetAccessors<Member: ManagedObject> {
    let name: String
    let owner: ManagedObject
    let get: () -> OrderedSet<Member>
    let set: (OrderedSet<Member>) -> Void
    let count: () -> Int
    let add: (Member) -> Void
    let remove: (Member) -> Void
    let addAll: (OrderedSet<Member>) -> Void
    let removeAll: (OrderedSet<Member>) -> Void
    let insert: (Member, Int) -> Void
    let insertAll: ([Member], IndexSet) -> Void
    let removeAt: (Int) -> Void
    let removeAllAt: (IndexSet) -> Void
    let replace: (Int, Member) -> Void
    let replaceAll: (IndexSet, [Member]) -> Void

    /// Gathers them.
    public init(
        _ name: String,
        of owner: ManagedObject,
        get: @escaping () -> OrderedSet<Member>,
        set: @escaping (OrderedSet<Member>) -> Void,
        count: @escaping () -> Int,
        add: @escaping (Member) -> Void,
        remove: @escaping (Member) -> Void,
        addAll: @escaping (OrderedSet<Member>) -> Void,
        removeAll: @escaping (OrderedSet<Member>) -> Void,
        insert: @escaping (Member, Int) -> Void,
        insertAll: @escaping ([Member], IndexSet) -> Void,
        removeAt: @escaping (Int) -> Void,
        removeAllAt: @escaping (IndexSet) -> Void,
        replace: @escaping (Int, Member) -> Void,
        replaceAll: @escaping (IndexSet, [Member]) -> Void
    ) {
        self.name = name
        self.owner = owner
        self.get = get
        self.set = set
        self.count = count
        self.add = add
        self.remove = remove
        self.addAll = addAll
        self.removeAll = removeAll
        self.insert = insert
        self.insertAll = insertAll
        self.removeAt = removeAt
        self.removeAllAt = removeAllAt
        self.replace = replace
        self.replaceAll = replaceAll
    }
}
