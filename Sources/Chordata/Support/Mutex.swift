#if CHORDATA_PTHREAD_MUTEX
    #if canImport(Darwin)
        internal import Darwin
    #elseif canImport(Glibc)
        internal import Glibc
    #elseif canImport(Musl)
        internal import Musl
    #endif

    /// The replacement of the standard library's `Mutex` under ThreadSanitizer (`Scripts/stress`), which supports only
    /// POSIX mutexes, and reports false races for the standard library's.
    struct Mutex<Value>: @unchecked Sendable {
        private final class Storage {
            var handle = pthread_mutex_t()
            var value: Value

            init(_ value: Value) {
                self.value = value
                precondition(pthread_mutex_init(&handle, nil) == 0, "a mutex cannot be created")
            }

            deinit { pthread_mutex_destroy(&handle) }
        }

        // The storage contains its own lock.
        private let storage: Storage

        init(_ value: sending Value) { storage = Storage(value) }

        func withLock<Result, Failure: Error>(
            _ body: (inout sending Value) throws(Failure) -> sending Result
        ) throws(Failure) -> sending Result {
            pthread_mutex_lock(&storage.handle)
            defer { pthread_mutex_unlock(&storage.handle) }
            return try body(&storage.value)
        }

        func withLockIfAvailable<Result, Failure: Error>(
            _ body: (inout sending Value) throws(Failure) -> sending Result
        ) throws(Failure) -> sending Result? {
            guard pthread_mutex_trylock(&storage.handle) == 0 else { return nil }
            defer { pthread_mutex_unlock(&storage.handle) }
            return try body(&storage.value)
        }
    }
#endif
