import Testing

@testable import Chordata

/// What a context reads within an event is one state of the store.
struct ReadTransactionTests {
    private func withTwoTeams(_ body: (PersistentContainer, [ManagedObjectID]) throws -> Void) throws {
        try withStorePath { path in
            let container = try LeagueModel.container(at: path)
            let context = container.newContext()
            let teams = [Team(context: context, name: "Reds"), Team(context: context, name: "Blues")]
            try context.save()
            try body(container, teams.map(\.objectID))
        }
    }

    private func rename(_ id: ManagedObjectID, to name: String, in container: PersistentContainer) throws {
        let context = container.newContext()
        (try context.existingObject(with: id) as? Team)?.name = name
        try context.save()
    }

    @Test func anEventSeesOneState() throws {
        try withTwoTeams { container, ids in
            let context = container.newContext()
            try context.performAndWait {
                let first = try #require(try context.existingObject(with: ids[0]) as? Team)
                try rename(ids[1], to: "Greens", in: container)
                let second = try #require(
                    try context.performAndWait { try context.existingObject(with: ids[1]) } as? Team
                )
                #expect(first.name == "Reds" && second.name == "Blues")
                context.refresh(second, mergeChanges: false)
                #expect(second.name == "Greens")
                try rename(ids[0], to: "Whites", in: container)
                context.processPendingChanges()
                context.refreshAllObjects()
                #expect(first.name == "Whites")
                try rename(ids[1], to: "Blacks", in: container)
                context.refreshAllObjects()
                #expect(second.name == "Blacks")
                try rename(ids[1], to: "Yellows", in: container)
            }
            #expect(try context.count(for: Team.fetchRequest().where(\.name == "Yellows")) == 1)
        }
    }

    @Test func withoutEventsEachReadSeesTheNewest() throws {
        try withTwoTeams { container, ids in
            let context = container.newContext()
            _ = try context.existingObject(with: ids[0])
            try rename(ids[1], to: "Greens", in: container)
            #expect((try context.existingObject(with: ids[1]) as? Team)?.name == "Greens")
        }
    }

    @Test func aSaveWithinAnEventIsSeenByIt() throws {
        try withTwoTeams { container, ids in
            let context = container.newContext()
            context.endsEvents = true
            _ = try context.existingObject(with: ids[0])
            _ = Player(context: context, name: "Ann")
            try context.save()
            context.reset()
            #expect(try context.count(for: Player.fetchRequest()) == 1)
        }
    }

    @Test func aContextThatEndsGivesItsConnectionBack() throws {
        try withTwoTeams { container, ids in
            let sqlite = try #require(container.persistentStoreCoordinator.persistentStores.first).sqlite
            for _ in 0..<3 {
                let context = container.newContext()
                context.endsEvents = true
                _ = try context.existingObject(with: ids[0])
            }
            #expect(sqlite.idleReaderCount == 1)
        }
    }
}
