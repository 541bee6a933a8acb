/// The current version of a model, and the settings of its configuration file.
struct DataModel {
    /// The path of the bundle as the user knows it.
    let path: String
    let entities: [ModelEntity]
    let configuration: ModelConfiguration
    var contents: ModelContents
}
