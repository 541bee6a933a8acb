import Chordata

/// Lends a book that the library has, and returns the titles of all loans.
public func lend(_ title: String) throws -> [String] {
    let books = try DataModel.container(at: ":memory:").newContext()
    _ = Book(context: books, title: title)
    try books.save()
    let desk = try Loan_DeskModel.container(at: ":memory:").newContext()
    for book in try books.fetch(Book.fetchRequest()) { _ = Loan(context: desk, title: book.title) }
    try desk.save()
    return try desk.fetch(Loan.fetchRequest()).map(\.title)
}
