import Chordata

/// The name by which a key path is known in the model.
public func name<Object: ManagedObject, Value>(of keyPath: KeyPath<Object, Value>) -> String {
    FetchRequest<Object>(entityName: "").prefetching(keyPath).relationshipKeyPathsForPrefetching.joined()
}
