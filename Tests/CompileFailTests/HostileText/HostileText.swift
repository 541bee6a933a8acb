/// Texts with a special meaning in Swift, SQL, XML, JSON, a shell or a terminal.
///
/// The texts try to run `canary`, and nothing with this name can be run.
enum HostileText {
    static let all = swift + comments + lines + sql + markup + formats + paths + unicode + long

    private static let swift = [
        #"""#, #"""""#, #"""""""#, #"\"#, #"\\"#, #"\""#, "'", "`", "`canary()`", ";", ":", "#",
        #"\(canary())"#, #"\\(canary())"#, ##"\#(canary())"##, #""\(canary())""#, #"\(canary()"#,
        #"" + canary() + ""#, #""; canary(); ""#, #""), canary(""#, #""] }; let x = canary() //"#,
        #"" } ; canary() ; { ""#,
        ##""# + canary() + #""##, ##""#"##, ####"##"\##(canary())"##"####, #"""" + canary() + """"#,
        #"\u{22} + canary() + \u{22}"#, #"\u{"#, #"\n"#, #"\0"#, "$0", "$x", "@canary",
        "#if canary", "#endif", "#error(\"canary\")", "#sourceLocation(file: \"canary\", line: 1)",
        "@_silgen_name(\"x\")",
        "import canary", "A { static let x = canary() } //", "A: Canary", "A<canary>", "A.Type", "A & canary",
        "() -> canary()",
        "[canary()]", "{ canary() }()", "canary()", "x: Int = canary()", "<#canary()#>", "<<<<<<< canary",
        "=======", "nil", "true", "default", "0 + canary()", "try! canary()", "A, B: canary",
    ]

    private static let comments = [
        "*/", "/*", "*/ canary() /*", "//", "// canary()", "*/ */ canary()", "--", "-- canary()",
    ]

    private static let lines = [
        "\n", "\r", "\r\n", "\t", " ", "\u{B}", "\u{C}", "\n\n\n", "x\ncanary()\n", "x\rcanary()\r", "x\u{85}canary()",
        "x\u{2028}canary()", "x\u{2029}canary()", "\"\ncanary()\n\"", "\"\"\"\ncanary()\n\"\"\"", "\\\ncanary()",
        "*/\ncanary()\n/*",
        "--\nDROP TABLE canary;", "\n#if false\n", "x\u{0}canary()", "\u{1}", "\u{1B}[31m", "\u{7F}",
    ]

    private static let sql = [
        #"'); DROP TABLE "canary"; --"#, #"'; DELETE FROM canary; --"#, #""; INSERT INTO canary VALUES (2); --"#, "''",
        "x' OR '1'='1",
        #"x" OR "1"="1"#, #"x"); CREATE TABLE "canary2" (x"#, "; DROP TABLE canary;", "COMMIT; DROP TABLE canary",
        "load_extension('canary')", "[canary]", "?1", ":x", "x' || (SELECT canary) || '", "NULL", "X'00'", "1e999",
        "%' ESCAPE '",
    ]

    private static let markup = [
        "&", "<", ">", "&quot;", "&amp;quot;", "&canary;", "]]>", "<![CDATA[", "<!--", "-->", "<?canary?>",
        "\"/><entity name=\"canary\"/>", "</model>", "{\"canary\": 1}", "\", \"canary\": \"", "\\u0022", "```swift",
        "- Parameter canary:",
    ]

    private static let formats = [
        "%@", "%K == %@", "%n", "%1$s", "$(canary)", "`canary`", "| canary", "~", "*", "?", "!", "{}", "\\d+",
        "(?{canary()})", "(", ")",
        "[", "]", "(a+)+$", "FUNCTION(canary, 'x')", "SELF == canary()", "CAST(canary, 'NSDate')",
        "SUBQUERY(x, $y, $y.z == canary)",
    ]

    private static let paths = [
        ".", "..", "/", "../../canary", "/etc/passwd", "a/b", #"a\b"#, ".hidden", "hidden.swift", "con", "-rf",
        "file:///canary",
    ]

    private static let unicode = [
        "\u{202E}canary", "\u{200F}", "\u{2066}x\u{2069}", "\u{200B}", "\u{200D}", "\u{FEFF}", "\u{AD}", "\u{301}",
        "e\u{301}", "é",
        "ﬁ", "İ", "\u{1F9D1}\u{200D}\u{1F680}", "🇩🇪", "日本語", "\u{E0041}", "\u{FFFD}", "\u{FFFE}", "\u{E000}",
        "\u{10FFFF}", "\u{37E}",
        "＂", "＼（canary（））", "А", "\u{A0}", "\u{3000}", "x\u{20DD}", "Z" + String(repeating: "\u{35F}", count: 64),
    ]

    private static let long = [
        String(repeating: "x", count: 128), String(repeating: "x", count: 129), String(repeating: "\"\\", count: 2_000),
        String(repeating: "\\(canary())", count: 500), String(repeating: "(", count: 2_000),
        String(repeating: "日", count: 1_000),
    ]

    /// Words that could be names, but that Swift, SQLite or generated code use.
    static let reservedWords =
        """
        associatedtype class deinit enum extension fileprivate func import init inout internal let open operator private
        precedencegroup protocol public rethrows static struct subscript typealias var break case catch continue default defer do
        else fallthrough for guard if in repeat return throw switch where while Any as await false is nil self Self super throws
        true try Type Protocol actor any async borrowing consume consuming copy convenience didSet discard distributed dynamic each
        each_ final get indirect infix isolated lazy left macro mutating none nonisolated nonmutating optional override package
        postfix precedence prefix required right sending set some throwing unowned unsafe weak willSet yield __owned
        newValue oldValue error context object layout _level _Level _GeneratedCode Values PropertyKey Model definition
        container schema describe entityName objectID hash hashValue description id string value key request predicate
        String Int Bool Array Set Optional Dictionary Double Data Date URL UUID Decimal Error Result Task Never Void Character
        Hashable Sendable Codable Equatable Observable ManagedObject FetchRequest ObjectID Chordata Foundation Swift
        SwiftUI _StringProcessing Builtin
        select table from where_ order group index values primary references default_ null rowid oid _rowid_ _id _version _entity
        add remove insert replace setToOne setToMany toOne toMany orderedToMany setOrderedToMany fetchedObjects willAccess
        willChange count init_ propertyKeyPaths dictionaries unsafeDowncast isFault isDeleted managedObjectContext
        _order _order_text sqlite_master sqlite_sequence sqlite_x SQLITE_Y _metadata _sequence _migration _new_E0 main temp
        """
        .split(whereSeparator: \.isWhitespace).map(String.init)
}
