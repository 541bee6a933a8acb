internal import CChordataSQLite

/// Returns a text in UTF-8; `nil` if the bytes are not valid.
@inline(__always)
func validatedText(_ start: UnsafePointer<UInt8>, _ count: Int) -> String? {
    let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    // Invalid UTF-8 was replaced, so the texts differ. `String(validating:as:)` would detect this, but costs 40 ns
    // per text.
    return isASCII(start, count) || isExact(text, start, count) ? text : nil
}

/// Returns a Boolean value that indicates whether no byte has its highest bit set; tests eight bytes at a time.
@inline(__always)
private func isASCII(_ start: UnsafePointer<UInt8>, _ count: Int) -> Bool {
    let bytes = UnsafeRawPointer(start)
    var all: UInt64 = 0
    var position = 0
    while position + 8 <= count {
        all |= bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)
        position += 8
    }
    if count >= 8 {
        // The last eight bytes, some of which were already tested.
        all |= bytes.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
    } else {
        while position < count {
            all |= UInt64(start[position])
            position += 1
        }
    }
    return all & 0x8080_8080_8080_8080 == 0
}

/// Returns a Boolean value that indicates whether a string has exactly these bytes.
@inline(never)
private func isExact(_ text: String, _ start: UnsafePointer<UInt8>, _ count: Int) -> Bool {
    var text = text
    return text.withUTF8 { utf8 in
        guard utf8.count == count, let address = utf8.baseAddress else { return utf8.count == count }
        return chordata_equal_bytes(address, start, count) != 0
    }
}
