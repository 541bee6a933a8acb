/// A value of a binary property list that is to be written.
indirect enum PropertyListValue {
    case boolean(Bool)
    case integer(Int64)
    case real(Double)
    case data([UInt8])
    case string(String)
    case uid(Int)
    case array([PropertyListValue])
    case dictionary([(key: String, value: PropertyListValue)])
}

/// Writes a binary property list.
func writePropertyList(_ value: PropertyListValue) -> [UInt8] {
    var writer = PropertyListWriter()
    let top = writer.add(value)
    return writer.finish(top: top)
}

private struct PropertyListWriter {
    /// The bytes of each object; references are written at the end, when their size is known.
    private enum Part {
        case bytes([UInt8])
        case references(marker: [UInt8], [Int])
    }

    private var objects: [Part] = []
    private var stringIndexes: [String: Int] = [:]

    mutating func add(_ value: PropertyListValue) -> Int {
        switch value {
        case .boolean(let value): return append([value ? 9 : 8])
        case .integer(let value): return append(integer(value))
        case .real(let value): return append([0x23] + bigEndian(value.bitPattern, size: 8))
        case .data(let bytes): return append(marker(0x40, bytes.count) + bytes)
        case .string(let text):
            if let index = stringIndexes[text] { return index }
            let units = Array(text.utf16)
            let isASCII = units.allSatisfy { $0 < 0x80 }
            let bytes = isASCII ? units.map { UInt8($0) } : units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
            let index = append(marker(isASCII ? 0x50 : 0x60, units.count) + bytes)
            stringIndexes[text] = index
            return index
        case .uid(let number):
            let size = byteCount(UInt64(number))
            return append([0x80 | UInt8(size - 1)] + bigEndian(UInt64(number), size: size))
        case .array(let elements):
            let index = reserve()
            let references = elements.map { add($0) }
            objects[index] = .references(marker: marker(0xA0, elements.count), references)
            return index
        case .dictionary(let entries):
            let index = reserve()
            let keys = entries.map { add(.string($0.key)) }
            let values = entries.map { add($0.value) }
            objects[index] = .references(marker: marker(0xD0, entries.count), keys + values)
            return index
        }
    }

    func finish(top: Int) -> [UInt8] {
        let referenceSize = byteCount(UInt64(objects.count))
        var bytes = Array("bplist00".utf8)
        var offsets: [Int] = []
        for object in objects {
            offsets.append(bytes.count)
            switch object {
            case .bytes(let part): bytes += part
            case .references(let marker, let references):
                bytes += marker
                for reference in references { bytes += bigEndian(UInt64(reference), size: referenceSize) }
            }
        }
        let table = bytes.count
        let offsetSize = byteCount(UInt64(table))
        for offset in offsets { bytes += bigEndian(UInt64(offset), size: offsetSize) }
        bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
        for number in [objects.count, top, table] { bytes += bigEndian(UInt64(number), size: 8) }
        return bytes
    }

    // MARK: Parts

    private mutating func append(_ bytes: [UInt8]) -> Int {
        objects.append(.bytes(bytes))
        return objects.count - 1
    }

    private mutating func reserve() -> Int { append([]) }

    private func integer(_ value: Int64) -> [UInt8] {
        switch value {
        case 0..<0x100: [0x10] + bigEndian(UInt64(value), size: 1)
        case 0..<0x1_0000: [0x11] + bigEndian(UInt64(value), size: 2)
        case 0..<0x1_0000_0000: [0x12] + bigEndian(UInt64(value), size: 4)
        default: [0x13] + bigEndian(UInt64(bitPattern: value), size: 8)
        }
    }

    private func marker(_ kind: UInt8, _ count: Int) -> [UInt8] {
        count < 15 ? [kind | UInt8(count)] : [kind | 0xF] + integer(Int64(count))
    }

    private func byteCount(_ value: UInt64) -> Int {
        switch value {
        case 0..<0x100: 1
        case 0..<0x1_0000: 2
        case 0..<0x1_0000_0000: 4
        default: 8
        }
    }

    private func bigEndian(_ value: UInt64, size: Int) -> [UInt8] {
        (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> UInt64($0 * 8)) }
    }
}
