import Chordata

/// Migrates as the mapping model from 'M' to 'M 2' did.
let mToM2 = MigrationStage.custom(
    from: "M",
    to: "M 2",
    willMigrate: { migration in
        // PersonToPerson: keep only the objects where age > 3, and delete the others.
        try migration.discard(
            try migration.objects.fetch(
                FetchRequest<ManagedObject>(entityName: "Person")
                    .where(format: "NOT (age > 3)")
            )
        )
    },
    didMigrate: { migration in
        // PersonToPerson
        for object in try migration.objects.fetch(FetchRequest<ManagedObject>(entityName: "Person")) {
            // TODO: set 'rank' to the value of an expression that only Xcode can display.
            object.setValue(try migration.previousValue(forKey: "name", of: object), forKey: "title")
        }
        // RelicToPerson
        // TODO: do the work of the migration policy 'Shop.RelicPolicy' here.
        for old in try migration.previousObjects(ofEntity: "Relic") {
            let object = EntityDescription.insertNewObject(forEntityName: "Person", into: migration.objects)
            for name in ["title"] {
                if let value = old[name] { object.setValue(value, forKey: name) }
            }
        }
    }
)
