internal import CChordataPostgres
internal import Chordata

/// Converts the values of rows in the binary format to cells.
///
/// The cells of a row are valid until the next row, or until the decoder is released.
final class CellDecoder {
    private let types: [PostgresType]
    private let values: UnsafeMutableBufferPointer<chordata_pg_cell>
    let cells: UnsafeMutableBufferPointer<StoreCell>
    /// The texts of the decimals of the current row.
    private var texts: [UnsafeMutableRawBufferPointer] = []

    /// - Parameter types: The type of each column.
    /// - Throws: ``WireError/unsupportedType(_:)``
    init(typeNumbers: [UInt32]) throws(WireError) {
        var types: [PostgresType] = []
        for number in typeNumbers {
            guard let type = PostgresType(rawValue: number) else { throw .unsupportedType(number) }
            types.append(type)
        }
        self.types = types
        values = .allocate(capacity: types.count)
        values.initialize(repeating: chordata_pg_cell(start: nil, count: 0))
        cells = .allocate(capacity: types.count)
        cells.initialize(repeating: .null)
    }

    deinit {
        freeTexts()
        values.deallocate()
        cells.deallocate()
    }

    /// Decodes a row of a result, whose memory must exist as long as the cells are used.
    func decode(_ result: OpaquePointer, row: Int32) throws(WireError) {
        chordata_pg_cells(result, row, Int32(types.count), values.baseAddress)
        try decode()
    }

    /// Decodes a row of values; `nil` is NULL.
    func decode(_ row: [UnsafeRawBufferPointer?]) throws(WireError) {
        for (index, bytes) in row.enumerated() {
            // An empty buffer can have no address.
            let start = bytes.map { $0.baseAddress ?? UnsafeRawPointer(values.baseAddress!) }
            values[index] = chordata_pg_cell(
                start: start?.assumingMemoryBound(to: UInt8.self),
                count: Int32(bytes?.count ?? 0)
            )
        }
        try decode()
    }

    private func decode() throws(WireError) {
        if !texts.isEmpty { freeTexts() }
        for column in types.indices {
            let value = values[column]
            guard let start = value.start else {
                cells[column] = .null
                continue
            }
            cells[column] = try cell(UnsafeRawBufferPointer(start: start, count: Int(value.count)), types[column])
        }
    }

    private func cell(_ bytes: UnsafeRawBufferPointer, _ type: PostgresType) throws(WireError) -> StoreCell {
        switch type {
        case .integer64, .transactionID: .integer(try number(bytes, type))
        case .integer32: .integer(Int64(try number(bytes, type) as Int32))
        case .integer16: .integer(Int64(try number(bytes, type) as Int16))
        case .objectID: .integer(Int64(try number(bytes, type) as UInt32))
        case .boolean: .integer(try number(bytes, type) as UInt8 == 0 ? 0 : 1)
        case .real64: .real(Double(bitPattern: try number(bytes, type)))
        case .real32: .real(Double(Float(bitPattern: try number(bytes, type))))
        case .text, .name, .variableText, .unknown: .text(bytes)
        case .numeric: .text(keep(try decimalText(ofNumeric: bytes)))
        case .bytes: .blob(bytes)
        case .void: .null
        case .uuid:
            if bytes.count == 16 { .blob(bytes) } else { throw .malformed(.uuid) }
        case .unspecified, .booleans, .byteArrays, .texts, .integers64, .reals64, .numerics, .uuids:
            throw .unsupportedType(type.rawValue)
        }
    }

    private func number<Number: FixedWidthInteger & BitwiseCopyable>(
        _ bytes: UnsafeRawBufferPointer,
        _ type: PostgresType
    ) throws(WireError) -> Number {
        guard bytes.count == MemoryLayout<Number>.size else { throw .malformed(type) }
        return bytes.number(at: 0, as: Number.self)
    }

    private func keep(_ text: [UInt8]) -> UnsafeRawBufferPointer {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: text.count, alignment: 1)
        memory.copyBytes(from: text)
        texts.append(memory)
        return UnsafeRawBufferPointer(memory)
    }

    private func freeTexts() {
        for text in texts { text.deallocate() }
        texts.removeAll(keepingCapacity: true)
    }
}
