internal import ChordataDiagnostics

extension DiagnosticPage {
    static let unrunnableMigration = DiagnosticPage(
        .unrunnableMigration,
        title: "migration file that cannot run",
        meaning: """
            The hand-written SQL of a migration would fail, so older stores could not be opened any more.

            All steps of a store run in one transaction. Their statements cannot begin or end it, and cannot use other
            files. `chordata migrate check` and `new --release` also run each file on a store without objects: then the
            message is SQLite's, or names the tables that differ from those of the newer version.
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
