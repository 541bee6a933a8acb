#if Logging
    public import Logging

    extension StatementLogger {
        /// Creates a logger that writes each statement to a swift-log `Logger`, with the row count and the duration in
        /// microseconds as metadata.
        ///
        /// This initializer is available to packages that depend on Chordata with the trait `Logging`. Other packages
        /// do not compile swift-log.
        /// - Parameters:
        ///   - logger: The swift-log logger.
        ///   - level: The level of the messages.
        ///   - includesValues: `true` to include values, which can be confidential, in the SQL text.
        public convenience init(_ logger: Logger, level: Logger.Level = .debug, includesValues: Bool = false) {
            self.init(includesValues: includesValues) { record in
                logger.log(
                    level: level,
                    "\(record.sql)",
                    metadata: ["rows": "\(record.rowCount)", "microseconds": "\(record.duration.microseconds)"]
                )
            }
        }
    }
#endif
