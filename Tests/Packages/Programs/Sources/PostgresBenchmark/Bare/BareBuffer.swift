import Foundation

/// Bytes in PostgreSQL's binary format: the arguments of a statement, or the rows of a COPY.
final class BareBuffer {
    private(set) var bytes = UnsafeMutableRawPointer.allocate(byteCount: 1 << 16, alignment: 16)
    private(set) var count = 0
    /// The offset of each argument.
    private(set) var arguments: [Int] = []
    private var capacity = 1 << 16

    deinit { bytes.deallocate() }

    /// Removes all bytes.
    func removeAll() {
        count = 0
        arguments.removeAll(keepingCapacity: true)
    }

    /// Begins the next argument.
    func beginArgument() { arguments.append(count) }

    /// Begins an argument that is an array; the elements follow.
    func beginArray(of type: UInt32, count: Int) {
        beginArgument()
        // The number of dimensions, a flag for NULL, the type, the number of elements, and the first index.
        addBytes(of: Int32(1))
        addBytes(of: Int32(1))
        addBytes(of: type)
        addBytes(of: Int32(count))
        addBytes(of: Int32(1))
    }

    /// Appends a number in network byte order.
    @inline(__always)
    func addBytes<Number: FixedWidthInteger>(of number: Number) {
        reserve(MemoryLayout<Number>.size)
        bytes.storeBytes(of: number.bigEndian, toByteOffset: count, as: Number.self)
        count += MemoryLayout<Number>.size
    }

    /// Appends a text without its length.
    func addBytes(of text: String) {
        var text = text
        text.withUTF8 { add(UnsafeRawBufferPointer($0)) }
    }

    // MARK: Elements of arrays, and columns of rows, which begin with their lengths

    @inline(__always)
    func add(_ number: Int64) {
        addBytes(of: Int32(8))
        addBytes(of: number)
    }

    @inline(__always)
    func add(_ number: Double) { add(Int64(bitPattern: number.bitPattern)) }

    @inline(__always)
    func add(_ flag: Bool) {
        addBytes(of: Int32(1))
        addBytes(of: UInt8(flag ? 1 : 0))
    }

    @inline(__always)
    func add(_ uuid: UUID) {
        addBytes(of: Int32(16))
        withUnsafeBytes(of: uuid.uuid) { add($0) }
    }

    @inline(__always)
    func add(_ text: String?) {
        guard var text else { return addBytes(of: Int32(-1)) }
        text.withUTF8 {
            addBytes(of: Int32($0.count))
            add(UnsafeRawBufferPointer($0))
        }
    }

    @inline(__always)
    private func add(_ other: UnsafeRawBufferPointer) {
        reserve(other.count)
        UnsafeMutableRawBufferPointer(start: bytes + count, count: other.count).copyMemory(from: other)
        count += other.count
    }

    @inline(__always)
    private func reserve(_ more: Int) {
        if count + more > capacity { grow(to: count + more) }
    }

    private func grow(to needed: Int) {
        capacity = max(needed, capacity * 2)
        let new = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
        new.copyMemory(from: bytes, byteCount: count)
        bytes.deallocate()
        bytes = new
    }
}
