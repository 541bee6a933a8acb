internal import ChordataDiagnostics

extension DiagnosticPage {
    static let malformedConfiguration = DiagnosticPage(
        .malformedConfiguration,
        title: "malformed configuration",
        meaning: """
            The file `chordata.json` is not JSON.

            The file is strict JSON in UTF-8: no comments, no comma before a closing bracket, no key twice, double quotation
            marks around keys and strings. Settings that cannot be read would have no effect without a word.
            """,
        mend: """
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
        mendedExample: .configuration(
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

            A setting without effect is one that somebody relies on, so it is an error.
            """,
        mend: """
            - Correct the key; capital letters count.
            - The identifier of a diagnostic stands in brackets at the end of its message.
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
        mendedExample: .configuration(
            """
            {
              "diagnostics": {
                "CD0217": "ignore"
              }
            }
            """
        )
    )

    static let unfittingConfigurationValue = DiagnosticPage(
        .unfittingConfigurationValue,
        title: "unfitting value in the configuration",
        meaning: """
            A value in `chordata.json` is not one that its key can have.

            The value is of another type, is no level, or would lower a diagnostic that tells of what cannot work. Such an
            error stays one: without it the build would fail later, at a place that is harder to understand.
            """,
        mend: """
            - Levels are `error`, `warning`, `remark` and `ignore`.
            - If the diagnostic cannot be lowered, remove the setting and mend the model; the page of the diagnostic says how.
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
        mendedExample: .configuration(
            """
            {
              "diagnostics": {}
            }
            """
        )
    )
}
