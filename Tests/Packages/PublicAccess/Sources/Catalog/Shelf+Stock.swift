public import Chordata

extension Shelf {
    /// Puts a book onto the shelf.
    public func stock(_ title: String, in context: ManagedObjectContext) {
        Book(context: context, keywords: ["book"], name: title).shelf = self
    }
}
