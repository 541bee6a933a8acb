package import Testing

/// Records an issue if two values are not equal.
///
/// The compiler type-checks a call of this function in a tenth of the time of `#expect(actual == expected)`.
package func expectEqual<Value: Equatable>(
    _ actual: Value,
    _ expected: Value,
    _ comment: @autoclosure () -> Comment? = nil,
    fileID: String = #fileID,
    filePath: String = #filePath,
    line: Int = #line,
    column: Int = #column
) {
    if actual == expected { return }
    let values = "\(String(reflecting: actual)) is not equal to \(String(reflecting: expected))"
    Issue.record(
        comment().map { "\(values): \($0)" } ?? "\(values)",
        sourceLocation: SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    )
}
