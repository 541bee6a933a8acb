internal import ChordataDiagnostics

extension DiagnosticPage {
    static let malformedConfiguration = DiagnosticPage(
        .malformedConfiguration,
        title: "malformed configuration",
        meaning: """
            The file `chordata.json` is not JSON.

            The file is strict JSON in UTF-8: no comments, no comma before a closing bracket, no duplicate keys, double
            quotes around keys and strings. Settings that cannot be read would otherwise be ignored silently.
            """,
        remedy: """
            - Correct the place that the message names.
            - An editor that knows the JSON schema of the file finds such mistakes while you write.
            """,
        example: .configuration(
            """
            {
              "diagnostics": {
                "CD0217": "ignore",
              }
            }
            """
        ),
        correctedExample: .configuration(
            """
            {
              "diagnostics": {
                "CD0217": "ignore"
              }
            }
            """
        )
    )

    static let unknownConfigurationKey = DiagnosticPage(
        .unknownConfigurationKey,
        title: "unknown key in the configuration",
        meaning: """
            The file `chordata.json` has a key, or the identifier of a diagnostic, that does not exist.

            Users rely on each setting, so one without effect is an error.
            """,
        remedy: """
            - Correct the key; keys are case-sensitive.
            - The identifier of a diagnostic is printed in brackets after its message.
            - If a newer version of Chordata has the key, use that version.
            """,
        example: .configuration(
            """
            {
              "diagnostic": {
                "CD0217": "ignore"
              }
            }
            """
        ),
        correctedExample: .configuration(
            """
            {
              "diagnostics": {
                "CD0217": "ignore"
              }
            }
            """
        )
    )

    static let invalidConfigurationValue = DiagnosticPage(
        .invalidConfigurationValue,
        title: "invalid value in the configuration",
        meaning: """
            A value in `chordata.json` is not valid for its key.

            The value has the wrong type, is not a level, or would lower the level of a diagnostic that reports a model from which no valid
            output is possible. The level of such an error cannot be lowered, because the build would fail later, with a message that is
            harder to understand. `name`, `versions` and `gaps` are for one model, so they are not allowed in a `chordata.json` that several
            models use.
            """,
        remedy: """
            - Levels are `error`, `warning`, `remark` and `ignore`.
            - If several models use the `chordata.json`, set `name`, `versions` and `gaps` in the configuration of one model, such as
              `Shop.chordata.json`.
            - If the diagnostic cannot be lowered, remove the setting and correct the model; the page of the diagnostic describes how.
            """,
        example: .configuration(
            """
            {
              "diagnostics": {
                "CD0203": "ignore"
              }
            }
            """
        ),
        correctedExample: .configuration(
            """
            {
              "diagnostics": {}
            }
            """
        )
    )

    static let orphanedConfiguration = DiagnosticPage(
        .orphanedConfiguration,
        title: "configuration without a model",
        meaning: """
            A file has the name of a configuration, but its model is not in the same folder.

            The configuration of one model has the model's name, `Shop.chordata.json` for `Shop.xcdatamodeld`;
            `chordata.json` is for all other models in the folder. Names are case-sensitive on every file system. Users
            rely on each configuration, so one without effect is an error.
            """,
        remedy: """
            - Give the file the name of the model; a model that is linked into the folder has the name of the link.
            - If the model was removed, remove its configuration.
            """,
        example: .model("<entity name=\"Customer\"/>") + [ExampleFile("Shp.chordata.json", "{}\n")],
        correctedExample: .model("<entity name=\"Customer\"/>") + [ExampleFile("Shop.chordata.json", "{}\n")]
    )
}
