#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

extension ManagedObject {
    /// Reads the row of a fault, and the bytes of an externally stored attribute from its side table, if they are not
    /// in memory.
    @_spi(Generated)
    public final func willAccessExternal(_ field: Int) {
        willAccess(field)
        loadExternalData(field)
    }

    /// Reads the bytes of an attribute if they are in a side table and were not read.
    final func loadExternalData(_ field: Int) {
        guard let external = externalField(field), let value = external.value(at: address(of: external.field)),
            value.data == nil
        else { return }
        guard let context = managedObjectContext else {
            return external.setValue(nil, at: address(of: external.field))
        }
        context.editor.readExternalData(of: self, external)
    }

    /// Reads the bytes of all attributes that are in side tables.
    final func loadExternalData() {
        for external in runtimeEntity.externalFields { loadExternalData(external.field.index) }
    }

    final func externalField(_ field: Int) -> ExternalField? {
        runtimeEntity.externalFields.first { $0.field.index == field }
    }

    /// Returns a Boolean value that indicates whether an attribute that was set has other bytes than the store; reads
    /// the stored bytes only if their number is the same.
    final func hasOtherExternalData(_ external: ExternalField, than committed: UnsafeRawPointer) -> Bool {
        let old = external.value(at: committed)
        let new = external.value(at: address(of: external.field))
        guard let old, let new else { return (old == nil) != (new == nil) }
        guard old.count == new.count, let data = new.data else { return old.count != new.count }
        return managedObjectContext?.editor.committedExternalData(of: self, external) != data
    }
}
