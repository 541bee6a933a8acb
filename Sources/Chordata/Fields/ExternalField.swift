internal import ChordataModel
internal import ChordataSQL

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// An attribute whose bytes are in a side table: its field in the object, and the statements that read and write the
/// bytes.
package struct ExternalField: Sendable {
    package let field: Field
    /// The statements that read and write the bytes.
    package let statements: ExternalDataStatements

    init?(_ field: Field, of mapping: EntityMapping, _ dialect: any SQLDialect) {
        guard field.kind.base == .external, let name = mapping.attribute(at: [field.name])?.externalTableName else {
            return nil
        }
        self.field = field
        statements = ExternalDataStatements(table: name, owner: mapping.tableName, dialect)
    }

    // MARK: Memory, of an object, a block or a snapshot

    /// The value at an address; `nil` for no value.
    package func value(at address: UnsafeRawPointer) -> ExternalData? {
        field.kind.isOptional
            ? address.assumingMemoryBound(to: ExternalData?.self).pointee
            : address.assumingMemoryBound(to: ExternalData.self).pointee
    }

    /// Replaces the value at an address; `nil` sets a required attribute to empty data.
    func setValue(_ value: ExternalData?, at address: UnsafeMutableRawPointer) {
        if field.kind.isOptional {
            address.assumingMemoryBound(to: ExternalData?.self).pointee = value
        } else {
            address.assumingMemoryBound(to: ExternalData.self).pointee = value ?? .zero
        }
    }

    /// Releases the bytes at an address, which can be read again.
    func unload(at address: UnsafeMutableRawPointer) {
        guard var value = value(at: address) else { return }
        value.unload()
        setValue(value, at: address)
    }
}
