internal import ChordataDiagnostics

extension DiagnosticPage {
    static let unreadableFile = DiagnosticPage(
        .unreadableFile,
        title: "file that cannot be read",
        meaning: """
            There is no model at the path, or one of its files cannot be read.

            A model is a folder: `Shop.xcdatamodeld` has one folder `.xcdatamodel` for each version, and each of these
            has a file `contents`. If one of them is missing or cannot be read, nothing is generated.
            """,
        remedy: """
            - Check the path: it ends with `.xcdatamodeld`, or with `.xcdatamodel` for a model without versions.
            - Restore the file from version control, or remove the folder of the version that has no `contents`.
            - If the file is there, look at its permissions.
            """,
        example: [ExampleFile("Shop.xcdatamodeld/Shop.xcdatamodel", nil)],
        correctedExample: .model(#"<entity name="Customer"/>"#)
    )

    static let emptyFile = DiagnosticPage(
        .emptyFile,
        title: "empty file",
        meaning: """
            A file of the model is empty.

            Even a model without entities has a root element. An empty file is usually the result of a full disk or a
            failed merge.
            """,
        remedy: """
            - Restore the file from version control.
            - If the version was never used, remove its `.xcdatamodel` folder. If the file is `.xccurrentversion`, choose the
              current version again: in Xcode, select the `.xcdatamodeld` and set Model Version in the File inspector.
            """,
        example: .modelText(""),
        correctedExample: .model(#"<entity name="Customer"/>"#)
    )

    static let malformedXML = DiagnosticPage(
        .malformedXML,
        title: "malformed XML",
        meaning: """
            A file of the model is not well-formed XML in UTF-8.

            The file violates the rules of XML at the place of the message: a tag is not closed, an attribute is duplicated, a character
            that must be written as an entity such as `&amp;` is written literally, or a byte is not UTF-8. The rest of the file cannot be
            trusted, so nothing is generated.
            """,
        remedy: """
            - Look for merge conflict markers, such as `<<<<<<<`, and resolve the conflict.
            - If the file is a pointer of Git LFS, as in the example, fetch the file itself with `git lfs pull`.
            - Otherwise correct the XML at the place of the message, or restore the file from version control.
            """,
        example: .modelText(
            """
            version https://git-lfs.github.com/spec/v1
            oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393
            size 12345

            """
        ),
        correctedExample: .model(#"<entity name="Customer"/>"#)
    )

    static let documentTypeDeclaration = DiagnosticPage(
        .documentTypeDeclaration,
        title: "document type declaration",
        meaning: """
            A `contents` file has a document type declaration.

            Xcode never writes one. A declaration can define entities that expand without limit or that read other
            files, so a file that has one is not read.
            """,
        remedy: """
            - Remove the line that begins with `<!DOCTYPE`.
            - If it defines XML entities, replace each reference with the text of its entity.
            """,
        example: .modelText(
            """
            <!DOCTYPE model>
            <model>
                <entity name="Customer"/>
            </model>

            """
        ),
        correctedExample: .model(#"<entity name="Customer"/>"#)
    )

    static let notAModel = DiagnosticPage(
        .notAModel,
        title: "not a model",
        meaning: """
            The file is XML, but not a model.

            The root element of a `contents` file is `model`. Most often another file was copied to its place: a property
            list, a storyboard, or a mapping model.
            """,
        remedy: """
            - Restore the `contents` file from version control.
            - If the root element is only misspelt, write `model`.
            """,
        example: .modelText(
            """
            <plist version="1.0">
            <dict/>
            </plist>

            """
        ),
        correctedExample: .model(#"<entity name="Customer"/>"#)
    )

    static let limitExceeded = DiagnosticPage(
        .limitExceeded,
        title: "limit exceeded",
        meaning: """
            The file exceeds a limit that no real model reaches.

            The limits prevent a damaged or malicious file from using all memory or time of a build. A model file is limited to 4 MiB, 64
            levels of elements, 64 attributes for each element, and 512 unknown names of elements and attributes. An entity is limited to
            10000 properties that it declares itself. A model is limited to 200000 properties of all subentities with the inherited ones, 64
            levels of inheritance, and 20000 composite elements, counted for each attribute that uses the composite. A configuration file is
            limited to 1 MiB and 32 levels of nested values, and reading stops after 100 errors.
            """,
        remedy: """
            - If the file is damaged, restore it.
            - If a tool writes it, change the tool to write less.
            - If inheritance is too deep, remove levels; if there are too many elements of composites, use fewer of
              them.
            """,
        example: .model(
            Array(repeating: String(repeating: "<a>", count: 16), count: 4).joined(separator: "\n") + "\n"
                + Array(repeating: String(repeating: "</a>", count: 16), count: 4).joined(separator: "\n")
        ),
        correctedExample: .model(#"<entity name="Customer"/>"#)
    )

    static let noVersions = DiagnosticPage(
        .noVersions,
        title: "model without versions",
        meaning: """
            The `.xcdatamodeld` has no version in it.

            Each version is a folder whose name ends with `.xcdatamodel`, directly in the `.xcdatamodeld`. Without one there
            is nothing to generate.
            """,
        remedy: """
            - Add the version: a folder `Shop.xcdatamodel` with a file `contents`. In Xcode, Editor > Add Model Version does it.
            - If the versions are in version control but not on the disk, check `.gitignore` and sparse checkouts.
            """,
        example: [ExampleFile("Shop.xcdatamodeld", nil)],
        correctedExample: .model(#"<entity name="Customer"/>"#)
    )

    static let missingCurrentVersion = DiagnosticPage(
        .missingCurrentVersion,
        title: "current version that does not exist",
        meaning: """
            The file `.xccurrentversion` names a version that the model does not have.

            The current version is the one that Swift is generated for. Chordata does not guess another one, because
            stores would be migrated to it.
            """,
        remedy: """
            - In Xcode, select the `.xcdatamodeld` and choose the version under Model Version in the File inspector.
            - In `.xccurrentversion`, write the name of the folder, with its ending, after the key `_XCCurrentVersionName`.
            - If the version was lost in a merge, restore its folder.
            """,
        example: .model(#"<entity name="Customer"/>"#) + [
            .currentVersion("<key>_XCCurrentVersionName</key>", "<string>Shp.xcdatamodel</string>")
        ],
        correctedExample: .model(#"<entity name="Customer"/>"#) + [
            .currentVersion("<key>_XCCurrentVersionName</key>", "<string>Shop.xcdatamodel</string>")
        ]
    )
}
