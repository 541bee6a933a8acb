/// The bytes of an outgoing message, in network byte order.
struct WireBuffer {
    private(set) var bytes: [UInt8] = []

    mutating func append(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func append(bytes other: some Sequence<UInt8>) { bytes.append(contentsOf: other) }
}

extension UnsafeRawBufferPointer {
    /// The number at an offset, which is in network byte order.
    func number<Number: FixedWidthInteger & BitwiseCopyable>(at offset: Int, as type: Number.Type) -> Number {
        Number(bigEndian: loadUnaligned(fromByteOffset: offset, as: Number.self))
    }
}
