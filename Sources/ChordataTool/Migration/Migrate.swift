internal import ArgumentParser

/// `chordata migrate`.
struct Migrate: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Plans and runs the migrations between the versions of a model.",
        discussion: """
            Example: chordata migrate plan Done.xcdatamodeld
            Migrations only go forward, from each version to the next; to go back, restore a backup.
            """,
        subcommands: [
            MigratePlan.self, MigrateNew.self, MigrateLint.self, MigrateCheck.self, MigrateVerify.self,
            MigrateMapping.self, MigrateStatus.self,
            MigrateRun.self,
        ]
    )
}
