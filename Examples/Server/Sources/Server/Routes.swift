import Chordata
import Hummingbird
import NIOCore

/// The routes of the shop.
///
/// Each request uses a background task of its own, or a write if it changes what it has read. The closures of both are
/// passed a new context, and return values, because objects belong to their context.
struct ShopRoutes: Sendable {
    typealias Context = BasicRequestContext

    let container: PersistentContainer

    func add(to router: Router<Context>) {
        router.get("customers", use: customers)
        router.post("customers", use: addCustomer)
        router.get("products", use: products)
        router.post("products", use: addProduct)
        router.patch("products/:id/stock", use: changeStock)
        router.post("import", use: importProducts)
        router.get("orders", use: orders)
        router.post("orders", use: placeOrder)
        router.get("orders/live", use: liveOrders)
    }
}

extension FetchRequest {
    /// Returns the request for one page of its results: the query parameters `limit`, from 1 to 100, and `offset`.
    func page(of request: Request) -> FetchRequest {
        let parameters = request.uri.queryParameters
        let count = parameters.get("limit", as: Int.self) ?? 20
        let start = parameters.get("offset", as: Int.self) ?? 0
        return limit(min(max(count, 1), 100)).offset(max(start, 0))
    }
}

/// Middleware that answers with a matching HTTP status when a route throws an error of the store.
struct StoreErrorMiddleware: RouterMiddleware {
    func handle(
        _ request: Request,
        context: BasicRequestContext,
        next: (Request, BasicRequestContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch is MissingObjectError {
            throw HTTPError(.notFound, message: "there is no object with this ID")
        } catch is UniquenessConflictError {
            throw HTTPError(.conflict, message: "another object has the same value")
        } catch let error as WriteError where error.code == .attemptLimitExceeded {
            throw HTTPError(.conflict, message: "other requests changed the same objects; try again")
        } catch let error as ValidationError {
            throw HTTPError(.unprocessableContent, message: error.description)
        } catch is ByteToMessageDecoderError.PayloadTooLargeError {
            throw HTTPError(.contentTooLarge, message: "a line of the body is too long")
        }
    }
}
