import Harness

/// All saves of a writer, and the contents of the store after each; the seed determines everything.
public struct Plan: Sendable {
    /// The seed of all values.
    public let seed: UInt64
    let saves: [PlannedSave]
    /// The digests by number of saves, from none to all.
    private let digests: [UInt64]
    /// The contents after all saves.
    let content: Content

    /// The number of saves.
    public var count: Int { saves.count }

    /// Plans a number of saves.
    public init(seed: UInt64, count: Int) {
        self.seed = seed
        var planner = Planner(seed: seed)
        var saves: [PlannedSave] = []
        var digests = [planner.content.digest]
        for index in 1...max(count, 1) {
            saves.append(planner.nextSave(index))
            digests.append(planner.content.digest)
        }
        self.saves = saves
        self.digests = digests
        content = planner.content
    }

    /// Plans one save, after which the store has the contents that a number of saves would have left.
    public init(seed: UInt64, merging count: Int) {
        let plan = Plan(seed: seed, count: count)
        self.seed = seed
        saves = [PlannedSave(changes: plan.saves.flatMap(\.changes))]
        digests = [plan.digests[0], plan.digests[plan.count]]
        content = plan.content
    }

    /// Returns the number of saves after which a store has these contents, or `nil` if it never has them.
    public func saveCount(of digest: UInt64) -> Int? { digests.firstIndex(of: digest) }

    /// Returns whether a save of one of several writers increments their counter.
    func increments(_ number: Int) -> Bool {
        saves[number - 1].means == .objects && mix(seed &+ UInt64(number)).isMultiple(of: 3)
    }
}

/// Generates saves that are valid for the current contents.
private struct Planner {
    private(set) var content = Content()
    private var random: RandomSource
    private var nextNumber = 1
    /// A Boolean value that indicates whether the plan, as a quarter of all plans, writes so much that SQLite
    /// checkpoints its log in between (1,000 pages).
    private let isHeavy: Bool
    private var save = PlannedSave()

    init(seed: UInt64) {
        random = RandomSource(seed: seed)
        isHeavy = random.oneIn(4)
    }

    mutating func nextSave(_ index: Int) -> PlannedSave {
        save = PlannedSave()
        save.opensAnew = index > 1 && random.oneIn(10)
        let isEmpty = content.photos.count < 4 || content.albums.count < 2 || content.tags.isEmpty
        switch isEmpty ? 0 : Int.random(in: 0..<10, using: &random) {
        case 0, 1, 2: insert(index)
        case 3, 4: insertValues(index)
        case 5, 6: update(index)
        case 7: delete()
        case 8: relate()
        default:
            insert(index)
            update(index)
            relate()
            delete()
        }
        // A save that changes nothing could not be distinguished from the previous one.
        if save.changes.count < 2 { insert(index) }
        return save
    }

    private mutating func change(_ change: Change) {
        content.apply(change)
        save.changes.append(change)
    }

    private mutating func newNumber() -> Int {
        nextNumber += 1
        return nextNumber - 1
    }

    /// Returns a random number from a collection, which is sorted first, because the order of sets and dictionaries
    /// differs between processes.
    private mutating func pick(_ numbers: some Collection<Int>) -> Int? {
        numbers.sorted().randomElement(using: &random)
    }

    private mutating func image() -> Image? {
        guard random.oneIn(4) else { return nil }
        let sizes = isHeavy ? [700, 20_000, 150_000, 400_000] : [0, 90, 700, 5_000, 30_000]
        return Image(seed: random.next(), count: sizes.randomElement(using: &random) ?? 0)
    }

    private mutating func photo(_ number: Int, _ index: Int) -> Content.Photo {
        Content.Photo(
            caption: "photo \(number), save \(index)" + (random.oneIn(10) ? String(repeating: "…", count: 900) : ""),
            image: image(),
            album: random.oneIn(5) ? nil : pick(content.albums.keys)
        )
    }

    private mutating func insert(_ index: Int) {
        let album = newNumber()
        change(.insertAlbum(album, title: "album of save \(index)"))
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            let tag = newNumber()
            change(.insertTag(tag))
            change(.addTag(tag, album: album))
        }
        for _ in 0..<Int.random(in: 2...25, using: &random) {
            let number = newNumber()
            change(.insertPhoto(number, photo(number, index)))
        }
    }

    private mutating func insertValues(_ index: Int) {
        save.means = .values
        for _ in 0..<Int.random(in: 2...60, using: &random) {
            let number = newNumber()
            change(.insertPhoto(number, photo(number, index)))
        }
    }

    private mutating func update(_ index: Int) {
        for _ in 0..<Int.random(in: 2...20, using: &random) {
            if let photo = pick(content.photos.keys) { change(.setCaption(photo, "changed by save \(index)")) }
        }
        for _ in 0..<3 {
            if let photo = pick(content.photos.keys) { change(.setImage(photo, image())) }
        }
        if let album = pick(content.albums.keys) { change(.setTitle(album, "renamed by save \(index)")) }
    }

    private mutating func delete() {
        for _ in 0..<Int.random(in: 1...8, using: &random) {
            if let photo = pick(content.photos.keys) { change(.deletePhoto(photo)) }
        }
        if content.albums.count > 2, let album = pick(content.albums.keys) { change(.deleteAlbum(album)) }
        if content.tags.count > 4, let tag = pick(content.tags) { change(.deleteTag(tag)) }
    }

    private mutating func relate() {
        for _ in 0..<4 {
            if let photo = pick(content.photos.keys) { change(.movePhoto(photo, album: pick(content.albums.keys))) }
            guard let album = pick(content.albums.keys), let tag = pick(content.tags) else { continue }
            change(
                content.albums[album]?.tags.contains(tag) == true
                    ? .removeTag(tag, album: album) : .addTag(tag, album: album)
            )
        }
        // This makes the contents new, whatever else was changed.
        if let album = pick(content.albums.keys) { change(.setTitle(album, "related \(newNumber())")) }
    }
}
