#if HTTP
    import Hummingbird
    import Logging
    import NIOCore
    import NIOPosix
    import Synchronization

    /// The operations of another service as HTTP requests to a server in this process, with one connection for each
    /// client.
    final class HTTPService: ProductService {
        private let service: any ProductService
        private let server: Task<Void, any Error>
        private let port: Int
        private let idle = Mutex<[HTTPConnection]>([])

        /// Starts a server on a free port.
        init(_ service: any ProductService) async throws {
            let (ports, found) = AsyncStream.makeStream(of: Int.self)
            var logger = Logger(label: "server")
            logger.logLevel = .error
            let application = Application(
                router: makeRouter(service),
                configuration: .init(address: .hostname("127.0.0.1", port: 0)),
                onServerRunning: { found.yield($0.localAddress?.port ?? 0) },
                logger: logger
            )
            self.service = service
            server = Task {
                defer { found.finish() }
                try await application.run()
            }
            var iterator = ports.makeAsyncIterator()
            guard let port = await iterator.next() else { throw ResponseError(response: "the server has not started") }
            self.port = port
        }

        func product(_ key: Int64) async throws -> Int { try await request("GET /products/\(key)") }

        func page(offset: Int, limit: Int) async throws -> Int {
            try await request("GET /products?offset=\(offset)&limit=\(limit)")
        }

        func search(_ word: String, limit: Int) async throws -> Int {
            try await request("GET /search?word=\(word)&limit=\(limit)")
        }

        func insert(_ sample: ProductSample) async throws -> Int {
            let category = sample.category.map { ",\"category\":\"\($0)\"" } ?? ""
            let body = "{\"name\":\"\(sample.name)\",\"price\":\(sample.price),\"stock\":\(sample.stock)\(category)}"
            return try await request("POST /products", body)
        }

        func changeStock(_ key: Int64, by change: Int64) async throws -> Int {
            try await request("PATCH /products/\(key)", "{\"change\":\(change)}")
        }

        func insertAll(_ samples: [ProductSample]) async throws { try await service.insertAll(samples) }

        func close() throws {
            server.cancel()
            for connection in idle.withLock({ $0 }) { connection.close() }
            try service.close()
        }

        /// Sends a request, and returns the number in the response.
        private func request(_ start: String, _ body: String = "") async throws -> Int {
            let known = idle.withLock { $0.popLast() }
            let connection: HTTPConnection
            if let known { connection = known } else { connection = try await HTTPConnection(port: port) }
            do {
                let answer = try await connection.send(
                    "\(start) HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
                        + "content-length: \(body.utf8.count)\r\n\r\n\(body)"
                )
                idle.withLock { $0.append(connection) }
                return answer
            } catch {
                connection.close()
                throw error
            }
        }
    }

    /// Returns the routes of the server, which respond with the answers of a service.
    private func makeRouter(_ service: any ProductService) -> Router<BasicRequestContext> {
        let router = Router()
        router.get("products/:key") { _, context in
            String(try await service.product(try context.parameters.require("key", as: Int64.self)))
        }
        router.get("products") { request, _ in
            let query = request.uri.queryParameters
            return String(
                try await service.page(
                    offset: query.require("offset", as: Int.self),
                    limit: query.require("limit", as: Int.self)
                )
            )
        }
        router.get("search") { request, _ in
            let query = request.uri.queryParameters
            return String(
                try await service.search(query.require("word"), limit: query.require("limit", as: Int.self))
            )
        }
        router.post("products") { request, context in
            String(try await service.insert(try await request.decode(as: ProductSample.self, context: context)))
        }
        router.patch("products/:key") { request, context in
            let key = try context.parameters.require("key", as: Int64.self)
            let change = try await request.decode(as: StockChange.self, context: context)
            return String(try await service.changeStock(key, by: change.change))
        }
        return router
    }

    private struct StockChange: Decodable {
        var change: Int64
    }
#endif
