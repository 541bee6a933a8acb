// The module has the name of Apple's framework, so that `import CoreData` compiles everywhere. On Apple's platforms it
// is empty: programs depend on it only for other platforms, and import the framework there.

#if !canImport(Darwin)
    @_exported public import Chordata
    @_exported public import Foundation
#endif
