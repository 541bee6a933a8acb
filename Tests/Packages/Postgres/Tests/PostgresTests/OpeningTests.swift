import Foundation
import Testing

@testable import Chordata
@testable import ChordataPostgres
@testable import ChordataPredicate

/// Connections that cannot be opened, and the messages about them.
struct OpeningTests {
    private func error(_ string: String) throws -> StoreError {
        let configuration = PostgresConfiguration(string, schema: "test")
        return try #require(
            #expect(throws: StoreError.self) {
                try PostgresConnection(configuration, prepares: PreparationSwitch(isOn: true))
            }
        )
    }

    /// No message contains a password, whatever is wrong with the connection string.
    @Test(arguments: [
        "postgresql://me:s3cret@127.0.0.1:1/shop", "host=127.0.0.1 port=1 user=me password=s3cret dbname=shop",
        "postgresql://me:s3cret@host/with/slash:1/shop", "postgresql://me:12/s3cret@host:1/shop",
        "postgresql://me:s3cret@127.0.0.1:port/shop", "postgresql://me:%s3cret@host/shop",
        "postgresql://me:pass@s3cret@127.0.0.1:1/shop", "password='s3cret host=127.0.0.1 port=1", "s3cret",
        "postgresql://me@127.0.0.1:1/shop?password=s3cret", "postgresql://me@127.0.0.1:1/shop?s3cret=1",
        "postgresql://me@s3cret:pass@127.0.0.1:1/shop", "postgresql:///shop?host=/nowhere&password=s3cret&user=me",
    ])
    func passwords(_ string: String) throws {
        let error = try error(string)
        #expect(error.code == .cannotOpen)
        #expect(!"\(error)".contains("s3cret"), "\(error)")
        let configuration = PostgresConfiguration(string, schema: "test")
        var dumped = ""
        dump(configuration, to: &dumped)
        #expect(!"\(configuration) \(String(reflecting: configuration)) \(dumped)".contains("s3cret"))
    }

    @Test func missingDatabases() throws {
        let string = TestServer.string.replacing("/postgres?", with: "/none?") + "&password=s3cret"
        let error = try error(string)
        #expect(error.code == .cannotOpen && error.message.contains("none") && !"\(error)".contains("s3cret"))
        #expect(error.path.contains("/none, schema 'test'"))
    }

    @Test func encodings() throws {
        let connection = try TestServer.connection()
        let name = "latin_\(UUID().uuidString.prefix(8).lowercased())"
        _ = try connection.rows("CREATE DATABASE \(name) ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
        let error = try error(TestServer.string.replacing("/postgres?", with: "/\(name)?"))
        #expect(error.code == .unsupportedEnvironment && error.message.contains("server_encoding"))
        _ = try connection.rows("DROP DATABASE \(name)")
    }

    @Test func places() throws {
        let place = try TestServer.connection().place
        #expect(place.hasPrefix("/tmp/") && place.hasSuffix("/postgres, schema 'test'"))
    }
}
