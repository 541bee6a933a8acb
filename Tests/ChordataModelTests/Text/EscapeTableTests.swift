import ChordataModel
import ChordataTestSupport
import Testing

/// The special characters of each language in which texts are written.
struct EscapeTableTests {
    struct Language: Sendable, CustomStringConvertible {
        let description: String
        let table: EscapeTable
        /// The scalars that are replaced, with their replacements.
        let replacements: KeyValuePairs<Unicode.Scalar, String>
        /// Scalars that look special, but are written as themselves.
        let unchanged: String
    }

    static let languages = [
        Language(
            description: "JSON",
            table: .json,
            replacements: [
                "\"": #"\""#, "\\": #"\\"#, "\n": #"\n"#, "\r": #"\r"#, "\t": #"\t"#, "\0": #"\u0000"#,
                "\u{8}": #"\u0008"#, "\u{1F}": #"\u001f"#,
            ],
            unchanged: "'/$ \u{7F}\u{2028}é😀"
        ),
        Language(
            description: "Swift",
            table: .swift,
            replacements: [
                "\"": #"\""#, "\\": #"\\"#, "\n": #"\n"#, "\r": #"\r"#, "\t": #"\t"#, "\0": #"\u{0}"#,
                "\u{7F}": #"\u{7f}"#, "é": #"\u{e9}"#, "\u{202E}": #"\u{202e}"#, "😀": #"\u{1f600}"#,
            ],
            unchanged: "'#()$ ~"
        ),
        Language(
            description: "predicates",
            table: .predicate,
            replacements: [
                "\"": #"\""#, "\\": #"\\"#, "\n": #"\n"#, "\r": #"\r"#, "\t": #"\t"#, "\0": #"\u{0}"#,
                "\u{1F}": #"\u{1F}"#, "\u{7F}": #"\u{7F}"#,
            ],
            unchanged: "'%$*?\u{80}\u{2028}é😀"
        ),
        Language(description: "strings of SQL", table: .sqlString, replacements: ["'": "''"], unchanged: "\"\\`\n?:@"),
        Language(
            description: "identifiers of SQL",
            table: .sqlIdentifier,
            replacements: ["\"": "\"\""],
            unchanged: "'\\`[]\n"
        ),
        Language(description: "shell", table: .shell, replacements: ["'": #"'\''"#], unchanged: "\"\\$`! \n*é"),
        Language(
            description: "records",
            table: .record,
            replacements: ["\t": #"\t"#, "\n": #"\n"#, "\r": #"\r"#, "\\": #"\\"#],
            unchanged: "=\"'\0\u{2028}é"
        ),
        Language(
            description: "attributes of XML",
            table: .xmlAttribute,
            replacements: [
                "&": "&amp;", "<": "&lt;", "\"": "&quot;", "\t": "&#9;", "\n": "&#10;", "\r": "&#13;",
            ],
            unchanged: ">' \u{85}\u{2028}é"
        ),
        Language(
            description: "text of XML",
            table: .xmlText,
            replacements: ["&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;"],
            unchanged: "\"'\t\n]é"
        ),
        Language(
            description: "drawings",
            table: .drawing,
            replacements: [
                "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&#39;", "\t": "&#9;", "\n": "&#10;",
                "\r": "&#13;", "\0": "\u{FFFD}", "\u{1F}": "\u{FFFD}", "\u{FFFE}": "\u{FFFD}", "\u{FFFF}": "\u{FFFD}",
            ],
            unchanged: "\\`\u{7F}\u{FFFD}\u{1FFFE}é"
        ),
        Language(
            description: "Mermaid",
            table: .mermaid,
            replacements: [
                "\"": "#34;", "#": "#35;", "*": "#42;", ";": "#59;", "<": "#60;", "`": "#96;", "~": "#126;",
                "\n": "#10;", "\u{202E}": "#8238;", "😀": "#128512;",
            ],
            unchanged: "aZ0.,?[] _é日½"
        ),
        Language(
            description: "messages of GitHub Actions",
            table: .gitHubMessage,
            replacements: ["%": "%25", "\r": "%0D", "\n": "%0A"],
            unchanged: ":,=\té"
        ),
        Language(
            description: "properties of GitHub Actions",
            table: .gitHubProperty,
            replacements: ["%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"],
            unchanged: "=;\té"
        ),
        Language(
            description: "paths of URIs",
            table: .uri,
            replacements: [
                "%": "%25", "?": "%3F", "#": "%23", " ": "%20", "\0": "%00", "\u{7F}": "%7F", "é": "%C3%A9",
                "😀": "%F0%9F%98%80",
            ],
            unchanged: "/.:&=+~'"
        ),
        Language(
            description: "messages",
            table: .message,
            replacements: [
                "\0": #"\u{0}"#, "\n": #"\u{A}"#, "\u{1B}": #"\u{1B}"#, "\u{AD}": #"\u{AD}"#,
                "\u{2028}": #"\u{2028}"#, "\u{202E}": #"\u{202E}"#,
            ],
            unchanged: "\"\\\u{A0}\u{301}\u{E000}é"
        ),
        Language(
            description: "comments",
            table: .comment,
            replacements: [
                "\0": " ", "\n": " ", "\r": " ", "\u{85}": " ", "\u{2028}": " ", "\u{2029}": " ", "\u{202E}": " ",
            ],
            unchanged: "*/\"\\\u{A0}é"
        ),
        Language(
            description: "characters",
            table: .character,
            replacements: [
                "\0": "U+0000", " ": "U+0020", "\u{A0}": "U+00A0", "\u{301}": "U+0301", "\u{E000}": "U+E000",
                "\u{10FFFF}": "U+10FFFF",
            ],
            unchanged: "\"'\\aé😀"
        ),
    ]

    @Test(arguments: languages)
    func specialCharactersAreReplaced(_ language: Language) {
        for (scalar, replacement) in language.replacements {
            // A combining mark is part of the character before it.
            for suffix in ["", "a", "\u{338}"] {
                let written = "a" + replacement + escape(suffix, with: language.table)
                let text = escape("a" + String(scalar) + suffix, with: language.table)
                #expect(text.utf8.elementsEqual(written.utf8), "\(text) is not \(written)")
            }
        }
        expectEqual(escape(language.unchanged, with: language.table), language.unchanged)
        expectEqual(escape("", with: language.table), "")
    }

    @Test func oneLineHasNoLineBreaksOrInvisibleCharacters() {
        expectEqual(oneLine("a\r\nb\u{2028}c\u{0}d\u{202E}e"), "a  b c d e")
        expectEqual(oneLine("größer 日本"), "größer 日本")
    }
}
