internal import ChordataModel

/// The conversion of an attribute's values to another type (table 4.2).
struct ValueConversion: Sendable, Hashable {
    /// The computation of the new value.
    enum Function: Sendable, Hashable {
        case real, integer, float, floatOfInteger, decimal, boolean
    }

    /// The function that computes the new value, or `nil` if columns store it in the same form as the old value.
    let function: Function?
    /// The values that do not fit into the new type, or `nil` if all fit.
    let misfit: Misfit?

    /// The values that do not fit into a type.
    enum Misfit: Sendable, Hashable {
        case integer(lowest: Int64, greatest: Int64)
        /// Reals whose integer part is out of range; the bounds themselves do not fit.
        case real(below: String, above: String)
        case float
    }

    /// - Returns: `nil` if the two types do not determine the conversion.
    init?(from old: AttributeType, to new: AttributeType) {
        if old == new {
            self.init(nil)
            return
        }
        switch (old, new) {
        case (.integer16, .integer32), (.integer16, .integer64), (.integer32, .integer64): self.init(nil)
        case (.integer32, .integer16), (.integer64, .integer16):
            self.init(nil, .integer(lowest: Int64(Int16.min), greatest: Int64(Int16.max)))
        case (.integer64, .integer32):
            self.init(nil, .integer(lowest: Int64(Int32.min), greatest: Int64(Int32.max)))
        case (.integer16, .double), (.integer32, .double): self.init(.real)
        case (.integer64, .double): self.init(.real)
        case (.integer16, .float): self.init(.real)
        case (.integer32, .float): self.init(.float)
        case (.integer64, .float): self.init(.floatOfInteger)
        case (.double, .float): self.init(.float, .float)
        case (.float, .double): self.init(nil)
        case (.double, .integer16), (.float, .integer16):
            self.init(.integer, .real(below: "-32769.0", above: "32768.0"))
        case (.double, .integer32), (.float, .integer32):
            self.init(.integer, .real(below: "-2147483649.0", above: "2147483648.0"))
        case (.double, .integer64), (.float, .integer64):
            // −2⁶³ fits, and nothing lies between it and the next double below.
            self.init(
                .integer,
                .real(below: "-9223372036854777856.0", above: "9223372036854775808.0")
            )
        case (.integer16, .decimal), (.integer32, .decimal), (.integer64, .decimal): self.init(.decimal)
        // A Boolean is a number: the column has 0 or 1.
        case (.boolean, .integer16), (.boolean, .integer32), (.boolean, .integer64): self.init(nil)
        case (.boolean, .double), (.boolean, .float): self.init(.real)
        case (.boolean, .decimal): self.init(.decimal)
        case (.integer16, .boolean), (.integer32, .boolean), (.integer64, .boolean), (.double, .boolean),
            (.float, .boolean):
            self.init(.boolean)
        default: return nil  // The conversion between all other pairs of types is unknown.
        }
    }

    private init(_ function: Function?, _ misfit: Misfit? = nil) {
        self.function = function
        self.misfit = misfit
    }

    /// Returns the new value of a column.
    func value(of column: String) -> ValueExpression {
        function.map { .converted(column, $0) } ?? .column(column)
    }
}
