import Chordata

/// An observer of saves; several writers call it at the same time.
public protocol SaveObserver: Sendable {
    /// Called before each attempt of a save.
    func willSave(_ number: Int, of writer: Int)
    /// Called after a save that succeeded.
    func didSave(_ number: Int, of writer: Int)
}

/// One of the writers that save at the same time.
struct SharedWriter<Observer: SaveObserver>: Sendable {
    let writer: Int
    let plan: Plan
    let container: PersistentContainer
    let observer: Observer

    /// Performs the remaining saves: with one context, or with a context for each save.
    func perform(savesAfter count: Int) async throws {
        guard count < plan.count else { return }
        let numbers = count + 1...plan.count
        if writer.isMultiple(of: 2) {
            try await container.performBackgroundTask { context in
                for number in numbers { try await perform(number, context) }
            }
        } else {
            for number in numbers {
                try await container.performBackgroundTask { context in try await perform(number, context) }
            }
        }
    }

    private func perform(_ number: Int, _ context: ManagedObjectContext) async throws {
        let editor = AlbumEditor(context, writer: writer)
        let save = plan.saves[number - 1]
        switch save.means {
        case .values:
            observer.willSave(number, of: writer)
            try editor.insertValues(save.changes)
        case .objects:
            while true {
                for change in save.changes { try editor.perform(change) }
                if plan.increments(number) { try editor.increment() }
                observer.willSave(number, of: writer)
                do {
                    try await context.save()
                    break
                } catch is SaveConflictError {
                    // Another writer has incremented the counter since it was read; nothing of the save was written.
                    context.reset()
                }
            }
        }
        observer.didSave(number, of: writer)
    }
}
