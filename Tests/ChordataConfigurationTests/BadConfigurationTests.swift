import ChordataConfiguration
import ChordataDiagnostics
import ChordataTestSupport
import Testing

/// Invalid configuration files, with the exact text of their diagnostics.
struct BadConfigurationTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var text: String
        var expected: [String]

        init(_ text: String, _ expected: String...) {
            self.text = text
            self.expected = expected
        }

        var testDescription: String { text }
    }

    static let rows: [Row] = [
        // MARK: Not JSON
        Row("", "1:1: error: the file is empty; write '{}' for no settings [CD0114]"),
        Row(" \n\t\r\n", "3:1: error: the file is empty; write '{}' for no settings [CD0114]"),
        Row("\u{FEFF}", "1:1: error: the file is empty; write '{}' for no settings [CD0114]"),
        Row("{", "1:2: error: the file ends before '}' [CD0114]", "1:1: note: an object begins here"),
        Row("}", "1:1: error: a value is expected, but there is '}' [CD0114]"),
        Row(
            "{\n  \"diagnostics\": {\n",
            "3:1: error: the file ends before '}' [CD0114]",
            "2:18: note: an object begins here"
        ),
        Row("{]", "1:2: error: a key in double quotation marks is expected, but there is ']' [CD0114]"),
        Row("{} {}", "1:4: error: '{' follows the end of the value [CD0114]"),
        Row("{\"a\"}", "1:5: error: ':' is expected after the key 'a', but there is '}' [CD0114]"),
        Row(
            "{\"diagnostics\" {}}",
            "1:16: error: ':' is expected after the key 'diagnostics', but there is '{' [CD0114]"
        ),
        Row("{\"diagnostics\":}", "1:16: error: a value is expected, but there is '}' [CD0114]"),
        Row("{\"diagnostics\":", "1:16: error: a value is expected, but there is the end of the file [CD0114]"),
        Row("{,}", "1:2: error: a key in double quotation marks is expected, but there is ',' [CD0114]"),
        Row(
            "{\"diagnostics\": {} \"$schema\": \"\"}",
            "1:20: error: ',' or '}' is expected, but there is '\"' [CD0114]"
        ),
        Row("{'diagnostics': {}}", "1:2: error: keys must be in double quotes [CD0114]"),
        Row("{\"$schema\": 'a'}", "1:13: error: strings must be in double quotes [CD0114]"),
        Row("{diagnostics: {}}", "1:2: error: a key in double quotation marks is expected, but there is 'd' [CD0114]"),
        Row("{\"$schema\": yes}", "1:13: error: 'yes' is not a JSON value; strings must be in double quotes [CD0114]"),
        Row("{\"$schema\": True}", "1:13: error: 'True' is not a JSON value; did you mean 'true'? [CD0114]"),
        Row("{\"$schema\": NaN}", "1:13: error: 'NaN' is not a JSON value; strings must be in double quotes [CD0114]"),
        Row(
            "{\"$schema\": \"a\n\"}",
            "1:15: error: the line ends within a string [CD0114]",
            "1:13: note: the string begins here"
        ),
        Row(
            "{\"$schema\": \"a",
            "1:15: error: the file ends within a string [CD0114]",
            "1:13: note: the string begins here"
        ),
        Row("{\"$schema\": \"a\tb\"}", "1:15: error: U+0009 within a string must be written as an escape [CD0114]"),
        Row(
            "{\"$schema\": \"\\q\"}",
            "1:14: error: unknown escape; write a backslash as '\\\\' [CD0114]"
        ),
        Row("{\"$schema\": \"\\u12g4\"}", "1:14: error: '\\u' needs four hexadecimal digits [CD0114]"),
        Row(
            "{\"$schema\": \"\\ud83d\"}",
            "1:14: error: an escape has only half of a surrogate pair; write both halves, as in '\\uD83D\\uDE00' [CD0114]"
        ),
        Row(
            "{\"$schema\": \"\\ud83d\\u0041\"}",
            "1:14: error: an escape has only half of a surrogate pair; write both halves, as in '\\uD83D\\uDE00' [CD0114]"
        ),
        Row(
            "{\"$schema\": \"\\ude00\"}",
            "1:14: error: an escape has only half of a surrogate pair; write both halves, as in '\\uD83D\\uDE00' [CD0114]"
        ),
        Row("{\"$schema\": \"\\", "1:15: error: the file ends within a string [CD0114]"),
        Row("{\"$schema\": 01}", "1:13: error: a number must not begin with '0' [CD0114]"),
        Row("{\"$schema\": -}", "1:14: error: a digit is expected in a number, but there is '}' [CD0114]"),
        Row("{\"$schema\": +1}", "1:13: error: a value is expected, but there is '+' [CD0114]"),
        Row("{\"$schema\": .5}", "1:13: error: a value is expected, but there is '.' [CD0114]"),
        Row("{\"$schema\": 1.}", "1:15: error: a digit is expected in a number, but there is '}' [CD0114]"),
        Row("{\"$schema\": 1e}", "1:15: error: a digit is expected in a number, but there is '}' [CD0114]"),
        Row("{\"$schema\": 1.5x}", "1:16: error: ',' or '}' is expected, but there is 'x' [CD0114]"),
        Row("{\"$schema\": \u{A0}\"\"}", "1:13: error: a value is expected, but there is U+00A0 [CD0114]"),
        Row("{\"$schema\": é}", "1:13: error: a value is expected, but there is 'é' [CD0114]"),
        Row("{\"$schema\": /}", "1:13: error: a value is expected, but there is '/' [CD0114]"),
        Row("<plist/>", "1:1: error: a value is expected, but there is '<' [CD0114]"),

        // MARK: Errors after which reading continues
        Row("// settings\n{}", "1:1: error: JSON has no comments; remove this one [CD0114]"),
        Row("{} # end", "1:4: error: JSON has no comments; remove this one [CD0114]"),
        Row(
            "{ /* a\nb */ \"x\": 1 }",
            "1:3: error: JSON has no comments; remove this one [CD0114]",
            "2:6: error: there is no key 'x'; the keys are '$schema', 'diagnostics', 'access', 'imports', 'name', 'codegen', 'optionality', 'entities', 'types', 'stores', 'versions' and 'migrations' [CD0115]"
        ),
        Row("{} /* open", "1:4: error: JSON has no comments; remove this one [CD0114]"),
        Row(
            "{\n  \"diagnostics\": {\n    \"CD0217\": \"ignore\",\n  },\n}",
            "3:23: error: there is nothing after the last ','; remove this comma [CD0114]",
            "4:4: error: there is nothing after the last ','; remove this comma [CD0114]"
        ),
        Row(
            "{\"diagnostics\": {\"CD0217\": \"ignore\",\n \"CD0217\": \"error\"}}",
            "2:2: error: the key 'CD0217' is duplicated [CD0114]",
            "1:18: note: the first is here"
        ),
        Row(
            "{\"diagnostics\": {}, \"d\\u0069agnostics\": {}}",
            "1:21: error: the key 'diagnostics' is duplicated [CD0114]",
            "1:2: note: the first is here"
        ),

        // MARK: Not a configuration
        Row("[]", "1:1: error: a configuration file must contain an object, such as '{}', not an array [CD0116]"),
        Row("1", "1:1: error: a configuration file must contain an object, such as '{}', not a number [CD0116]"),
        Row("null", "1:1: error: a configuration file must contain an object, such as '{}', not null [CD0116]"),
        Row("\"a\"", "1:1: error: a configuration file must contain an object, such as '{}', not a string [CD0116]"),
        Row("true", "1:1: error: a configuration file must contain an object, such as '{}', not a boolean [CD0116]"),
        Row(
            "{\"diagnostic\": {}}",
            "1:2: error: there is no key 'diagnostic'; the keys are '$schema', 'diagnostics', 'access', 'imports', 'name', 'codegen', 'optionality', 'entities', 'types', 'stores', 'versions' and 'migrations'; did you mean 'diagnostics'? [CD0115]"
        ),
        Row(
            "{\n  \"acess\": \"public\",\n  \"é\": 1\n}",
            "2:3: error: there is no key 'acess'; the keys are '$schema', 'diagnostics', 'access', 'imports', 'name', 'codegen', 'optionality', 'entities', 'types', 'stores', 'versions' and 'migrations'; did you mean 'access'? [CD0115]",
            "3:3: error: there is no key 'é'; the keys are '$schema', 'diagnostics', 'access', 'imports', 'name', 'codegen', 'optionality', 'entities', 'types', 'stores', 'versions' and 'migrations' [CD0115]"
        ),
        Row(
            "{\"Diagnostics\": {}}",
            "1:2: error: there is no key 'Diagnostics'; the keys are '$schema', 'diagnostics', 'access', 'imports', 'name', 'codegen', 'optionality', 'entities', 'types', 'stores', 'versions' and 'migrations'; did you mean 'diagnostics'? [CD0115]"
        ),

        // MARK: Code
        Row("{\"access\": 1}", "1:12: error: 'access' must be 'internal' or 'public', not a number [CD0116]"),
        Row(
            "{\"access\": \"publik\"}",
            "1:12: error: 'access' must be 'internal' or 'public', not 'publik'; did you mean 'public'? [CD0116]"
        ),
        Row("{\"imports\": \"A\"}", "1:13: error: 'imports' must be an array of module names, not a string [CD0116]"),
        Row(
            "{\"imports\": [\"A\", \"B; import C\"]}",
            """
            1:19: error: 'import' must consist of ASCII letters, digits and underscores, not begin with a digit, \
            and not be a Swift keyword [CD0116]
            """
        ),
        Row(
            "{\"name\": \"../x\"}",
            """
            1:10: error: 'name' must consist of ASCII letters, digits and underscores, not begin with a digit, and \
            not be a Swift keyword [CD0116]
            """
        ),
        Row(
            "{\"codegen\": \"clas\"}",
            "1:13: error: 'codegen' must be 'class', 'category' or 'none', not 'clas'; did you mean 'class'? [CD0116]"
        ),
        Row(
            "{\"stores\": \"postgresql\"}",
            "1:12: error: 'stores' must be an array that contains 'sqlite', 'postgresql' or both, not a string [CD0116]"
        ),
        Row(
            "{\"stores\": [\"x\"]}",
            "1:13: error: 'stores' must be 'sqlite' or 'postgresql', not 'x' [CD0116]"
        ),
        Row(
            "{\"optionality\": true}",
            "1:17: error: 'optionality' must be 'model' or 'coreData', not a boolean [CD0116]"
        ),
        Row(
            "{\"optionality\": \"coredata\"}",
            "1:17: error: 'optionality' must be 'model' or 'coreData', not 'coredata'; did you mean 'coreData'? [CD0116]"
        ),
        Row(
            "{\"entities\": []}",
            "1:14: error: 'entities' must be an object of entity names and settings, not an array [CD0116]"
        ),
        Row(
            "{\"entities\": {\"A\": 1}}",
            "1:20: error: the settings of an entity must be an object, not a number [CD0116]"
        ),
        Row(
            "{\"entities\": {\"A\": {\"classs\": \"B\"}}}",
            "1:21: error: there is no key 'classs'; the keys are 'codegen', 'class' and 'module'; did you mean 'class'? [CD0115]"
        ),
        Row(
            "{\"entities\": {\"A\": {\"class\": \"B: C\"}}}",
            """
            1:30: error: 'class' must consist of ASCII letters, digits and underscores, not begin with a digit, and \
            not be a Swift keyword [CD0116]
            """
        ),
        Row(
            "{\"types\": {\"NSArray\": \"[String\"}}",
            """
            1:23: error: a type must be a string such as '[String]' or 'MyModule.Color'; the type must conform to \
            'Codable', not contain 'Any', and not be optional [CD0116]
            """
        ),
        Row(
            "{\"types\": {\"NSArray\": \"Foo Bar\"}}",
            """
            1:23: error: a type must be a string such as '[String]' or 'MyModule.Color'; the type must conform to \
            'Codable', not contain 'Any', and not be optional [CD0116]
            """
        ),
        Row(
            "{\"types\": {\"NSArray\": \"[Any]\", \"A\": \"String?\"}}",
            """
            1:23: error: a type must be a string such as '[String]' or 'MyModule.Color'; the type must conform to \
            'Codable', not contain 'Any', and not be optional [CD0116]
            """,
            """
            1:37: error: a type must be a string such as '[String]' or 'MyModule.Color'; the type must conform to \
            'Codable', not contain 'Any', and not be optional [CD0116]
            """
        ),
        Row(
            "{\"types\": {\"Letter\": \"Character\"}}",
            """
            1:22: error: a type must be a string such as '[String]' or 'MyModule.Color'; the type must conform to \
            'Codable', not contain 'Any', and not be optional [CD0116]
            """
        ),
        Row(
            "{\"versions\": \"Shop\"}",
            "1:14: error: 'versions' must be an array of the model's versions, oldest first, not a string [CD0116]"
        ),
        Row(
            "{\"versions\": [\"Shop\", 2, \"Shop\", \"Shop 2.xcdatamodel\"]}",
            "1:23: error: a version must be a string, its name, not a number [CD0116]",
            "1:26: error: version 'Shop' is listed twice; remove one [CD0116]",
            "1:34: error: the name of a version must not end with '.xcdatamodel'; remove the ending [CD0116]"
        ),
        Row(
            "{\"migrations\": []}",
            "1:16: error: 'migrations' must be an object such as '{\"gaps\": []}', not an array [CD0116]"
        ),
        Row(
            "{\"migrations\": {\"gap\": []}}",
            "1:17: error: there is no key 'gap'; the key is 'gaps'; did you mean 'gaps'? [CD0115]"
        ),
        Row(
            "{\"migrations\": {\"gaps\": {}}}",
            """
            1:25: error: 'gaps' must be an array of steps, such as '{\"from\": \"A\", \"to\": \"B\"}', not an \
            object [CD0116]
            """
        ),
        Row(
            "{\"migrations\": {\"gaps\": [\"A\", {\"from\": \"A\"}, {\"from\": \"A\", \"to\": 2}, {\"form\": \"A\", \"to\": \"B\"}]}}",
            """
            1:26: error: a gap must be an object with the names of two versions, 'from' and 'to', not a string \
            [CD0116]
            """,
            "1:31: error: a gap must be an object with the names of two versions, 'from' and 'to'; write both [CD0116]",
            "1:66: error: a version must be a string, its name, not a number [CD0116]",
            "1:70: error: a gap must be an object with the names of two versions, 'from' and 'to'; write both [CD0116]",
            "1:71: error: there is no key 'form'; the keys are 'from' and 'to'; did you mean 'from'? [CD0115]"
        ),
        Row(
            "{\"imports\": [\"class\"]}",
            """
            1:14: error: 'import' must consist of ASCII letters, digits and underscores, not begin with a digit, \
            and not be a Swift keyword [CD0116]
            """
        ),

        Row("{\"$schema\": 1}", "1:13: error: '$schema' must be a string, not a number [CD0116]"),
        Row(
            "{\"diagnostics\": []}",
            "1:17: error: 'diagnostics' must be an object of ids and levels, not an array [CD0116]"
        ),
        Row(
            "{\"diagnostics\": \"ignore\"}",
            "1:17: error: 'diagnostics' must be an object of ids and levels, not a string [CD0116]"
        ),
        Row(
            "{\"diagnostics\": null}",
            "1:17: error: 'diagnostics' must be an object of ids and levels, not null [CD0116]"
        ),
        Row(
            "{\"diagnostics\": {\"CD0217\": true}}",
            """
            1:28: error: a level must be a string, not a boolean; the levels are 'error', 'warning', 'remark' and \
            'ignore' [CD0116]
            """
        ),
        Row(
            "{\"diagnostics\": {\"CD0217\": \"ignored\"}}",
            "1:28: error: there is no level 'ignored'; the levels are 'error', 'warning', 'remark' and 'ignore'; did you mean 'ignore'? [CD0116]"
        ),
        Row(
            "{\"diagnostics\": {\"CD0217\": \"off\"}}",
            "1:28: error: there is no level 'off'; the levels are 'error', 'warning', 'remark' and 'ignore' [CD0116]"
        ),
        Row(
            "{\"diagnostics\": {\"CD0217\": \"Error\"}}",
            "1:28: error: there is no level 'Error'; the levels are 'error', 'warning', 'remark' and 'ignore'; did you mean 'error'? [CD0116]"
        ),
        Row(
            "{\"diagnostics\": {\"cd0217\": \"error\"}}",
            "1:18: error: there is no diagnostic 'cd0217'; did you mean 'CD0217'? [CD0115]"
        ),
        Row(
            "{\"diagnostics\": {\"CD217\": \"error\"}}",
            "1:18: error: there is no diagnostic 'CD217'; did you mean 'CD0217'? [CD0115]"
        ),
        Row(
            "{\"diagnostics\": {\"0217\": \"error\"}}",
            "1:18: error: there is no diagnostic '0217'; did you mean 'CD0217'? [CD0115]"
        ),
        Row(
            "{\"diagnostics\": {\"CD9999\": \"error\"}}",
            "1:18: error: there is no diagnostic 'CD9999'; an id is printed in brackets after its message [CD0115]"
        ),
        Row(
            "{\"diagnostics\": {\"missingInverse\": \"error\"}}",
            "1:18: error: there is no diagnostic 'missingInverse'; an id is printed in brackets after its message [CD0115]"
        ),
        Row(
            "{\"diagnostics\": {\"\": 1}}",
            "1:18: error: there is no diagnostic ''; an id is printed in brackets after its message [CD0115]",
            """
            1:22: error: a level must be a string, not a number; the levels are 'error', 'warning', 'remark' and \
            'ignore' [CD0116]
            """
        ),
        Row(
            "{\"diagnostics\": {\"CD0203\": \"ignore\"}}",
            """
            1:28: error: 'CD0203' cannot be ignored, because it reports a model from which Chordata cannot \
            generate correct code; remove the setting and correct the model [CD0116]
            """
        ),
        Row(
            "{\"diagnostics\": {\"CD0203\": \"warning\"}}",
            """
            1:28: error: 'CD0203' cannot be lowered to 'warning', because it reports a model from which Chordata cannot \
            generate correct code; remove the setting and correct the model [CD0116]
            """
        ),

        // MARK: All together
        Row(
            """
            {
              // why not
              "schema": "x",
              "diagnostics": {
                "CD0217": "of",
                "CD9": [],
                "CD0301": "remark",
              }
            }
            """,
            "2:3: error: JSON has no comments; remove this one [CD0114]",
            "3:3: error: there is no key 'schema'; the keys are '$schema', 'diagnostics', 'access', 'imports', 'name', 'codegen', 'optionality', 'entities', 'types', 'stores', 'versions' and 'migrations'; did you mean '$schema'? [CD0115]",
            "5:15: error: there is no level 'of'; the levels are 'error', 'warning', 'remark' and 'ignore' [CD0116]",
            "6:5: error: there is no diagnostic 'CD9'; an id is printed in brackets after its message [CD0115]",
            """
            6:12: error: a level must be a string, not an array; the levels are 'error', 'warning', 'remark' and \
            'ignore' [CD0116]
            """,
            """
            7:15: error: 'CD0301' cannot be lowered to 'remark', because it reports a model from which Chordata cannot \
            generate correct code; remove the setting and correct the model [CD0116]
            """,
            "7:23: error: there is nothing after the last ','; remove this comma [CD0114]"
        ),
    ]

    @Test(arguments: rows)
    func words(_ row: Row) {
        let read = readConfiguration(path: "m/chordata.json", contents: Array(row.text.utf8))
        #expect(read.configuration == nil)
        let lines = renderText(read.diagnostics).split(separator: "\n").map {
            String($0.replacing("m/chordata.json:", with: ""))
        }
        expectEqual(lines, row.expected)
    }

    @Test func tableHasManyRows() { #expect(Self.rows.count >= 40) }
}
