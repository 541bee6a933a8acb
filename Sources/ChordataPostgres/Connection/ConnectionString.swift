internal import CChordataPostgres
internal import Chordata
internal import Foundation

/// The keywords and values of a connection string.
struct ConnectionString {
    private(set) var values: [(keyword: String, value: String)]

    /// Reads a connection string.
    /// - Throws: `StoreError` for a text that is not a connection string. The message does not contain the text,
    ///   because its parts may be misplaced: for example, a password with a slash is read as the name of a database.
    init(_ text: String) throws(StoreError) {
        if let reason = chordata_pq_load() { throw StoreError(.unsupportedEnvironment, String(cString: reason)) }
        var message: UnsafeMutablePointer<CChar>?
        defer { chordata_pg_freemem(message) }
        guard let options = chordata_pg_conninfoParse(text, &message) else { throw Self.malformed }
        defer { chordata_pg_conninfoFree(options) }
        values = []
        var defaults = Self.defaults
        var option = options
        while let keyword = option.pointee.keyword {
            let name = String(cString: keyword)
            if let value = option.pointee.val {
                values.append((name, String(cString: value)))
                defaults[name] = nil
            } else if let variable = option.pointee.envvar, getenv(variable) != nil {
                defaults[name] = nil
            }
            option += 1
        }
        guard hasPlausibleParts else { throw Self.malformed }
        // A service file may have its own values.
        if value(of: "service") != nil || getenv("PGSERVICE") != nil { defaults = [:] }
        for (keyword, value) in defaults.sorted(by: { $0.key < $1.key }) { values.append((keyword, value)) }
        // Texts are UTF-8 on both sides.
        values.removeAll { $0.keyword == "client_encoding" }
        values.append(("client_encoding", "UTF8"))
    }

    /// The values of keywords that neither the string nor the environment sets: without them, a lost server is noticed
    /// only after two hours.
    private static let defaults = [
        "connect_timeout": "5", "keepalives_idle": "30", "keepalives_interval": "10", "keepalives_count": "3",
        "fallback_application_name": "chordata",
    ]

    /// The value of a keyword; `nil` if the string does not set it.
    func value(of keyword: String) -> String? { values.first { $0.keyword == keyword }?.value }

    /// A Boolean value that indicates whether ports are numbers, and the other parts are not pieces of a URI whose
    /// password has a character that must be encoded.
    private var hasPlausibleParts: Bool {
        let ports = value(of: "port") ?? ""
        guard ports.utf8.allSatisfy({ (48...57).contains($0) || $0 == 44 }) else { return false }
        return ["host", "dbname"].allSatisfy { value(of: $0)?.contains("@") != true }
    }

    private static var malformed: StoreError {
        StoreError(
            .cannotOpen,
            "the connection string is not valid; write 'postgresql://user@host:port/database' or 'host=… dbname=…', and "
                + "percent-encode the characters '/', '@', ':', '#', '?' and '%' in the user name and the password of a URI, "
                + "for example '@' as '%40'"
        )
    }

    /// Calls a closure with the keywords and values as arrays that end with NULL.
    func withArrays<Result>(
        _ body: (UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<UnsafePointer<CChar>?>) -> Result
    ) -> Result {
        let keywords = values.map { strdup($0.keyword) }
        let texts = values.map { strdup($0.value) }
        defer { for text in keywords + texts { free(text) } }
        let ends: [UnsafePointer<CChar>?] = [nil]
        return (keywords.map { $0.map { UnsafePointer($0) } } + ends).withUnsafeBufferPointer { keywords in
            (texts.map { $0.map { UnsafePointer($0) } } + ends).withUnsafeBufferPointer { texts in
                // Neither is empty: each has the NULL at its end.
                body(keywords.baseAddress!, texts.baseAddress!)
            }
        }
    }
}
