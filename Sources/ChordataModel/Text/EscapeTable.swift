/// The replacements of the scalars that a language cannot have in a text, or that have a special meaning there.
package struct EscapeTable: Sendable {
    /// Returns the replacement of a scalar; `nil` for a scalar that is written as itself.
    package typealias Rule = @Sendable (Unicode.Scalar) -> String?

    /// The replacements of the ASCII scalars, by value.
    private let asciiReplacements: [String?]
    /// The rule for all other scalars; `nil` if they are all written as themselves.
    private let rule: Rule?

    /// - Parameters:
    ///   - replacements: The ASCII scalars that have replacements of their own.
    ///   - rule: The rule for all other scalars.
    init(_ replacements: [Unicode.Scalar: String] = [:], rule: Rule? = nil) {
        asciiReplacements = (0..<128).map { value in
            let scalar = Unicode.Scalar(UInt8(value))
            return replacements[scalar] ?? rule?(scalar)
        }
        self.rule = rule
    }

    /// Returns the replacement of a scalar; `nil` for a scalar that is written as itself.
    package func replacement(of scalar: Unicode.Scalar) -> String? {
        scalar.isASCII ? asciiReplacements[Int(scalar.value)] : rule?(scalar)
    }

    /// Returns a Boolean value that indicates whether a text may have scalars that are replaced.
    fileprivate func mayReplace(in text: String) -> Bool {
        text.utf8.contains { $0 < 128 ? asciiReplacements[Int($0)] != nil : rule != nil }
    }
}

/// Writes a text in another language, without delimiters.
///
/// Texts are written in a language only by this function and the functions that add the delimiters of the language.
/// Characters are replaced by scalar, so a combining mark after a quotation mark hides nothing.
/// - Complexity: O(n) in the length of the text.
package func escape(_ text: String, with table: EscapeTable) -> String {
    guard table.mayReplace(in: text) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
        if let replacement = table.replacement(of: scalar) {
            result += replacement
        } else {
            result.unicodeScalars.append(scalar)
        }
    }
    return result
}

/// Writes a text in one line: control characters, line separators and invisible characters become spaces.
///
/// A comment ends with its line, and SQL ends at a NUL, so a name must contain neither, and must not hide the text
/// after it.
package func oneLine(_ text: String) -> String { escape(text, with: .comment) }
