#if Logging
    public import Logging

    extension StatementLogger {
        /// Creates a logger that writes each statement to one of swift-log, with its rows and its microseconds as
        /// metadata.
        ///
        /// For packages that depend on Chordata with the trait `Logging`; others do not compile swift-log.
        /// - Parameters:
        ///   - logger: The logger of swift-log.
        ///   - level: The level of the messages.
        ///   - includesValues: Whether the texts contain values; these can be confidential.
        public convenience init(_ logger: Logger, level: Logger.Level = .debug, includesValues: Bool = false) {
            self.init(includesValues: includesValues) { record in
                logger.log(
                    level: level,
                    "\(record.sql)",
                    metadata: ["rows": "\(record.rowCount)", "microseconds": "\(record.microseconds)"]
                )
            }
        }
    }
#endif
