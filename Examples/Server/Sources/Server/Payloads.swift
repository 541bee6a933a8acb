import Chordata
import Foundation
import Hummingbird

// The JSON of requests and responses. Most responses are the generated `Values`, which are Codable.

extension Customer.Values: ResponseEncodable {}
extension Order.Values: ResponseEncodable {}
extension Product.Values: ResponseEncodable {}

/// The body of `POST /customers`.
struct NewCustomer: Decodable {
    let name: String
    let email: String
}

/// The body of `POST /products`, and a line of the body of `POST /import`.
struct NewProduct: Decodable {
    let name: String
    let price: Decimal
    let stock: Int64?

    /// The values of the product to insert; its object ID is assigned by the store.
    var values: Product.Values { Product.Values(objectID: ObjectID(), name: name, price: price, stock: stock ?? 0) }
}

/// The body of `PATCH /products/:id/stock`.
struct StockChange: Decodable {
    /// The number to add to the stock; negative to remove from it.
    let change: Int64
}

/// The body of `POST /orders`, in which object IDs are numbers.
struct NewOrder: Decodable {
    struct Line: Decodable {
        let product: ObjectID<Product>
        let quantity: Int64
    }

    let customer: ObjectID<Customer>
    let lines: [Line]
}

extension ByteBuffer {
    /// Creates a server-sent event that has a value as JSON.
    init(event name: String, _ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        self.init(string: "event: \(name)\ndata: ")
        writeBytes(try encoder.encode(value))
        writeString("\n\n")
    }
}
