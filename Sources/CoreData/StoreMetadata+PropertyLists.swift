#if !canImport(Darwin)
    internal import Chordata
    internal import Foundation

    // Custom metadata of a store consists of strings; other values are stored as property lists in a string.

    /// The prefix of a string that has a property list in Base64: an array with the value.
    private let propertyListPrefix = "plist:"

    extension StoreMetadata {
        /// The metadata with Core Data's keys, and the program's own.
        var dictionary: [String: Any] {
            var dictionary = notes.mapValues { propertyListValue(of: $0) }
            dictionary[NSStoreTypeKey] = NSSQLiteStoreType
            dictionary[NSStoreUUIDKey] = storeUUID.uuidString
            dictionary[NSStoreModelVersionHashesKey] = entityHashes.mapValues { Data($0.utf8) }
            dictionary[NSStoreModelVersionIdentifiersKey] = [versionName]
            return dictionary
        }

        /// Returns a Boolean value that indicates whether the store itself sets the value of a key.
        func isReserved(_ key: String) -> Bool {
            [NSStoreTypeKey, NSStoreUUIDKey, NSStoreModelVersionHashesKey, NSStoreModelVersionIdentifiersKey].contains(
                key
            )
        }
    }

    /// Returns the string for a value of metadata; `nil` for a value that is not a valid property list.
    func metadataText(of value: Any) throws -> String? {
        // The string is readable in the store, and has the form in which Chordata sets it.
        if let text = value as? String, !text.hasPrefix(propertyListPrefix) { return text }
        let list = [value]
        guard PropertyListSerialization.propertyList(list, isValidFor: .binary) else { return nil }
        let data = try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
        return propertyListPrefix + data.base64EncodedString()
    }

    /// Returns the value of a string; the string itself if another program has written one that is not a valid property
    /// list.
    private func propertyListValue(of text: String) -> Any {
        guard text.hasPrefix(propertyListPrefix),
            let data = Data(base64Encoded: String(text.dropFirst(propertyListPrefix.count)))
        else { return text }
        do {
            let list = try PropertyListSerialization.propertyList(from: data, format: nil)
            return (list as? [Any])?.first ?? text
        } catch {
            return text
        }
    }
#endif
