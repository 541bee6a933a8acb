// The languages in which texts are written. Each table has the rules of one language, and the source of the rules.

extension EscapeTable {
    // MARK: Literals

    private static let backslashes: [Unicode.Scalar: String] = [
        "\"": "\\\"", "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t",
    ]

    /// The table for a string of JSON, between double quotes.
    ///
    /// RFC 8259, section 7: quotation mark, reverse solidus and the control characters must be escaped, nothing else.
    package static let json = EscapeTable(backslashes) { scalar in
        scalar.value < 0x20 ? "\\u" + hexadecimal(scalar.value, digits: 4) : nil
    }

    /// The table for a literal of Swift, between double quotes: it cannot end early or interpolate.
    ///
    /// Everything that is not plain ASCII is written by number, so that code has no bidirectional or invisible
    /// characters.
    package static let swift = EscapeTable(backslashes) { scalar in
        (0x20..<0x7F).contains(scalar.value) ? nil : "\\u{\(hexadecimal(scalar.value))}"
    }

    /// The table for a string of the predicate language, between double quotes.
    package static let predicate = EscapeTable(backslashes) { scalar in
        scalar.value < 0x20 || scalar.value == 0x7F ? "\\u{\(hexadecimal(scalar.value).uppercased())}" : nil
    }

    /// The table for a string of SQL, between single quotes.
    package static let sqlString = EscapeTable(["'": "''"])

    /// The table for an identifier of SQL, between double quotes.
    package static let sqlIdentifier = EscapeTable(["\"": "\"\""])

    /// The table for a string of FTS5, between double quotes; FTS5 ends a text at a null character.
    package static let fullText = EscapeTable(["\"": "\"\"", "\0": " "])

    /// The table for a word of a shell command, between single quotes.
    package static let shell = EscapeTable(["'": "'\\''"])

    /// The table for a field of the text form of a model in generated code, and of the lists in a store's metadata.
    ///
    /// Tabs separate fields, and line feeds separate records.
    package static let record = EscapeTable(["\t": "\\t", "\n": "\\n", "\r": "\\r", "\\": "\\\\"])

    // MARK: Markup

    /// The table for the value of an attribute in an XML document, between double quotes.
    ///
    /// Parsers read tabs and line breaks as spaces unless they are references.
    package static let xmlAttribute = EscapeTable([
        "&": "&amp;", "<": "&lt;", "\"": "&quot;", "\t": "&#9;", "\n": "&#10;", "\r": "&#13;",
    ])

    /// The table for the text between elements of an XML document.
    ///
    /// The end of a CDATA section must not occur in it.
    package static let xmlText = EscapeTable(["&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;"])

    /// The table for a text in a drawing: in SVG, and in Graphviz's HTML-like labels, which are XML.
    ///
    /// Scalars that XML 1.0 cannot represent become U+FFFD. Line breaks and tabs become references, so that they are
    /// not part of the layout.
    package static let drawing = EscapeTable([
        "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&#39;", "\t": "&#9;", "\n": "&#10;",
        "\r": "&#13;",
    ]) { scalar in
        scalar.value < 0x20 || scalar == "\u{FFFE}" || scalar == "\u{FFFF}" ? "\u{FFFD}" : nil
    }

    /// The table for a text in a Mermaid diagram.
    ///
    /// Mermaid's lexer, its markup for members (`~` is a generic, `*` is abstract) and HTML all read the text, so all
    /// except the harmless scalars become `#code;`, Mermaid's only escape.
    package static let mermaid = EscapeTable { scalar in
        scalar.isAlphanumeric || ".,?[] _".unicodeScalars.contains(scalar) ? nil : mermaidCode(scalar)
    }

    /// Returns the notation of any scalar in a Mermaid diagram.
    package static func mermaidCode(_ scalar: Unicode.Scalar) -> String { "#\(scalar.value);" }

    // MARK: Places

    /// The table for a message of a workflow command of GitHub Actions.
    package static let gitHubMessage = EscapeTable(gitHubLines)

    /// The table for a property of a workflow command of GitHub Actions.
    package static let gitHubProperty = EscapeTable(gitHubLines.merging([":": "%3A", ",": "%2C"]) { $1 })

    private static let gitHubLines: [Unicode.Scalar: String] = ["%": "%25", "\r": "%0D", "\n": "%0A"]

    /// The table for the path of a URI that names a database, https://sqlite.org/uri.html.
    package static let uri = EscapeTable(["%": "%25", "?": "%3F", "#": "%23"]) { scalar in
        if (0x21..<0x7F).contains(scalar.value) { return nil }
        return UTF8.encode(scalar)?.map { "%" + hexadecimal(UInt32($0), digits: 2).uppercased() }.joined()
    }

    // MARK: Text for people

    /// The table for a line of a message: scalars that would begin a line, be a command to the terminal or change the
    /// direction of the text are written as `\u{202E}`.
    package static let message = EscapeTable { scalar in
        isHidden(scalar) ? "\\u{\(hexadecimal(scalar.value).uppercased())}" : nil
    }

    /// The table for a line of a comment, in Swift and in SQL.
    package static let comment = EscapeTable { isHidden($0) ? " " : nil }

    /// The table for a single character that a message describes: a scalar that has no appearance of its own is written
    /// as `U+0301`.
    package static let character = EscapeTable { scalar in
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .privateUse, .unassigned,
            .surrogate, .nonspacingMark, .spacingMark, .enclosingMark:
            "U+" + hexadecimal(scalar.value, digits: 4).uppercased()
        default: nil  // All other categories, including those that Unicode may add.
        }
    }

    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false  // Letters, marks, numbers and similar scalars are visible.
        }
    }

    private static func hexadecimal(_ value: UInt32, digits: Int = 1) -> String {
        let text = String(value, radix: 16)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}

extension Unicode.Scalar {
    /// A Boolean value that indicates whether the scalar is a letter, a vowel sign or a number of any script.
    package var isAlphanumeric: Bool { properties.isAlphabetic || properties.numericType != nil }
}
