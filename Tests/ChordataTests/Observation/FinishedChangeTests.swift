import ChordataTestStores

// Only the toolchain for Linux makes notifications after a change available.
#if os(Linux)
    import Chordata
    @_spi(SwiftUI) import Observation
    import Synchronization
    import ChordataTestSupport
    import Testing

    /// Registrars are notified after a change, too.
    struct FinishedChangeTests {
        private let container: PersistentContainer
        private let context: ManagedObjectContext
        private let ann: Player

        init() throws {
            container = try LeagueModel.definition.testContainer(at: ":memory:")
            context = container.newContext()
            context.automaticallyMergesChangesFromParent = true
            context.isObservationEnabled = true
            ann = Player(context: context, name: "Ann")
            try context.save()
        }

        /// The names that the player has after each change that a closure makes.
        private func names(_ body: () throws -> Void) rethrows -> [String] {
            let seen = Mutex<[String]>([])
            nonisolated(unsafe) let ann = ann
            withObservationTracking({ _ = ann.name }, didSet: { _ in seen.withLock { $0.append(ann.name) } })
            try body()
            return seen.withLock { $0 }
        }

        @Test func changesAreFinishedByTheNextChangeOrTheEvent() throws {
            expectEqual(names { ann.name = "Anna" }, [])
            context.processPendingChanges()
            let next = names {
                ann.name = "Hannah"
                ann.willChangeValue(forKey: "name")
            }
            expectEqual(next, ["Hannah"])
            context.processPendingChanges()
            let event = names {
                ann.name = "Ann"
                context.processPendingChanges()
            }
            expectEqual(event, ["Ann"])
        }

        @Test func afterAMerge() throws {
            let merged = try names {
                let other = container.newContext()
                try other.existingObject(with: ObjectID(ann)).name = "Anna"
                try other.save()
                context.processPendingChanges()
            }
            expectEqual(merged, ["Anna"])
        }
    }
#endif
