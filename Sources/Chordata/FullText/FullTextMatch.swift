internal import ChordataPredicate
internal import ChordataSQL

/// An object that matches a full-text query, with its rank.
public struct FullTextMatch<Object: ManagedObject> {
    /// The object.
    public let object: Object
    /// The rank of the object among the matching objects: FTS5's `bm25`; smaller values are better.
    ///
    /// The rank is computed from the saved texts. It is `nil` if the saved texts do not match, if the object is new,
    /// and in a store without the index, such as a store of Core Data that is opened for reading.
    public let rank: Double?
    let search: FullTextSearch

    /// Returns the text of an attribute with marks around the words that match the query.
    ///
    /// The text is the object's current text, with unsaved changes, without null characters. It is not escaped: to
    /// use the result in HTML, pass marks that do not occur in the text, escape the result, and replace the marks.
    /// - Parameters:
    ///   - attribute: A String attribute of the full-text index.
    ///   - start: The mark before each word or phrase.
    ///   - end: The mark after it.
    /// - Returns: The text; `nil` if the attribute is `nil`, or the object has changed and no longer matches.
    /// - Throws: ``FetchError/notInFullTextIndex(_:entityName:)`` for another attribute; ``FetchPredicateError`` if the
    ///   text cannot be searched.
    public func highlighted<Value>(
        _ attribute: KeyPath<Object, Value>,
        start: String = "<b>",
        end: String = "</b>"
    ) throws -> String? {
        try search.highlight(SortKey(attribute), of: object, start, end)
    }

    /// Returns the text of an attribute by name; see ``highlighted(_:start:end:)-(KeyPath<Object,Value>,_,_)``.
    public func highlighted(_ attribute: String, start: String = "<b>", end: String = "</b>") throws -> String? {
        try search.highlight(SortKey(attribute), of: object, start, end)
    }

    /// Returns the part of an attribute's text that has the most matching words, with marks around them.
    ///
    /// See ``highlighted(_:start:end:)-(KeyPath<Object,Value>,_,_)``.
    /// - Parameters:
    ///   - attribute: A String attribute of the full-text index.
    ///   - maximumWordCount: The maximum number of words; the nearest number from 1 to 64 is used.
    ///   - start: The mark before each word or phrase.
    ///   - end: The mark after it.
    ///   - ellipsis: The text that replaces the words that are omitted at the beginning or end.
    /// - Returns: The part; `nil` if the attribute is `nil`, or the object has changed and no longer matches.
    /// - Throws: The errors of ``highlighted(_:start:end:)-(KeyPath<Object,Value>,_,_)``.
    public func excerpt<Value>(
        _ attribute: KeyPath<Object, Value>,
        maximumWordCount: Int = 16,
        start: String = "<b>",
        end: String = "</b>",
        ellipsis: String = "…"
    ) throws -> String? {
        try search.excerpt(SortKey(attribute), of: object, start, end, ellipsis, maximumWordCount)
    }

    /// Returns the part of an attribute's text by name; see
    /// ``excerpt(_:maximumWordCount:start:end:ellipsis:)-(KeyPath<Object,Value>,_,_,_,_)``.
    public func excerpt(
        _ attribute: String,
        maximumWordCount: Int = 16,
        start: String = "<b>",
        end: String = "</b>",
        ellipsis: String = "…"
    ) throws -> String? {
        try search.excerpt(SortKey(attribute), of: object, start, end, ellipsis, maximumWordCount)
    }
}

@available(*, unavailable)
extension FullTextMatch: Sendable {}

/// A search that is repeated in memory for each object, to find the positions of the words.
final class FullTextSearch {
    private let matcher: FullTextMatcher
    private let attributeNames: [String]
    private let entityName: String
    private let readers: [(AnyObject) -> String?]

    init(_ search: BoundFullText, in schema: StoreSchema) {
        guard let index = schema.mapping.fullTextIndex(of: search.entityName) else {
            preconditionFailure("'\(search.entityName)' has no full-text index")
        }
        matcher = FullTextMatcher(index, search.query)
        attributeNames = index.declaration.attributeNames
        entityName = search.entityName
        let access = ManagedObjectAccess(schema: schema)
        readers = search.attributes.map { access.string(of: $0) ?? { _ in nil } }
    }

    func highlight(_ key: SortKey, of object: ManagedObject, _ start: String, _ end: String) throws -> String? {
        try matcher.highlight(try place(of: key), of: texts(of: object), start, end)
    }

    func excerpt(
        _ key: SortKey,
        of object: ManagedObject,
        _ start: String,
        _ end: String,
        _ ellipsis: String,
        _ wordCount: Int
    ) throws -> String? {
        let place = try place(of: key)
        let texts = texts(of: object)
        return try matcher.excerpt(place, of: texts, start, end, ellipsis: ellipsis, wordCount: wordCount)
    }

    private func texts(of object: ManagedObject) -> [String?] { readers.map { $0(object) } }

    private func place(of key: SortKey) throws(FetchError) -> Int {
        guard let place = attributeNames.firstIndex(of: key.path ?? "") else {
            throw .notInFullTextIndex(key.text, entityName: entityName)
        }
        return place
    }
}
