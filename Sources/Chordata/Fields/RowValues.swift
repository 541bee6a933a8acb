internal import ChordataSQL

/// The values of the current row of a query, in the form in which an engine provides them.
///
/// Code that decodes rows is generic over the form and is specialized for each of the two forms.
protocol RowValues {
    /// Returns a Boolean value that indicates whether a column is NULL.
    func isNull(at column: Int32) -> Bool
    /// Returns the integer of a column; 0 for NULL.
    func integer(at column: Int32) -> Int64
    /// Returns the number of a column; 0 for NULL.
    func double(at column: Int32) -> Double
    /// Returns the text of a column; `nil` for NULL, and for bytes that are not UTF-8, which are recorded.
    func exactText(at column: Int32) -> String?
    /// Returns the bytes of a column, valid until the next row; `nil` for NULL.
    func bytes(at column: Int32) -> UnsafeRawBufferPointer?
    /// Returns the value of a column as it is stored; its text and bytes are valid until the next row.
    func argument(at column: Int32) -> SQLArgument
    /// Returns a Boolean value that indicates whether a column has a value that no column of a type can have.
    func isMistyped(_ column: Int32, as type: Column.StorageType) -> Bool
    /// Records that a column has a value of another type than the requested type.
    func recordUnreadable(_ column: Int32)
}
