import Harness

/// The files of a folder: the contents that are certainly on the disk, and the changes that the operating system may
/// not have written yet.
///
/// Changes of a file are on the disk after the file was synced, and names after the folder was synced. It is not
/// assumed that a synced file has its name.
struct SimulatedDisk {
    /// A change of a file that may or may not be on the disk.
    enum Change {
        case write(offset: Int, bytes: Range<Int>)
        case truncate(Int)
    }

    struct File {
        var durable: [UInt8] = []
        var pending: [Change] = []
    }

    /// A change of the folder; a rename is one, because it is atomic in file systems.
    private struct Naming {
        let links: [(name: String, file: UInt32?)]
    }

    private let bytes: [UInt8]
    private var files: [UInt32: File] = [:]
    private var durableNames: [String: UInt32] = [:]
    private var pendingNames: [Naming] = []
    /// The names as the program sees them.
    private var names: [String: UInt32] = [:]

    init(bytes: [UInt8]) { self.bytes = bytes }

    /// A Boolean value that indicates whether everything is on the disk.
    var isAllDurable: Bool { pendingNames.isEmpty && files.values.allSatisfy(\.pending.isEmpty) }

    mutating func perform(_ operation: Recording.Operation) {
        switch operation {
        case .create(let file, let name):
            files[file] = File()
            rename([(name, file)])
        case .write(let file, let offset, let bytes): files[file]?.pending.append(.write(offset: offset, bytes: bytes))
        case .truncate(let file, let size): files[file]?.pending.append(.truncate(size))
        case .sync(let file):
            guard var synced = files.removeValue(forKey: file) else { return }
            for change in synced.pending { apply(change, to: &synced.durable) }
            synced.pending = []
            files[file] = synced
        case .syncFolder:
            durableNames = names
            pendingNames = []
            files = files.filter { file in names.values.contains(file.key) }
        case .unlink(let name): rename([(name, nil)])
        case .rename(let from, let to): rename([(to, names[from]), (from, nil)])
        case .acknowledge: break
        }
    }

    private mutating func rename(_ links: [(name: String, file: UInt32?)]) {
        for link in links { names[link.name] = link.file }
        pendingNames.append(Naming(links: links))
    }

    // MARK: Crashing

    /// Returns the files that may exist if the power is cut now.
    func crash(_ damage: Damage, _ random: inout RandomSource) -> [String: [UInt8]] {
        var surviving = durableNames
        for naming in keptNamings(damage, &random) {
            for link in naming.links { surviving[link.name] = link.file }
        }
        var result: [String: [UInt8]] = [:]
        for (name, file) in surviving.sorted(by: { $0.key < $1.key }) {
            guard let file = files[file] else { continue }
            let own = damage == .mixed ? Damage.ofFiles.randomElement(using: &random) ?? .nothingKept : damage
            result[name] = content(of: file, own, &random)
        }
        return result
    }

    private func keptNamings(_ damage: Damage, _ random: inout RandomSource) -> [Naming] {
        switch damage {
        case .nothingKept: return []
        case .everythingKept: return pendingNames
        case .prefix: return Array(pendingNames.prefix(Int.random(in: 0...pendingNames.count, using: &random)))
        case .subset, .tornAt512, .tornAt4096, .mixed: return pendingNames.filter { _ in random.oneIn(2) }
        }
    }

    private func content(of file: File, _ damage: Damage, _ random: inout RandomSource) -> [UInt8] {
        var content = file.durable
        switch damage {
        case .nothingKept: break
        case .everythingKept: for change in file.pending { apply(change, to: &content) }
        case .prefix, .mixed:
            let count = Int.random(in: 0...file.pending.count, using: &random)
            for change in file.pending.prefix(count) { apply(change, to: &content) }
        case .subset: for change in file.pending where random.oneIn(2) { apply(change, to: &content) }
        case .tornAt512: tear(file.pending, sector: 512, &content, &random)
        case .tornAt4096: tear(file.pending, sector: 4_096, &content, &random)
        }
        return content
    }

    /// Gives each sector a random prefix of the changes that affect it.
    private func tear(_ changes: [Change], sector size: Int, _ content: inout [UInt8], _ random: inout RandomSource) {
        var counts: [Int: Int] = [:]
        for case .write(let offset, let bytes) in changes {
            for sector in sectors(offset, bytes.count, size) { counts[sector, default: 0] += 1 }
        }
        var left: [Int: Int] = [:]
        for (sector, count) in counts.sorted(by: { $0.key < $1.key }) {
            // All changes or none, twice as often as a number in between.
            left[sector] =
                random.oneIn(3) ? Int.random(in: 0...count, using: &random) : random.oneIn(2) ? count : 0
        }
        for change in changes {
            switch change {
            case .truncate: if random.oneIn(2) { apply(change, to: &content) }
            case .write(let offset, let bytes):
                for sector in sectors(offset, bytes.count, size) {
                    guard let count = left[sector], count > 0 else { continue }
                    left[sector] = count - 1
                    let start = max(offset, sector * size)
                    let end = min(offset + bytes.count, (sector + 1) * size)
                    let source = bytes.lowerBound + start - offset
                    apply(.write(offset: start, bytes: source..<source + end - start), to: &content)
                }
            }
        }
    }

    private func sectors(_ offset: Int, _ count: Int, _ size: Int) -> Range<Int> {
        offset / size..<(offset + count + size - 1) / size
    }

    private func apply(_ change: Change, to content: inout [UInt8]) {
        switch change {
        case .truncate(let size): resize(&content, to: size)
        case .write(let offset, let range):
            if content.count < offset + range.count { resize(&content, to: offset + range.count) }
            content.withUnsafeMutableBytes { target in
                bytes.withUnsafeBytes { source in
                    target[offset..<offset + range.count].copyBytes(from: source[range])
                }
            }
        }
    }

    private func resize(_ content: inout [UInt8], to size: Int) {
        if content.count > size {
            content.removeLast(content.count - size)
        } else {
            content.append(contentsOf: repeatElement(0, count: size - content.count))
        }
    }
}
