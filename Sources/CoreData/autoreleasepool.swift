#if !canImport(Darwin)
    /// Runs a closure, and returns its value.
    ///
    /// There is no Objective-C runtime, so there are no pools: objects are released without one.
    /// - Returns: The value that the closure returns.
    /// - Throws: Any error that the closure throws.
    public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result { try body() }
#endif
