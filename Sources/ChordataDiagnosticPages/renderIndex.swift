internal import ChordataDiagnostics

/// Writes the page of the documentation that links to all others.
package func renderIndex(_ pages: [DiagnosticPage]) -> String {
    var text = """
        # Diagnostics

        The problems that Chordata reports in models, and how to resolve them.

        ## Overview

        Each message ends with the identifier of its diagnostic in brackets, such as `[CD0217]`. Identifiers are stable:
        they never change their meaning and are never reused. The wording of a message may change.

        The first two digits are the family: 01 files and bundles, 02 entities and properties, 03 predicates, 04
        migrations, 05 generated code. <doc:Configuration> describes how to change a level, where that is possible.

        | id | level | can be changed | title |
        |---|---|---|---|

        """
    for page in pages {
        let id = page.id.rawValue
        let canBeChanged = page.id.canBeLowered ? "yes" : "no"
        text += "| [\(id)](doc:\(id)) | \(page.id.severity.rawValue) | \(canBeChanged) | \(page.title) |\n"
    }
    text += "\n## Topics\n"
    for (family, name) in families {
        text += "\n### \(name)\n\n"
        for page in pages where page.id.rawValue.hasPrefix("CD\(family)") { text += "- <doc:\(page.id.rawValue)>\n" }
    }
    return text + "\n" + generatedMark
}

private let families = [
    ("01", "Files and bundles"), ("02", "Entities and properties"), ("03", "Predicates"), ("04", "Migrations"),
    ("05", "Generated code"),
]
