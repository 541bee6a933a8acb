#if Logging
    public import Logging

    extension SaveLogger {
        /// Creates a logger that writes each save to a swift-log `Logger`, with metadata: its duration and waiting time
        /// in microseconds, and the number of saves that were committed in the same transaction.
        ///
        /// This initializer is available to packages that depend on Chordata with the trait `Logging`. Other packages
        /// do not compile swift-log.
        /// - Parameters:
        ///   - logger: The swift-log logger.
        ///   - level: The level of the messages.
        public convenience init(_ logger: Logger, level: Logger.Level = .debug) {
            self.init { record in
                logger.log(
                    level: level,
                    "\(record)",
                    metadata: [
                        "microseconds": "\(record.duration.microseconds)",
                        "waited": "\(record.waitingTime.microseconds)", "group": "\(record.groupSize)",
                    ]
                )
            }
        }
    }
#endif
