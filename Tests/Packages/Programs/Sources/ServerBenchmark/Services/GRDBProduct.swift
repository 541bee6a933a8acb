import GRDB

/// A product as a record: Codable for responses, and read from rows by index, which is the fastest way in GRDB.
struct GRDBProduct: Codable, Sendable {
    /// The row key; `nil` before the product is inserted.
    var id: Int64?
    var name: String
    var price: Double
    var stock: Int64
    var category: String?

    /// Creates a product that is not in the store yet.
    init(_ sample: ProductSample) {
        name = sample.name
        price = sample.price
        stock = sample.stock
        category = sample.category
    }
}

extension GRDBProduct: FetchableRecord, MutablePersistableRecord {
    static let databaseTableName = "Product"

    /// The columns of the table.
    enum Columns {
        static let id = Column("_id")
        static let version = Column("_version")
        static let name = Column("name")
        static let price = Column("price")
        static let stock = Column("stock")
        static let category = Column("category")
    }

    static var databaseSelection: [any SQLSelectable] {
        [Columns.id, Columns.name, Columns.price, Columns.stock, Columns.category]
    }

    init(row: Row) {
        id = row[0]
        name = row[1]
        price = row[2]
        stock = row[3]
        category = row[4]
    }

    func encode(to container: inout PersistenceContainer) {
        container[Columns.id] = id
        // The table is Chordata's, where this column is not null.
        container[Columns.version] = 1
        container[Columns.name] = name
        container[Columns.price] = price
        container[Columns.stock] = stock
        container[Columns.category] = category
    }

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}
