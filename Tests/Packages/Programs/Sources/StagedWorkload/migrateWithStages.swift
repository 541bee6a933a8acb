public import Chordata

/// Migrates the store of a folder from 'Albums' to 'Albums 2' as the program of that version does, except that stages
/// of the program migrate the captions in batches and the titles of all objects at once, with the same result.
public func migrateWithStages(storeAt path: String, synchronous: StoreOptions.Synchronous) throws {
    let captions = MigrationStage.batched(
        from: "Albums",
        to: "Albums 2",
        entityName: "Photo",
        attributeNames: ["caption"],
        batchSize: 4
    ) { photo in
        ["caption": photo.value(forKey: "caption") as? String ?? "untitled"]
    }
    let titles = MigrationStage.custom(
        from: "Albums",
        to: "Albums 2",
        didMigrate: { migration in
            for album in try migration.objects.fetch(FetchRequest<ManagedObject>(entityName: "Album")) {
                album.setValue(try migration.previousValue(forKey: "name", of: album), forKey: "title")
            }
        }
    )
    let options = StoreOptions(synchronous: synchronous, migrationStages: [captions, titles])
    try MigrationManager(model: AlbumsModel.definition, path: path, options: options).migrateStore()
}
