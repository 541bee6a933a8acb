internal import ChordataDiagnostics

extension DiagnosticPage {
    static let unrunnableMigration = DiagnosticPage(
        .unrunnableMigration,
        title: "migration file that cannot run",
        meaning: """
            The hand-written SQL of a migration would fail, so older stores could not be opened any more.

            All steps of a store run in one transaction. The statements of the steps cannot begin or end this transaction, and cannot use
            other database files. `chordata check` and `chordata migrate check` also run each hand-written file that is not released and has
            no stage on a store without objects, and so does `chordata migrate new` before it releases a file: then the message is SQLite's,
            or names the tables that differ from those of the newer version.
            """,
        remedy: """
            - Remove the statement: a migration that fails is rolled back automatically.
            - Or correct what the message names; `chordata schema Shop.xcdatamodeld --version 'Shop 2'` prints
              the tables of one version.
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
