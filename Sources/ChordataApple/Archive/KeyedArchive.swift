/// The objects of a keyed archive.
///
/// Archives may come from anywhere: references are followed only on request, and the number of objects that are read,
/// together with their elements, is limited.
final class KeyedArchive {
    typealias Failure = BinaryPropertyList.Failure
    typealias Index = BinaryPropertyList.Index

    /// An object with a class.
    struct Object {
        /// The number of the object, which identifies it within the archive.
        var number: Int
        var className: String
        var fields: [String: Index]
    }

    private let list: BinaryPropertyList
    private let objects: [Index]
    private let root: Index
    /// The number of objects and elements that may still be read.
    private var budget: Int

    init(_ bytes: [UInt8]) throws(Failure) {
        list = try BinaryPropertyList(bytes)
        // Archives of models have 20 objects for each property, each of which is read a few times.
        budget = min(1_000_000 + list.count * 16, 20_000_000)
        let archive = try Self.fields(of: list.top, in: list)
        guard let first = archive["$objects"], case .array(let objects) = try list.node(at: first),
            let second = archive["$top"], let root = try Self.fields(of: second, in: list).values.min()
        else { throw Failure("is not a keyed archive") }
        self.objects = objects
        self.root = root
    }

    /// The root object of the archive.
    var rootObject: Object? { get throws(Failure) { try object(root) } }

    // MARK: Values

    /// The value of a field, which may be a reference to an object of the archive; `nil` for null.
    func node(_ index: Index?) throws(Failure) -> BinaryPropertyList.Node? {
        guard let index else { return nil }
        switch try read(index) {
        case .uid(let number):
            let node = try read(try place(of: number))
            return node == .string("$null") ? nil : node
        case .other: return nil
        case let node: return node
        }
    }

    /// The number of the object that a field refers to; `nil` if its value is not a reference.
    func number(_ index: Index?) throws(Failure) -> Int? {
        guard let index, case .uid(let number) = try read(index) else { return nil }
        return number
    }

    func object(_ index: Index?) throws(Failure) -> Object? {
        guard let number = try number(index) else { return nil }
        return try object(numbered: number)
    }

    func object(numbered number: Int) throws(Failure) -> Object? {
        guard case .dictionary(let keys, let values) = try read(try place(of: number)) else { return nil }
        let fields = try fields(keys, values)
        guard let type = fields["$class"], case .dictionary(let names, let contents)? = try node(type),
            let name = try self.fields(names, contents)["$classname"], case .string(let className)? = try node(name)
        else { return nil }
        return Object(number: number, className: className, fields: fields)
    }

    func string(_ index: Index?) throws(Failure) -> String? {
        switch try node(index) {
        case .string(let text)?: return text
        case .dictionary?:
            guard let text = try object(index)?.fields["NS.string"], case .string(let text)? = try node(text) else {
                return nil
            }
            return text
        default: return nil
        }
    }

    /// Returns the string of the first field that has one.
    func string(firstOf indexes: Index?...) throws(Failure) -> String? {
        for index in indexes {
            if let text = try string(index) { return text }
        }
        return nil
    }

    func integer(_ index: Index?) throws(Failure) -> Int64? {
        switch try node(index) {
        case .integer(let value)?: value
        case .boolean(let value)?: value ? 1 : 0
        default: nil
        }
    }

    func boolean(_ index: Index?) throws(Failure) -> Bool { try integer(index).map { $0 != 0 } ?? false }

    func data(_ range: Range<Int>) -> [UInt8] { Array(list.bytes[range]) }

    // MARK: Collections

    /// The elements of an array or a set.
    func elements(_ index: Index?) throws(Failure) -> [Index] {
        guard let object = try object(index), let list = object.fields["NS.objects"],
            case .array(let elements)? = try node(list)
        else { return [] }
        return elements
    }

    /// The entries of a dictionary whose keys are strings, in the order of the archive.
    func entries(_ index: Index?) throws(Failure) -> [(key: String, value: Index)] {
        guard let object = try object(index) else { return [] }
        let keys: [Index]
        let values: [Index]
        if let mapping = object.fields["searchMapping"] {
            // This is Core Data's dictionary with a fixed set of keys; a value that is not set is a token.
            keys = try elements(try self.object(mapping)?.fields["keys"])
            values = try elements(object.fields["values"])
        } else {
            guard let first = object.fields["NS.keys"], case .array(let list)? = try node(first) else { return [] }
            keys = list
            values = try elements(index)
        }
        var entries: [(String, Index)] = []
        for (key, value) in zip(keys, values) {
            if let key = try string(key) { entries.append((key, value)) }
        }
        return entries
    }

    // MARK: Reading

    private func place(of number: Int) throws(Failure) -> Index {
        guard objects.indices.contains(number) else { throw Failure("refers to missing object \(number)") }
        return objects[number]
    }

    private func read(_ index: Index) throws(Failure) -> BinaryPropertyList.Node {
        let node = try list.node(at: index)
        switch node {
        case .array(let elements): budget -= 1 + elements.count
        case .dictionary(let keys, _): budget -= 1 + keys.count
        // Longer texts cost more to read.
        case .string(let text): budget -= 1 + text.utf8.count / 64
        default: budget -= 1
        }
        guard budget >= 0 else { throw Failure("has too many references between its objects") }
        return node
    }

    private func fields(_ keys: [Index], _ values: [Index]) throws(Failure) -> [String: Index] {
        var fields: [String: Index] = [:]
        for (key, value) in zip(keys, values) {
            if case .string(let name) = try read(key) { fields[name] = value }
        }
        return fields
    }

    private static func fields(of index: Index, in list: BinaryPropertyList) throws(Failure) -> [String: Index] {
        guard case .dictionary(let keys, let values) = try list.node(at: index), keys.count <= 16 else {
            throw Failure("is not a keyed archive")
        }
        var fields: [String: Index] = [:]
        for (key, value) in zip(keys, values) {
            if case .string(let name) = try list.node(at: key) { fields[name] = value }
        }
        return fields
    }
}
