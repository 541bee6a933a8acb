/// The bytes of an outgoing message, in network byte order.
struct WireBuffer {
    private(set) var bytes: [UInt8] = []

    mutating func append(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func append(bytes other: some Sequence<UInt8>) { bytes.append(contentsOf: other) }

    /// Writes a number at an offset that was reserved by ``append(_:)``.
    mutating func replace(at offset: Int, with value: Int32) {
        withUnsafeBytes(of: value.bigEndian) { new in
            for (index, byte) in new.enumerated() { bytes[offset + index] = byte }
        }
    }

    /// Appends the bytes that a closure appends, preceded by their number.
    mutating func appendCounted(_ body: (inout WireBuffer) throws -> Void) rethrows {
        let offset = bytes.count
        append(Int32(0))
        try body(&self)
        replace(at: offset, with: Int32(bytes.count - offset - 4))
    }
}

extension UnsafeRawBufferPointer {
    /// The number at an offset, which is in network byte order.
    func number<Number: FixedWidthInteger & BitwiseCopyable>(at offset: Int, as type: Number.Type) -> Number {
        Number(bigEndian: loadUnaligned(fromByteOffset: offset, as: Number.self))
    }
}
