/// The class of an entity, as Chordata generates it.
struct ModelClass {
    enum Generation {
        /// `_Item` is generated, and the user writes `class Item: _Item`.
        case category
        /// As `category`, but only after `"codegen": "category"` is added to the configuration file.
        case categoryToConfigure
        /// `Item` itself is generated.
        case classDefinition
        /// No class is generated: the user's sources or another module contain it.
        case none
    }

    let name: String
    let entity: ModelEntity
    /// The path of the model.
    let model: String
    let generation: Generation
    /// The class of the parent entity.
    let parent: String?

    /// The generated class that the user's class inherits from.
    var baseName: String { "_" + name }
}
