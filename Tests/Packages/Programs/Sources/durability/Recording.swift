import Foundation
import Harness

/// The operations of a writer on the files of its folder, in their order, as `CRecorder` has recorded them.
struct Recording {
    enum Operation {
        case create(file: UInt32, name: String)
        case write(file: UInt32, offset: Int, bytes: Range<Int>)
        case truncate(file: UInt32, size: Int)
        case sync(file: UInt32)
        case syncFolder
        case unlink(name: String)
        case rename(from: String, to: String)
        case acknowledge(Acknowledgement)
    }

    let bytes: [UInt8]
    private(set) var operations: [Operation] = []

    init(contentsOf path: String) throws {
        bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        var offset = 0
        while offset < bytes.count {
            guard offset + 24 <= bytes.count else { throw HarnessError("the recording ends within an entry") }
            let (kind, file, place, length) = bytes.withUnsafeBytes { raw in
                (
                    raw.loadUnaligned(fromByteOffset: offset, as: UInt32.self),
                    raw.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self),
                    Int(raw.loadUnaligned(fromByteOffset: offset + 8, as: Int64.self)),
                    Int(raw.loadUnaligned(fromByteOffset: offset + 16, as: UInt64.self))
                )
            }
            let payload = offset + 24..<offset + 24 + length
            guard payload.upperBound <= bytes.count else { throw HarnessError("the recording ends within an entry") }
            offset = payload.upperBound
            operations += try operationsOf(kind, file, place, payload)
        }
    }

    /// The transactions of the writers.
    var groups: Acknowledgement.Groups {
        let last = operations.last { if case .acknowledge = $0 { true } else { false } }
        guard case .acknowledge(let acknowledgement) = last, let groups = acknowledgement.groups else {
            return Acknowledgement.Groups()
        }
        return groups
    }

    /// The numbers are those of `recorder_kind`.
    private func operationsOf(_ kind: UInt32, _ file: UInt32, _ place: Int, _ payload: Range<Int>) throws -> [Operation]
    {
        var text: String { String(decoding: bytes[payload], as: UTF8.self) }
        switch kind {
        case 1: return [.create(file: file, name: text)]
        case 2: return [.write(file: file, offset: place, bytes: payload)]
        case 3: return [.truncate(file: file, size: place)]
        case 4: return [.sync(file: file)]
        case 5: return [.syncFolder]
        case 6: return [.unlink(name: text)]
        case 7:
            let names = text.split(separator: "\0")
            guard names.count == 2 else { throw HarnessError("a rename has \(names.count) names") }
            return [.rename(from: String(names[0]), to: String(names[1]))]
        case 8:
            return try text.split(separator: "\n").map { line in
                guard let done = Acknowledgement(line: line) else { throw HarnessError("the writer printed '\(line)'") }
                return .acknowledge(done)
            }
        default: throw HarnessError("the recording has an entry of kind \(kind)")
        }
    }
}
