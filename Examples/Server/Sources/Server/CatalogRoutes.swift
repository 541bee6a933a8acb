import Chordata
import Foundation
import Hummingbird
import NIOCore

// Customers and products.

extension ShopRoutes {
    @Sendable func customers(_ request: Request, context: Context) async throws -> [Customer.Values] {
        let page = Customer.fetchRequest().sorted(by: \.name).page(of: request)
        return try await container.performBackgroundTask { try $0.fetchValues(page) }
    }

    /// Adds a customer; a second customer with the same email is rejected by the uniqueness constraint of the model.
    @Sendable func addCustomer(_ request: Request, context: Context) async throws -> EditedResponse<Customer.Values> {
        let new = try await request.decode(as: NewCustomer.self, context: context)
        let values = try await container.performBackgroundTask { context in
            let customer = Customer(context: context, name: new.name, email: new.email)
            try context.save()
            return customer.values
        }
        return EditedResponse(status: .created, response: values)
    }

    @Sendable func products(_ request: Request, context: Context) async throws -> [Product.Values] {
        let page = Product.fetchRequest().sorted(by: \.name).page(of: request)
        return try await container.performBackgroundTask { try $0.fetchValues(page) }
    }

    @Sendable func addProduct(_ request: Request, context: Context) async throws -> EditedResponse<Product.Values> {
        let new = try await request.decode(as: NewProduct.self, context: context)
        let values = try await container.performBackgroundTask { context in
            let product = Product(context: context, name: new.name)
            product.price = new.price
            product.stock = new.stock ?? 0
            try context.save()
            return product.values
        }
        return EditedResponse(status: .created, response: values)
    }

    /// Adds a number to the stock of a product.
    ///
    /// One write runs at a time, and reads what earlier ones have saved, so no change is lost.
    @Sendable func changeStock(_ request: Request, context: Context) async throws -> Product.Values {
        let id = try ObjectID<Product>(key: context.parameters.require("id", as: Int64.self))
        let change = try await request.decode(as: StockChange.self, context: context).change
        return try await container.write { context in
            let product = try context.existingObject(with: id)
            let (stock, overflow) = product.stock.addingReportingOverflow(change)
            guard !overflow, stock >= 0 else {
                throw HTTPError(.conflict, message: "\(product.name): \(product.stock) in stock")
            }
            product.stock = stock
            return product.values
        }
    }

    /// Inserts the products of a body with one JSON object per line, while the body is received.
    ///
    /// A transaction inserts 1,000 products. The next lines are read after it is committed, so the import needs memory
    /// for 1,000 products, whatever the size of the body is.
    @Sendable func importProducts(_ request: Request, context: Context) async throws -> [String: Int] {
        let decoder = JSONDecoder()
        var chunk: [Product.Values] = []
        var imported = 0
        for try await line in request.body.splitLines(maximumBufferSize: 1 << 20) {
            guard let product = try? decoder.decode(NewProduct.self, from: Data(line.readableBytesView)) else {
                let number = imported + chunk.count + 1
                throw HTTPError(.badRequest, message: "object \(number) is not a product; \(imported) were imported")
            }
            chunk.append(product.values)
            if chunk.count == 1_000 {
                imported += try await insert(chunk)
                chunk.removeAll(keepingCapacity: true)
            }
        }
        imported += try await insert(chunk)
        return ["imported": imported]
    }

    /// Inserts products in one transaction and without creating objects.
    /// - Returns: The number of inserted products.
    private func insert(_ products: [Product.Values]) async throws -> Int {
        try await container.performBackgroundTask { try $0.insertValues(products).count }
    }
}
