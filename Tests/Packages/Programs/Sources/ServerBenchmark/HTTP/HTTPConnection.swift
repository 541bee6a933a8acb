#if HTTP
    import NIOCore
    import NIOPosix

    /// A connection to an HTTP server, which sends one request at a time.
    struct HTTPConnection: Sendable {
        private let channel: any Channel

        /// Connects to a server on this machine.
        init(port: Int) async throws {
            channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .channelOption(.tcpOption(.tcp_nodelay), value: 1)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(ResponseReader())
                    }
                }
                .connect(host: "127.0.0.1", port: port).get()
        }

        /// Sends a request, and returns the number that is the body of the response.
        /// - Throws: ``ResponseError`` if the response is not a number.
        func send(_ request: String) async throws -> Int {
            let promise = channel.eventLoop.makePromise(of: Int.self)
            channel.writeAndFlush(PendingRequest(text: request, answer: promise), promise: nil)
            return try await promise.futureResult.get()
        }

        /// Closes the connection without waiting for the server.
        func close() { channel.close(promise: nil) }
    }

    /// The error that is thrown for a response that is not the number of an answer.
    struct ResponseError: Error {
        let response: String
    }

    private struct PendingRequest: Sendable {
        let text: String
        let answer: EventLoopPromise<Int>
    }

    /// Sends requests, and reads their responses.
    private final class ResponseReader: ChannelDuplexHandler {
        typealias OutboundIn = PendingRequest
        typealias OutboundOut = ByteBuffer
        typealias InboundIn = ByteBuffer

        private var pending: EventLoopPromise<Int>?
        private var received = ""

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            let request = unwrapOutboundIn(data)
            pending = request.answer
            context.write(wrapOutboundOut(context.channel.allocator.buffer(string: request.text)), promise: promise)
        }

        func channelRead(context _: ChannelHandlerContext, data: NIOAny) {
            received += String(buffer: unwrapInboundIn(data))
            guard let end = received.range(of: "\r\n\r\n") else { return }
            let header = received[..<end.lowerBound].lowercased()
            guard let length = header.split(separator: "content-length: ").dropFirst().first,
                let count = Int(length.prefix { $0.isNumber }), received[end.upperBound...].utf8.count >= count
            else { return }
            let body = received[end.upperBound...]
            if header.hasPrefix("http/1.1 200"), let answer = Int(body) {
                pending?.succeed(answer)
            } else {
                pending?.fail(ResponseError(response: received))
            }
            (pending, received) = (nil, "")
        }

        func channelInactive(context _: ChannelHandlerContext) {
            pending?.fail(ResponseError(response: "the connection was closed"))
            pending = nil
        }
    }
#endif
