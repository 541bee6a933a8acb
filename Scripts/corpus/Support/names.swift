import Chordata

/// Returns the name that a key path has in the model.
public func name<Object: ManagedObject, Value>(of keyPath: KeyPath<Object, Value>) -> String {
    FetchRequest<Object>(entityName: "").prefetching(keyPath).relationshipKeyPathsForPrefetching.joined()
}
