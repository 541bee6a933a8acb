import Chordata
import Foundation

private func withContext(_ body: (ManagedObjectContext) throws -> Double) throws -> Double {
    let path = FileManager.default.temporaryDirectory.appending(path: "growth-\(UUID().uuidString).sqlite").path
    defer {
        // The store may have no log.
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    }
    let context = try GrowthModel.container(at: path).newContext()
    return try body(context)
}

private func seconds(_ body: () throws -> Void) rethrows -> Double {
    let start = ContinuousClock.now
    try body()
    return (ContinuousClock.now - start) / .seconds(1)
}

private func insertTracks(_ count: Int, _ context: ManagedObjectContext) -> [Track] {
    (0..<count).map { Track(context: context, key: "\($0)", title: "t\($0)") }
}

func measureUpserts(_ size: Int) throws -> Double {
    try withContext { context in
        context.mergePolicy = .mergeByPropertyObjectTrump
        _ = insertTracks(size, context)
        try context.save()
        for track in insertTracks(size, context) { track.title = "again" }
        return try seconds { try context.save() }
    }
}

func measureInsertions(_ size: Int) throws -> Double {
    try withContext { context in
        let album = Album(context: context, name: "a")
        album.order = .init(insertTracks(size, context))
        try context.save()
        let new = (0..<100).map { Track(context: context, key: "new \($0)", title: "new") }
        _ = album.order.count
        return seconds { for track in new { album.insertIntoOrder(track, at: 0) } }
    }
}

func measureEvents(_ size: Int) throws -> Double {
    try withContext { context in
        let tag = Tag(context: context, word: "red")
        let tracks = insertTracks(size, context)
        try context.save()
        let request = try Track.fetchRequest().where(format: "NONE tags.word == 'hidden'").sorted(by: \.title)
        let list = FetchedResultsController(fetchRequest: request, managedObjectContext: context)
        try list.performFetch()
        let changes = list.changes
        tracks[0].title = "first"
        context.processPendingChanges()
        let taken = seconds {
            tracks[1].addToTags(tag)
            context.processPendingChanges()
            tag.word = "blue"
            context.processPendingChanges()
        }
        withExtendedLifetime((list, changes)) {}
        return taken
    }
}

func measureConditions(_ size: Int) throws -> Double {
    try withContext { context in
        let albums = (0..<4).map { Album(context: context, name: "\($0)") }
        for (number, track) in insertTracks(size, context).enumerated() { track.album = albums[number % 4] }
        try context.save()
        let request = try Track.fetchRequest().where(format: "ANY album.tracks.title == 't7'")
        return try seconds { _ = try context.count(for: request) }
    }
}

func measureConditionsInMemory(_ size: Int) throws -> Double {
    try withContext { context in
        let albums = (0..<4).map { Album(context: context, name: "\($0)") }
        for (number, track) in insertTracks(size, context).enumerated() { track.album = albums[number % 4] }
        let request = try Track.fetchRequest().where(format: "ANY album.tracks.title == 't7'")
        return try seconds { _ = try context.fetch(request) }
    }
}

func measureMembers(_ size: Int) throws -> Double {
    try withContext { context in
        let (album, other) = (Album(context: context, name: "a"), Album(context: context, name: "b"))
        let tracks = insertTracks(size, context)
        for track in tracks { track.album = album }
        try context.save()
        _ = album.tracks.count
        _ = other.tracks.count
        return try seconds {
            tracks[size / 2].album = other
            try context.save()
        }
    }
}

func measurePairs(_ size: Int) throws -> Double {
    try withContext { context in
        let tag = Tag(context: context, word: "red")
        let tracks = insertTracks(size, context)
        let rest = Track(context: context, key: "rest", title: "rest")
        for track in tracks { tag.addToTracks(track) }
        try context.save()
        _ = tag.tracks.count
        return try seconds {
            tag.addToTracks(rest)
            tag.removeFromTracks(tracks[0])
            try context.save()
        }
    }
}

func measureOrder(_ size: Int) throws -> Double {
    try withContext { context in
        let album = Album(context: context, name: "a")
        album.order = .init(insertTracks(size, context))
        let rest = Track(context: context, key: "rest", title: "rest")
        try context.save()
        return try seconds {
            album.addToOrder(rest)
            try context.save()
        }
    }
}
