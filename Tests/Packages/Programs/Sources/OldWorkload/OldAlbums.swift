public import Chordata

/// The model of stores before 'Albums 2': entities without classes.
public let oldAlbums = AlbumsModel.definition
