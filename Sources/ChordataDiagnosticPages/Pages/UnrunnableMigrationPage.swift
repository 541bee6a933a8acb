internal import ChordataDiagnostics

extension DiagnosticPage {
    static let unrunnableMigration = DiagnosticPage(
        .unrunnableMigration,
        title: "migration file that cannot run",
        meaning: """
            Hand-written SQL of a migration would stop it, so no store could be opened any more.

            All steps of a store run in one transaction, which their statements can neither begin nor end, nor go to other files from.
            `chordata migrate check` and `new --release` also run each file on a store without objects: then the message is that of
            SQLite, or says which tables are not those of the newer version.
            """,
        remedy: """
            - Remove the statement: everything is undone by itself where a migration fails.
            - Or correct what the message names; `chordata schema --version` prints the tables of both versions.
            """,
        example: .versions(
            """
            <entity name="Customer"/>
            """,
            """
            <entity name="Customer">
                <attribute name="points" optional="YES" attributeType="Integer 64"/>
            </entity>
            """
        ) + [
            ExampleFile(
                "Migrations/Shop/Shop to Shop 2.sql",
                """
                -- All members get points.
                BEGIN;
                ALTER TABLE "Customer" ADD COLUMN "points" INTEGER;
                UPDATE "Customer" SET "points" = "_id" % 10;
                COMMIT;

                """
            )
        ],
        correctedExample: .versions(
            """
            <entity name="Customer"/>
            """,
            """
            <entity name="Customer">
                <attribute name="points" optional="YES" attributeType="Integer 64"/>
            </entity>
            """
        ) + [
            ExampleFile(
                "Migrations/Shop/Shop to Shop 2.sql",
                """
                -- All members get points.
                ALTER TABLE "Customer" ADD COLUMN "points" INTEGER;
                UPDATE "Customer" SET "points" = "_id" % 10;

                """
            )
        ]
    )
}
