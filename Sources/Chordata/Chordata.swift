@_exported public import ChordataModel
@_exported public import ChordataPredicate

@_exported public import struct OrderedCollections.OrderedSet
