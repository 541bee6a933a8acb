import Chordata

/// The operations as in the example `Server` and in the manual's article about servers.
struct ChordataService: ProductService {
    private let container: PersistentContainer

    /// Opens a store.
    init(path: String, _ synchronous: Synchronous) throws {
        let options =
            switch synchronous {
            case .normal: StoreOptions(synchronous: .normal)
            case .full: StoreOptions(synchronous: .full)
            }
        container = try CatalogModel.container(at: path, options: options)
    }

    func product(_ key: Int64) async throws -> Int {
        let ids = [ObjectID<Product>(key: key)]
        let products: [Product.Values] = try await container.performBackgroundTask { try $0.fetchValues(for: ids) }
        guard !products.isEmpty else { throw MissingProductError(key: key) }
        return answer(products)
    }

    func page(offset: Int, limit: Int) async throws -> Int {
        let request = Product.fetchRequest().sorted(by: \.name).limit(limit).offset(offset)
        let (products, total) = try await container.performBackgroundTask { context in
            let products: [Product.Values] = try context.fetchValues(request)
            let total = try context.count(for: Product.fetchRequest())
            return (products, total)
        }
        return answer(products, total)
    }

    func search(_ word: String, limit: Int) async throws -> Int {
        let request = Product.fetchRequest().where(.contains(\.name, word, .caseInsensitive)).sorted(by: \.name)
            .limit(limit)
        let products: [Product.Values] = try await container.performBackgroundTask { try $0.fetchValues(request) }
        return answer(products)
    }

    func insert(_ sample: ProductSample) async throws -> Int {
        let values = try await container.performBackgroundTask { context in
            let product = Product(context: context, sample)
            try context.save()
            return product.values
        }
        return values.name.utf8.count
    }

    func changeStock(_ key: Int64, by change: Int64) async throws -> Int {
        let id = ObjectID<Product>(key: key)
        let values = try await container.write { context in
            let product = try context.existingObject(with: id)
            product.stock += change
            return product.values
        }
        return answer([values])
    }

    func insertAll(_ samples: [ProductSample]) async throws {
        try await container.performBackgroundTask { context in
            for sample in samples { _ = Product(context: context, sample) }
            try context.save()
        }
    }

    func close() {}

    private func answer(_ products: [Product.Values], _ start: Int = 0) -> Int {
        var answer = Answer(start)
        for product in products { answer.add(key: product.objectID.key, name: product.name) }
        return answer.value
    }
}

extension Product {
    /// Inserts a product into a context.
    convenience init(context: ManagedObjectContext, _ sample: ProductSample) {
        self.init(context: context, name: sample.name, price: sample.price, stock: sample.stock)
        category = sample.category
    }
}
