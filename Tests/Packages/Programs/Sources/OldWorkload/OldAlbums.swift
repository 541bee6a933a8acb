public import Chordata

/// The model that stores had before 'Albums 2': entities without classes.
public let oldAlbums = AlbumsModel.definition
