import AsyncAlgorithms
import Chordata
import Foundation
import Hummingbird
import ServiceLifecycle

// Orders, and the stream of new ones.

extension ShopRoutes {
    /// Returns a page of the orders, newest first.
    @Sendable func orders(_ request: Request, context: Context) async throws -> [Order.Values] {
        let page = Order.fetchRequest().sorted(by: \.placedAt, .descending).page(of: request)
        return try await container.performBackgroundTask { try $0.fetchValues(page) }
    }

    /// Places an order and removes its products from the stock, in one save.
    @Sendable func placeOrder(_ request: Request, context: Context) async throws -> EditedResponse<Order.Values> {
        let new = try await request.decode(as: NewOrder.self, context: context)
        guard !new.lines.isEmpty, new.lines.allSatisfy({ $0.quantity > 0 }) else {
            throw HTTPError(.badRequest, message: "an order has at least one line, with a quantity of 1 or more")
        }
        let values = try await container.write { context in
            let customer = try context.existingObject(with: new.customer)
            let order = Order(context: context, placedAt: .now, customer: customer)
            for newLine in new.lines {
                let product = try context.existingObject(with: newLine.product)
                guard product.stock >= newLine.quantity else {
                    throw HTTPError(.conflict, message: "\(product.name): \(product.stock) in stock")
                }
                product.stock -= newLine.quantity
                let line = OrderLine(context: context, order: order, product: product)
                line.quantity = newLine.quantity
            }
            // The values are read before the save, which would replace a temporary object ID.
            try context.obtainPermanentIDs(for: [order])
            return order.values
        }
        return EditedResponse(status: .created, response: values)
    }

    /// Sends each new order as a server-sent event, until the client closes the connection or the server stops.
    @Sendable func liveOrders(_ request: Request, context: Context) async throws -> Response {
        // The sequences have all saves from now on, including those before the body is written: the saves of this
        // process, and those of other processes that use the same server.
        let inserted = merge(
            container.saves.map(\.changes.inserted),
            container.remoteChanges.map(\.changes.inserted)
        )
        let body = ResponseBody { writer in
            try await request.body.consumeWithCancellationOnInboundClose { _ in
                for try await objectIDs in inserted.cancelOnGracefulShutdown() {
                    for order in try await orders(among: objectIDs) {
                        try await writer.write(ByteBuffer(event: "order", order))
                    }
                }
            }
            try await writer.finish(nil)
        }
        let headers: HTTPFields = [.contentType: "text/event-stream", .cacheControl: "no-store"]
        return Response(status: .ok, headers: headers, body: body)
    }

    /// Returns the orders among the objects that a save has inserted.
    private func orders(among objectIDs: Set<ManagedObjectID>) async throws -> [Order.Values] {
        let ids = objectIDs.compactMap { ObjectID<Order>($0) }
        guard !ids.isEmpty else { return [] }
        return try await container.performBackgroundTask { try $0.fetchValues(for: ids) }
    }
}
