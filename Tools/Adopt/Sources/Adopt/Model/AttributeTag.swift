/// The start tag of an attribute in the file of a model.
struct AttributeTag {
    let entity: String
    let attribute: String
    /// The place of the tag.
    let offset: Int
    /// The place after the last XML attribute, and the quotation mark of that XML attribute.
    let end: (offset: Int, quote: UInt8)
    /// The value of `usesScalarValueType` between its quotation marks.
    let scalarValue: Range<Int>?

    /// Returns the change that sets `usesScalarValueType` to a value.
    func edit(_ value: String) -> Edit {
        if let scalarValue { return .replace(scalarValue, with: value) }
        let quote = String(UnicodeScalar(end.quote))
        return .replace(end.offset..<end.offset, with: " usesScalarValueType=\(quote)\(value)\(quote)")
    }
}
