internal import ChordataDiagnostics

extension DiagnosticPage {
    static let unknownElement = DiagnosticPage(
        .unknownElement,
        title: "unknown element",
        meaning: """
            The file has an element that is unknown at this place.

            The element and its contents are ignored, but kept when Chordata writes the file. It is reported once for each element name and
            parent: as a remark, or as a warning if it looks like a misspelled or misplaced model element, which would otherwise be ignored
            without notice.
            """,
        remedy: """
            - If the name is misspelt, correct it.
            - If a newer version of Xcode wrote it, nothing needs to be done; please report it, so that Chordata can
              support it.
            - If another tool wrote it, remove it, or ignore the remark in `chordata.json`.
            """,
        example: .model(
            """
            <entity name="Customer">
                <attribute name="name" attributeType="String"/>
                <colour value="red"/>
            </entity>
            """
        ),
        correctedExample: .model(
            """
            <entity name="Customer">
                <attribute name="name" attributeType="String"/>
            </entity>
            """
        )
    )

    static let ignoredText = DiagnosticPage(
        .ignoredText,
        title: "text between elements",
        meaning: """
            There is text between the elements of the file, where a model cannot have text.

            The text is ignored. It is often left by a merge, or an element whose angle brackets were lost.
            """,
        remedy: """
            - Remove the text.
            - If it explains something, make it a comment: `<!-- … -->`. Xcode may remove comments when it saves the model; it keeps entries
              in the user info of the entity.
            """,
        example: .model(
            """
            <entity name="Customer">
                People who have bought something.
                <attribute name="name" attributeType="String"/>
            </entity>
            """
        ),
        correctedExample: .model(
            """
            <entity name="Customer">
                <!-- People who have bought something. -->
                <attribute name="name" attributeType="String"/>
            </entity>
            """
        )
    )

    static let unknownAttribute = DiagnosticPage(
        .unknownAttribute,
        title: "unknown attribute of an element",
        meaning: """
            An element of the file has an unknown XML attribute.

            The attribute is ignored, but kept when Chordata writes the file. It is reported once for each attribute name and element name, at
            the first such element, because a misspelt attribute would otherwise be ignored silently.
            """,
        remedy: """
            - If the name is misspelt, correct it; names are case-sensitive.
            - If a newer version of Xcode wrote it, nothing needs to be done; please report it, so that Chordata can
              support it.
            - If another tool wrote it, remove it, or ignore the remark in `chordata.json`.
            """,
        example: .model(
            """
            <entity name="Customer">
                <attribute name="name" optinal="YES" attributeType="String"/>
            </entity>
            """
        ),
        correctedExample: .model(
            """
            <entity name="Customer">
                <attribute name="name" optional="YES" attributeType="String"/>
            </entity>
            """
        )
    )

    static let unsupportedEncoding = DiagnosticPage(
        .unsupportedEncoding,
        title: "encoding other than UTF-8",
        meaning: """
            The file is not in UTF-8, or its XML declaration names another encoding.

            Xcode writes models in UTF-8 only. In another encoding names could be read wrongly, so the file is not read.
            """,
        remedy: """
            - Open the file in a text editor and save it as UTF-8.
            - Write `encoding="UTF-8"` in the first line, or leave the line out.
            """,
        example: .modelText(
            """
            <?xml version="1.0" encoding="ISO-8859-1"?>
            <model>
                <entity name="Customer"/>
            </model>

            """
        ),
        correctedExample: .modelText(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <model>
                <entity name="Customer"/>
            </model>

            """
        )
    )

    static let unnamedCurrentVersion = DiagnosticPage(
        .unnamedCurrentVersion,
        title: "unnamed current version",
        meaning: """
            The model has several versions, and no file `.xccurrentversion` names the current one.

            The file is missing, or it names no version. The last version is used: the last one of `versions` in
            `chordata.json`, or the last in the order of names, where `Shop 2` comes before `Shop 10`. That is wrong if
            you are still working on a version that must not be used yet, or if the newest version has a name that comes
            earlier.
            """,
        remedy: """
            - In Xcode, select the `.xcdatamodeld` and choose the version under Model Version in the File inspector.
            - In `.xccurrentversion`, write the key `_XCCurrentVersionName` and after it the name of the folder.
            - If the file is not in version control, look at `.gitignore`: its name begins with a dot.
            """,
        example: .versions(#"<entity name="Customer"/>"#, #"<entity name="Customer"/>"#).dropLast() + [],
        correctedExample: .versions(#"<entity name="Customer"/>"#, #"<entity name="Customer"/>"#)
    )
}
