public import Chordata

/// Migrates the store of a folder from 'Albums' to 'Albums 2' as the program of that version does, but the captions in
/// batches and the titles in one piece, both by the program itself, and so that the same comes of it.
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
