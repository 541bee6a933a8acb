/// The file `contents` of the version of a model that was read.
struct ModelContents {
    /// The path as the user knows it.
    let path: String
    let bytes: [UInt8]
    /// A Boolean value that indicates whether a symbolic link that the user did not name is on the path.
    var isLinked = false
}
