internal import CChordataPostgres
internal import Chordata

// The meaning of PostgreSQL's error codes.

/// Fields of an error, by the letters of the protocol.
private enum ErrorField: UInt8 {
    case severity = 0x56  // V
    case sqlState = 0x43  // C
    case message = 0x4D  // M
    case schema = 0x73  // s
    case table = 0x74  // t
    case column = 0x63  // c
    case constraint = 0x6E  // n
}

extension StoreError {
    /// Creates the error for a result.
    ///
    /// The details of the server, which contain values, are left out.
    /// - Parameter hasTimedOut: Whether the statement was cancelled because of its time limit.
    init(postgresResult result: OpaquePointer, _ connection: PostgresConnection, hasTimedOut: Bool) {
        func field(_ field: ErrorField) -> String? {
            chordata_pg_resultErrorField(result, Int32(field.rawValue)).map { String(cString: $0) }
        }
        let state = field(.sqlState)
        let text = field(.message).map { connection.redacted($0) } ?? connection.connectionMessage
        self.init(
            sqlState: state,
            text,
            constraint: field(.constraint),
            table: field(.table),
            column: field(.column),
            hasTimedOut: hasTimedOut,
            endsConnection: field(.severity) != "ERROR",
            path: connection.place
        )
    }

    /// Creates the error for a code.
    /// - Parameter endsConnection: A Boolean value that indicates whether the server has closed the connection if the
    ///   code is of class 08.
    package init(
        sqlState: String?,
        _ text: String,
        constraint: String? = nil,
        table: String? = nil,
        column: String? = nil,
        hasTimedOut: Bool = false,
        endsConnection: Bool = true,
        path: String
    ) {
        let meaning =
            hasTimedOut && sqlState == "57014" ? Meaning.timeout : Meaning(sqlState, endsConnection: endsConnection)
        self.init(
            meaning.code,
            meaning.remedy.map { "\(text); \($0)" } ?? text,
            sqlState: sqlState,
            path: path
        )
        violation = ConstraintViolation(sqlState: sqlState, constraint: constraint, table: table, column: column)
    }
}

extension PostgresConnection {
    /// Returns the error for a connection that could not be opened.
    func connectionFailure(_ message: String) -> StoreError {
        StoreError(
            .cannotOpen,
            "\(message.isEmpty ? "the server cannot be reached" : message); check the host, the port, the user name, the "
                + "password and the access rules of the server",
            path: place
        )
    }
}

private struct Meaning {
    let code: StoreError.Code
    let remedy: String?

    static let timeout = Meaning(
        .timedOut,
        "the statement exceeded its time limit; try again, or increase PostgresConfiguration.statementTimeout"
    )

    private init(_ code: StoreError.Code, _ remedy: String?) { (self.code, self.remedy) = (code, remedy) }

    init(_ state: String?, endsConnection: Bool) {
        guard let state else {
            self.init(.connectionLost, "try again")
            return
        }
        switch state {
        case "57P01", "57P02", "57P05", "25P03": self.init(.connectionLost, "try again")
        case "57P03", "53300": self.init(.busy, "try again later, or let the server accept more connections")
        case "40001", "40P01": self.init(.busy, "try again")
        case "55P03": self.init(.busy, "another transaction has locked the rows; try again")
        case "53100": self.init(.full, "free disk space on the server, then try again")
        case "53200": self.init(.full, "give the server more memory, then try again")
        case "25006": self.init(.readOnly, "connect to the primary server, with target_session_attrs=read-write")
        case "42501": self.init(.readOnly, "grant the privilege to the user")
        case "3D000", "28000", "28P01": self.init(.cannotOpen, "check the user name, the password and the database")
        case "54000": self.init(.statementFailed, "an index entry or a statement is too large; shorten the value")
        case "22021", "22P05": self.init(.statementFailed, "remove the characters that PostgreSQL does not store")
        case "42P01", "42703":
            self.init(
                .storeDrifted,
                "if the program does not execute SQL of its own, another program has changed the tables: restore them, or "
                    + "restore a backup"
            )
        default:  // PostgreSQL's list of codes is open-ended.
            // A statement with a wrong number of arguments has a code of class 08, too.
            let isOfConnection = state.hasPrefix("08") && endsConnection
            self.init(isOfConnection ? .connectionLost : .statementFailed, isOfConnection ? "try again" : nil)
        }
    }
}

extension ConstraintViolation {
    /// Creates the violation for a code; `nil` for other codes.
    fileprivate init?(sqlState: String?, constraint: String?, table: String?, column: String?) {
        switch sqlState {
        case "23505"?:
            if constraint?.hasPrefix("_pk_") == true {
                self = .rowKey
            } else {
                // The engine looks up the columns of the index.
                self = .uniqueness(columns: constraint.map { [$0] } ?? [])
            }
        case "23503"?: self = .reference
        case "42804"?, "22P02"?, "22P03"?: self = .mistypedValue
        default: return nil
        }
    }
}
