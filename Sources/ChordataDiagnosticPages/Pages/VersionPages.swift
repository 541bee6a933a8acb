internal import ChordataDiagnostics

// Pages of what is found in the versions of a model.

extension DiagnosticPage {
    static let olderFormat = DiagnosticPage(
        .olderFormat,
        title: "version in the format of an older Xcode",
        meaning: """
            A version of the model is in a binary format of an older Xcode, which Chordata does not read.

            Xcode 4 and later write one XML file, `contents`, in the folder `.xcdatamodel`. Xcode 3 wrote two binary
            files, `elements` and `layout`, and Xcode 2 a file instead of the folder. If such a version is not the
            current one, it is ignored when versions are compared, by migrations, and by the command `chordata format`. Its stores cannot
            be migrated. If it is the current one, this is an error.
            """,
        remedy: """
            - Open the model in Xcode 4 or later, make an edit that does not affect stores, such as an entry in the User
              Info of an entity, and save it: Xcode then writes `contents`.
            - If there are no stores of the version any more, remove its `.xcdatamodel` folder.
            - If the version should not change, ignore the warning in `chordata.json`.
            """,
        example: [
            ExampleFile("Shop.xcdatamodeld/Shop.xcdatamodel/elements", "bplist00\n"),
            .contents(of: "Shop 2", "<model>\n    <entity name=\"Customer\"/>\n</model>\n"),
            .currentVersion(named: "Shop 2"),
        ],
        correctedExample: [
            .contents(of: "Shop 2", "<model>\n    <entity name=\"Customer\"/>\n</model>\n"),
            .currentVersion(named: "Shop 2"),
        ]
    )

    static let versionAfterCurrent = DiagnosticPage(
        .versionAfterCurrent,
        title: "version after the current one",
        meaning: """
            A version of the model is ordered after the current one, so its stores cannot be opened: they count as stores of a newer version.

            The versions of a model are its history, oldest first. Their names decide the order, where `Shop 2` comes
            before `Shop 10`: a current version `Alpha` comes before an older `Shop`, whose stores are then treated as
            newer. `versions` in `chordata.json` sets another order.

            A version whose name has the same letters, such as `Shop 3` where `Shop 2` is current or `Shop 2` where
            `Shop` is, is treated as one that you are working on, and reported as a remark. Where `versions` lists the versions,
            nothing is reported.
            """,
        remedy: """
            - If the version is older, list all versions in `chordata.json`, or in `Shop.chordata.json` where the folder
              has several models: `{ "versions": ["Shop", "Alpha"] }`, oldest first. Or give the current version a name
              that comes last, if no app with it is released.
            - If you are working on the version and no store has it yet, list the versions too, with this one last, or
              ignore the warning.
            - If the version is not used any more, remove its `.xcdatamodel` folder.
            """,
        example: [
            .contents(
                of: "Alpha",
                "<model>\n    <entity name=\"Customer\"/>\n    <entity name=\"Order\"/>\n</model>\n"
            ),
            .contents(of: "Shop", "<model>\n    <entity name=\"Customer\"/>\n</model>\n"),
            .currentVersion(named: "Alpha"),
        ],
        correctedExample: [
            .contents(
                of: "Alpha",
                "<model>\n    <entity name=\"Customer\"/>\n    <entity name=\"Order\"/>\n</model>\n"
            ),
            .contents(of: "Shop", "<model>\n    <entity name=\"Customer\"/>\n</model>\n"),
            .currentVersion(named: "Alpha"),
        ] + .configuration(#"{ "versions": ["Shop", "Alpha"] }"#)
    )
}
