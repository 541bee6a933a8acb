internal import Chordata
internal import ChordataPredicate
internal import ChordataSQL
internal import Foundation

/// Adds the functions with which statements read values of Core Data's columns.
/// - Parameter externalFolder: The folder with the values that are in files.
func addImportFunctions(to connection: SQLiteConnection, externalFolder folder: String) throws(StoreError) {
    try connection.addFunction(named: ImportPlan.Function.decimal, importedDecimal)
    try connection.addFunction(named: ImportPlan.Function.url) { argument in
        guard case .text(let text) = argument, URL(string: String(decoding: text, as: UTF8.self)) != nil else {
            return .null
        }
        return .integer(1)
    }
    try connection.addFunction(named: ImportPlan.Function.externalSize) { argument in
        switch ExternalValue(argument, folder: folder) {
        case .inline(let bytes)?: .integer(Int64(bytes.count))
        case .file(let path)?: fileSize(path).map { .integer($0) } ?? .null
        case nil: .null
        }
    }
    try connection.addFunction(named: ImportPlan.Function.externalData) { argument in
        switch ExternalValue(argument, folder: folder) {
        case .inline(let bytes)?: .blob(Data(bytes))
        case .file(let path)?: FileManager.default.contents(atPath: path).map { .blob($0) } ?? .null
        case nil: .null
        }
    }
}

/// A value of an attribute that allows external storage.
private enum ExternalValue {
    case inline(UnsafeRawBufferPointer)
    case file(path: String)

    /// Reads the first byte of a value: 1 before the bytes themselves, 2 before the name of a file.
    init?(_ argument: SQLArgument, folder: String) {
        guard case .blob(let bytes) = argument, let first = bytes.first else { return nil }
        let rest = UnsafeRawBufferPointer(rebasing: bytes.dropFirst())
        switch first {
        case 1: self = .inline(rest)
        case 2:
            let name = String(decoding: rest.prefix { $0 != 0 }, as: UTF8.self)
            // Anything else could be a path.
            guard UUID(uuidString: name) != nil else { return nil }
            self = .file(path: folder + "/" + name)
        default: return nil
        }
    }
}

private func fileSize(_ path: String) -> Int64? {
    do {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return attributes[.type] as? FileAttributeType == .typeRegular
            ? (attributes[.size] as? NSNumber)?.int64Value : nil
    } catch {
        return nil  // The file is missing, which the checks report.
    }
}

/// The text of a decimal in the destination.
///
/// Core Data's columns for decimals convert a value to floating point if that preserves its first 15 digits, so the
/// shortest text for the number is the decimal that was saved.
private func importedDecimal(_ argument: SQLArgument) -> SQLValue {
    let text: String
    switch argument {
    case .integer(let integer): return .text("\(integer)")
    case .real(let number): text = "\(number)"
    case .text(let bytes): text = String(decoding: bytes, as: UTF8.self)
    case .null, .blob: return .null
    }
    return parseDecimal(text).map { .text(decimalText($0)) } ?? .null
}
