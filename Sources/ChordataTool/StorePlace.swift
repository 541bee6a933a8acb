internal import ArgumentParser
internal import ChordataPostgres
internal import Foundation

/// The location of a store, as an argument of a command specifies it.
enum StorePlace {
    /// The path of a file.
    case file(String)
    /// A schema of a PostgreSQL server.
    case server(ServerPlace)

    /// Reads the argument of a command.
    /// - Parameter schema: The name of the schema; `nil` without the option.
    init(_ argument: String, _ options: ServerPlaceOptions) throws {
        guard isConnectionString(argument) else {
            guard options.schema == nil else {
                throw misuse("--schema is for stores on a server, and '\(argument)' is the path of a file")
            }
            self = .file(argument)
            return
        }
        guard let schema = options.schema else {
            // The connection string can contain a password.
            throw misuse("the store is on a server, so add --schema with the name of the schema that has its tables")
        }
        self = .server(ServerPlace(argument, schema: schema))
    }
}

/// A schema of a PostgreSQL server, with the connections of the command.
struct ServerPlace {
    let configuration: PostgresConfiguration
    let database: PostgresPool
    var schema: String { configuration.schema }

    init(_ connectionString: String, schema: String) {
        var configuration = PostgresConfiguration(connectionString, schema: schema)
        // The command has no stages.
        configuration.requiresAllStages = false
        self.configuration = configuration
        database = PostgresPool(configuration)
    }
}

/// The option of commands that take a store on a server.
struct ServerPlaceOptions: ParsableArguments {
    @Option(help: "The schema with the tables of the store, if the store is on a PostgreSQL server.")
    var schema: String?
}

/// Returns a Boolean value that indicates whether the argument of a command is a connection string of libpq, not a
/// path: a URI, or keywords and values whose first keyword specifies the server, the database or the user.
func isConnectionString(_ argument: String) -> Bool {
    if argument.hasPrefix("postgresql://") || argument.hasPrefix("postgres://") { return true }
    guard let sign = argument.firstIndex(of: "=") else { return false }
    let keyword = argument[..<sign].trimmingCharacters(in: .whitespaces)
    return ["service", "host", "hostaddr", "port", "dbname", "user"].contains(keyword)
}
