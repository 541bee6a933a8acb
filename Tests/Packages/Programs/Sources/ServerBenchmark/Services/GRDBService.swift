import GRDB

/// The operations as in GRDB's documentation: a pool, and records with the query interface.
struct GRDBService: ProductService {
    private let pool: DatabasePool

    /// Opens a store, with as much memory for its pages as Chordata has.
    /// - Throws: ``IgnoredSettingError`` when SQLite has not set `synchronous`, and the errors of GRDB.
    init(path: String, _ synchronous: Synchronous) throws {
        var configuration = Configuration()
        // Otherwise a write fails while a new connection recovers the write-ahead log.
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { database in try database.execute(sql: "PRAGMA cache_size = -16384") }
        pool = try DatabasePool(path: path, configuration: configuration)
        // A new pool sets its writer to NORMAL after it has run the closure of `prepareDatabase`.
        let level = try pool.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA synchronous = \(synchronous.rawValue)")
            return try Int.fetchOne(database, sql: "PRAGMA synchronous")
        }
        let expected =
            switch synchronous {
            case .normal: 1
            case .full: 2
            }
        guard level == expected else { throw IgnoredSettingError(synchronous: synchronous) }
    }

    func product(_ key: Int64) async throws -> Int {
        let product = try await pool.read { database in try GRDBProduct.fetchOne(database, key: key) }
        guard let product else { throw MissingProductError(key: key) }
        return answer([product])
    }

    func page(offset: Int, limit: Int) async throws -> Int {
        let (products, total) = try await pool.read { database in
            let request = GRDBProduct.order(GRDBProduct.Columns.name, GRDBProduct.Columns.id)
            let products = try request.limit(limit, offset: offset).fetchAll(database)
            let total = try GRDBProduct.fetchCount(database)
            return (products, total)
        }
        return answer(products, total)
    }

    func search(_ word: String, limit: Int) async throws -> Int {
        let products = try await pool.read { database in
            try GRDBProduct.filter(GRDBProduct.Columns.name.like("%\(word)%"))
                .order(GRDBProduct.Columns.name, GRDBProduct.Columns.id)
                .limit(limit)
                .fetchAll(database)
        }
        return answer(products)
    }

    func insert(_ sample: ProductSample) async throws -> Int {
        let product = try await pool.write { database in
            var product = GRDBProduct(sample)
            try product.insert(database)
            return product
        }
        return product.name.utf8.count
    }

    func changeStock(_ key: Int64, by change: Int64) async throws -> Int {
        let product = try await pool.write { database in
            guard var product = try GRDBProduct.fetchOne(database, key: key) else {
                throw MissingProductError(key: key)
            }
            product.stock += change
            try product.update(database, columns: [GRDBProduct.Columns.stock])
            return product
        }
        return answer([product])
    }

    func insertAll(_ samples: [ProductSample]) async throws {
        try await pool.write { database in
            for sample in samples {
                var product = GRDBProduct(sample)
                try product.insert(database)
            }
        }
    }

    func close() throws { try pool.close() }

    private func answer(_ products: [GRDBProduct], _ start: Int = 0) -> Int {
        var answer = Answer(start)
        for product in products { answer.add(key: product.id ?? 0, name: product.name) }
        return answer.value
    }
}

/// The error that is thrown when SQLite has ignored a setting.
struct IgnoredSettingError: Error {
    /// The setting.
    let synchronous: Synchronous
}
